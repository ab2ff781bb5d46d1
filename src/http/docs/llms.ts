import { guideGroups, plainMarkdown, type SourcePage } from './source-pages.ts';

/** `llms.txt`: the list of pages, for programs that read Markdown (llmstxt.org). */
export function llmsList(pages: ReadonlyMap<string, SourcePage>, publicUrl: string): string {
  const groups = guideGroups(pages).map(({ title, guides, more }) => {
    const lines = [...guides, ...more].map(
      guide => `- [${guide.title}](${publicUrl}${guide.path}.md): ${withoutLinks(guide.summary)}`,
    );
    return `## ${title}\n\n${lines.join('\n')}`;
  });
  return `# Shipping Integrations API

> One HTTP API between your systems and your carriers: quotes, tracking, warehouses, address checks and signed webhooks, in REST and GraphQL, and as tools for assistants (Model Context Protocol).

${groups.join('\n\n')}

## Contracts

- [OpenAPI](${publicUrl}/openapi.json): The REST API with recorded examples.
- [GraphQL schema](${publicUrl}/schema.graphql): Every type and field with its description.
- [Tariff schema](${publicUrl}/tariff.schema.json): The JSON Schema of a price list.
- [Changelog](${publicUrl}/docs/changelog.md): What each version changes.
- [Everything](${publicUrl}/llms-full.txt): All guides in one file.
`;
}

/** All guides, one after the other. */
export function llmsFull(pages: ReadonlyMap<string, SourcePage>): string {
  const guides = guideGroups(pages).flatMap(({ guides: first, more }) => [...first, ...more]);
  return guides.map(guide => plainMarkdown(guide).trimEnd()).join('\n\n');
}

function withoutLinks(text: string): string {
  return text.replaceAll(/\[([^[\]]*)\]\([^()]*\)/g, '$1').replace(/:$/, '.');
}

import { readFileSync } from 'node:fs';
import { EXAMPLES } from '../../graphql/graphiql.ts';
import { FAULTS, type FaultCode } from '../../platform/fault.ts';
import { assetPath } from './assets.ts';
import { problemExample, servedContract } from './contract.ts';
import { escapeHtml } from './escape-html.ts';
import { homeBody, type ShownQuote } from './home-page.ts';
import { CONTRACTS, projectFile } from './navigation.ts';
import { type Page, pageHtml } from './page-layout.ts';
import { renderMarkdown, type Section } from './render-markdown.ts';
import { searchIndex } from './search-index.ts';
import { guideGroups, plainMarkdown, readSourcePages, type SourcePage } from './source-pages.ts';

/** The documentation of a service at its address. Each text is made at the first request, and cached. */
export class Site {
  readonly #publicUrl: string;
  readonly #pages: ReturnType<typeof readSourcePages>;
  readonly #made = new Map<string, string>();
  #home: { readonly live: readonly ShownQuote[] | undefined; readonly html: string } | undefined;
  #index: Promise<string> | undefined;

  constructor(publicUrl: string) {
    this.#publicUrl = publicUrl;
    this.#pages = readSourcePages(publicUrl);
  }

  /** @param live the demo's quote, which stays the same object until it is priced again */
  home(live: readonly ShownQuote[] | undefined): string {
    if (this.#home === undefined || this.#home.live !== live) {
      const body = homeBody(this.#pages, this.#publicUrl, live);
      this.#home = { live, html: this.#html({ title: 'Documentation', path: '/docs', kind: 'home', body }) };
    }
    return this.#home.html;
  }

  reference(): string {
    return this.#once('/docs/reference', () => this.#html(referencePage()));
  }

  graphiQL(): string {
    return this.#once('/graphql', () => this.#html(graphiQLPage()));
  }

  /** @returns undefined for an unknown page */
  guide(name: string): string | undefined {
    const page = this.#pages.get(name);
    return page && this.#once(page.path, () => this.#article(page.text, page));
  }

  guideMarkdown(name: string): string | undefined {
    const page = this.#pages.get(name);
    return page && this.#once(`${page.path}.md`, () => plainMarkdown(page));
  }

  problem(code: FaultCode): string {
    const path = `/problems/${code}`;
    const page = { title: FAULTS[code].title, path, file: '' };
    return this.#once(path, () => this.#article(problemMarkdown(code, this.#publicUrl), page));
  }

  notFound(): string {
    return this.#once('not found', () =>
      this.#html({
        title: 'Page not found',
        path: '',
        body: `<article class="prose"><h1>Page not found</h1>
<p>The documentation has no page at this address. The navigation lists all pages, and the search finds their sections.</p>
<p><a href="/docs">Go to the documentation</a></p></article>`,
      }),
    );
  }

  openapi(): string {
    return this.#once('/openapi.json', () => servedContract(this.#publicUrl));
  }

  contract(path: keyof typeof CONTRACTS): string {
    return this.#once(path, () => readFileSync(projectFile(CONTRACTS[path].file), 'utf8'));
  }

  llms(): string {
    return this.#once('/llms.txt', () => llmsList(this.#pages, this.#publicUrl));
  }

  llmsFull(): string {
    return this.#once('/llms-full.txt', () => llmsFull(this.#pages));
  }

  searchIndex(): Promise<string> {
    this.#index ??= searchIndex(this.#pages);
    return this.#index;
  }

  #once(name: string, make: () => string): string {
    const text = this.#made.get(name) ?? make();
    this.#made.set(name, text);
    return text;
  }

  #article(text: string, { title, path, file }: { title: string; path: string; file: string }): string {
    const { html, sections } = renderMarkdown(text, file);
    return this.#html({ title, path, body: `<article class="prose">${html}</article>`, aside: contents(sections) });
  }

  #html(page: Page): string {
    return pageHtml(page, this.#pages);
  }
}

/** The table of contents of a page. */
function contents(sections: readonly Section[]): string {
  const listed = sections.filter(({ level, isTab }) => (level === 2 || level === 3) && !isTab);
  if (listed.length < 2) return '';
  const items = listed.map(
    ({ level, id, title }) => `<li class="level-${level}"><a href="#${id}">${escapeHtml(title)}</a></li>`,
  );
  return `<h2>On this page</h2><ul>${items.join('')}</ul>`;
}

/** Monaco's workers, by the names of its requests. */
const WORKERS = {
  editorWorkerService: 'monaco-editor.worker.js',
  json: 'monaco-json.worker.js',
  graphql: 'monaco-graphql.worker.js',
};

/** GraphiQL in the shell of the documentation, which has the field for the key. */
function graphiQLPage(): Page {
  const settings = {
    tabs: EXAMPLES.map(query => ({ query })),
    workers: Object.fromEntries(Object.entries(WORKERS).map(([label, name]) => [label, assetPath(name)])),
  };
  return {
    title: 'GraphiQL',
    path: '/graphql',
    kind: 'graphiql',
    body: `<h1 class="sr">GraphiQL</h1>
<noscript><p>GraphiQL needs JavaScript. <a href="/schema.graphql">The schema</a> does not.</p></noscript>
<div id="graphiql" data-settings="${escapeHtml(JSON.stringify(settings))}"></div>`,
    styles: [assetPath('graphiql-bundle.css'), assetPath('graphiql.css')],
    // A deferred script and modules run in their order.
    libraries: [assetPath('graphiql-bundle.js')],
    scripts: [assetPath('graphiql.js')],
  };
}

/** The REST reference, which Scalar renders in the browser. */
function referencePage(): Page {
  return {
    title: 'REST reference',
    path: '/docs/reference',
    kind: 'reference',
    body: `<h1 class="sr">REST reference</h1>
<noscript><p>The reference needs JavaScript. <a href="/openapi.json">The OpenAPI document</a> has the same content.</p></noscript>
<div id="reference" data-scalar="${assetPath('scalar.js')}"></div>`,
    scripts: [assetPath('reference.js')],
  };
}

/** The page of a problem's `type`, as Markdown: the error and what to do. */
function problemMarkdown(code: FaultCode, publicUrl: string): string {
  const { status, title, help } = FAULTS[code];
  const example = problemExample(code);
  const shown = JSON.stringify(example, null, 2)?.replaceAll(
    /"type": "[^"]*(\/problems\/)/g,
    `"type": "${publicUrl}$1`,
  );
  return `# ${title}

HTTP status ${status}, code \`${code}\`.

${help}
${example === undefined ? '' : `\n## Example\n\n\`\`\`json\n${shown}\n\`\`\`\n`}
[Errors](/docs/errors) lists all codes and explains the format. If you ask your operator for help, give the \`requestId\` of the response.
`;
}

/** `llms.txt`: the list of pages, for programs that read Markdown (llmstxt.org). */
function llmsList(pages: ReadonlyMap<string, SourcePage>, publicUrl: string): string {
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
function llmsFull(pages: ReadonlyMap<string, SourcePage>): string {
  const guides = guideGroups(pages).flatMap(({ guides: first, more }) => [...first, ...more]);
  return guides.map(guide => plainMarkdown(guide).trimEnd()).join('\n\n');
}

function withoutLinks(text: string): string {
  return text.replaceAll(/\[([^[\]]*)\]\([^()]*\)/g, '$1').replace(/:$/, '.');
}

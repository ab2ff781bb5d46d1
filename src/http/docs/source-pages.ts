import { existsSync, readFileSync } from 'node:fs';
import { GUIDE_GROUPS, projectFile, SOURCES } from './navigation.ts';
import { withServedLinks } from './served-links.ts';

/** A Markdown file with its page. */
export interface SourcePage {
  readonly name: string;
  readonly path: string;
  /** The path from the root of the project. */
  readonly file: string;
  /** Its first heading. */
  readonly title: string;
  /** Its first paragraph, as Markdown. */
  readonly summary: string;
  readonly text: string;
}

/** The address in the sources of the guides: a service on the reader's machine. */
const WRITTEN_ADDRESS = 'http://localhost:3000';

/** The guides and the changelog, with this service's own address in their commands and examples. */
export function readSourcePages(publicUrl: string): ReadonlyMap<string, SourcePage> {
  return new Map(
    Object.entries(SOURCES).flatMap(([name, file]) => {
      // An installation without a guide lacks only its page.
      if (!existsSync(projectFile(file))) return [];
      const text = readFileSync(projectFile(file), 'utf8').replaceAll(WRITTEN_ADDRESS, publicUrl);
      const [heading = '', summary = ''] = text.split('\n\n');
      return [[name, { name, path: `/docs/${name}`, file, title: heading.replace(/^# /, ''), summary, text }] as const];
    }),
  );
}

/** A page as plain Markdown, whose links lead to Markdown. */
export function plainMarkdown({ file, text }: SourcePage): string {
  return withServedLinks(file, text);
}

/** Groups of guides with titles and summaries from their files. */
export function guideGroups(pages: ReadonlyMap<string, SourcePage>) {
  const found = (names: readonly string[]) => names.flatMap(name => pages.get(name) ?? []);
  return GUIDE_GROUPS.map(({ title, guides, more }) => ({ title, guides: found(guides), more: found(more) }));
}

import { existsSync, readFileSync } from 'node:fs';
import { GUIDE_GROUPS, projectFile, SOURCES } from './navigation.ts';
import { withServedLinks } from './served-links.ts';

/** A Markdown file that a page shows. */
export interface SourcePage {
  readonly name: string;
  readonly path: string;
  /** From the root of the project. */
  readonly file: string;
  /** Its first heading. */
  readonly title: string;
  /** Its first paragraph, as Markdown. */
  readonly summary: string;
  readonly text: string;
}

/** What the guides are written with: the address of a service that runs on the reader's machine. */
const WRITTEN_ADDRESS = 'http://localhost:3000';

/** The guides and the changelog, with this service's own address in their commands and examples. */
export function readSourcePages(publicUrl: string): ReadonlyMap<string, SourcePage> {
  return new Map(
    Object.entries(SOURCES).flatMap(([name, file]) => {
      // An installation without a guide lacks its page, and has the contracts and all other pages.
      if (!existsSync(projectFile(file))) return [];
      const text = readFileSync(projectFile(file), 'utf8').replaceAll(WRITTEN_ADDRESS, publicUrl);
      const [heading = '', summary = ''] = text.split('\n\n');
      return [[name, { name, path: `/docs/${name}`, file, title: heading.replace(/^# /, ''), summary, text }] as const];
    }),
  );
}

/** A page as plain Markdown: its links lead to Markdown as well. */
export function plainMarkdown({ file, text }: SourcePage): string {
  return withServedLinks(file, text);
}

/** Groups of guides with what the guides' files say of them. */
export function guideGroups(pages: ReadonlyMap<string, SourcePage>) {
  return GUIDE_GROUPS.map(({ title, guides }) => ({
    title,
    guides: guides.flatMap(name => pages.get(name) ?? []),
  }));
}

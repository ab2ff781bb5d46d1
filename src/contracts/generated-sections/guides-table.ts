import { guideGroups, readSourcePages, type SourcePage } from '../../http/docs/source-pages.ts';
import { table } from './markdown.ts';

/** The guides by reader, as the navigation of the documentation lists them. */
export function guides(): string {
  const links = (pages: readonly SourcePage[]) => pages.map(({ title, file }) => `[${title}](${file})`).join(' · ');
  return table(
    ['Reader', 'Guides'],
    guideGroups(readSourcePages('')).map(({ title, guides: first, more }) => [
      title,
      first.length === 0 ? links(more) : `${links(first)}<br>Later: ${links(more)}`,
    ]),
  );
}

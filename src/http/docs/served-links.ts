import { posix } from 'node:path';
import { CONTRACTS, SOURCES } from './navigation.ts';

/** The addresses at which project files are served. */
const SERVED: Readonly<Record<string, string>> = Object.fromEntries([
  ...Object.entries(SOURCES).map(([name, file]) => [file, `/docs/${name}`]),
  ...Object.entries(CONTRACTS).map(([path, { file }]) => [file, path]),
  ['schema/openapi.json', '/openapi.json'],
]);

/**
 * The target of a link in a Markdown file once the file is served.
 *
 * @param file the file with the link, from the root of the project
 * @returns undefined for a file that the service does not show
 */
export function servedLink(file: string, href: string): string | undefined {
  if (/^(?:[a-z]+:|[#/])/.test(href)) return href;
  const [path = '', anchor] = href.split('#');
  const address = SERVED[posix.join(posix.dirname(file), path)];
  return address && (anchor === undefined ? address : `${address}#${anchor}`);
}

/** A Markdown text with links to served pages; other links become plain text. */
export function withServedLinks(file: string, text: string): string {
  return text.replaceAll(/\[([^[\]]*)\]\(([^()\s]+)\)/g, (_all, label: string, href: string) => {
    const link = servedLink(file, href);
    if (link === undefined) return label;
    return `[${label}](${link.replace(/^(\/docs\/[\w-]+)/, '$1.md')})`;
  });
}

import { posix } from 'node:path';
import { CONTRACTS, SOURCES } from './navigation.ts';

/** What the files of the project that the service shows are served as. */
const SERVED: Readonly<Record<string, string>> = Object.fromEntries([
  ...Object.entries(SOURCES).map(([name, file]) => [file, `/docs/${name}`]),
  ...Object.entries(CONTRACTS).map(([path, { file }]) => [file, path]),
  ['schema/openapi.json', '/openapi.json'],
]);

/**
 * Where a link of a Markdown file leads once the file is served.
 *
 * @param file that has the link, from the root of the project
 * @returns undefined for a file that the service does not show
 */
export function servedLink(file: string, href: string): string | undefined {
  if (/^(?:[a-z]+:|[#/])/.test(href)) return href;
  const [path = '', anchor] = href.split('#');
  const address = SERVED[posix.join(posix.dirname(file), path)];
  return address && (anchor === undefined ? address : `${address}#${anchor}`);
}

/** A Markdown text whose links lead to what the service shows; what it does not show is named without a link. */
export function withServedLinks(file: string, text: string): string {
  return text.replaceAll(/\[([^\]]*)\]\(([^)\s]+)\)/g, (_all, label: string, href: string) => {
    const link = servedLink(file, href);
    if (link === undefined) return label;
    return `[${label}](${link.replace(/^(\/docs\/[\w-]+)/, '$1.md')})`;
  });
}

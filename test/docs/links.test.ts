import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import MarkdownIt, { type Token } from 'markdown-it';
import { expect, test } from 'vitest';
import { readSections } from '../../src/http/docs/render-markdown.ts';
import { ROOT } from './guide-blocks.ts';

const FILES = globSync(['*.md', '{src,schema,test}/**/*.md'], { cwd: ROOT, exclude: ['**/node_modules'] }).toSorted();
const markdown = new MarkdownIt({ html: true });

function linksOf(file: string): string[] {
  const flat = (tokens: readonly Token[]): Token[] => tokens.flatMap(token => [token, ...flat(token.children ?? [])]);
  const tokens = flat(markdown.parse(readFileSync(join(ROOT, file), 'utf8'), {}));
  return tokens.flatMap(token => {
    const link = token.attrGet(token.type === 'image' ? 'src' : 'href');
    return token.type === 'link_open' || token.type === 'image' ? [String(link)] : [];
  });
}

/** Why a link of a file on GitHub leads nowhere. */
function broken(file: string, link: string): string | undefined {
  if (/^[a-z]+:/.test(link)) return undefined;
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? file : posix.join(posix.dirname(file), path);
  if (!existsSync(join(ROOT, target))) return `${file}: no file for ${link}`;
  if (anchor === undefined) return undefined;
  const ids = readSections(readFileSync(join(ROOT, target), 'utf8'), target).map(({ id }) => id);
  return ids.includes(decodeURIComponent(anchor)) ? undefined : `${file}: no heading for ${link}`;
}

test('The scan finds the files and links of the project', () => {
  expect(FILES).toContain('README.md');
  expect(FILES).toContain('CHANGELOG.md');
  expect(FILES.length).toBeGreaterThan(28);
  expect(FILES.flatMap(linksOf).length).toBeGreaterThan(150);
});

test.each(FILES)('Every link of %s leads to a file, and to a heading if it names one', file => {
  expect(linksOf(file).flatMap(link => broken(file, link) ?? [])).toEqual([]);
});

test('Every file that the architecture names is in the project', () => {
  const tree = globSync(['*.*', '{src,schema,test}/**/*.*'], { cwd: ROOT, exclude: ['**/node_modules'] }).map(
    file => `/${file}`,
  );
  const page = readFileSync(join(ROOT, 'src/README.md'), 'utf8');
  const named = [...page.matchAll(/(?<![\w./*-])[\w/.-]*\w\.(?:ts|md|json|graphql)\b/g)].map(([name]) => name);
  // `x` stands for any name.
  const names = [...new Set(named)].filter(name => !/(?:^|\/)x[.-]|^\.\./.test(name));
  expect(names.length).toBeGreaterThan(80);
  expect(names.filter(name => !tree.some(file => file.endsWith(`/${name}`)))).toEqual([]);
});

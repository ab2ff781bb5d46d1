import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { check } from 'recheck';
import { expect, test } from 'vitest';
import { parseAst } from 'vitest/node';

import { ROOT } from '../support/dockerfile.ts';

/**
 * No pattern takes longer than in proportion to its text: one that takes the square lets a caller hold a process for
 * seconds with a text of some hundred kilobytes. A library judges each pattern; nothing is timed.
 */

/** Patterns that take the square of a text whose length their module limits, by their beginnings. */
const OF_SHORT_TEXTS: Readonly<Record<string, string>> = {
  '^(?<name>.*?)(?: (?:(?<number>': 'compare.rules.ts: streets of 500 characters at most',
};

interface Pattern {
  readonly source: string;
  readonly flags: string;
  readonly place: string;
}

/** The patterns that are written in the sources. */
const written: Pattern[] = globSync('src/**/*.{ts,js}', { cwd: ROOT }).flatMap(file => patternsIn(file));

interface Node {
  readonly type?: string;
  readonly start: number;
  readonly regex?: { readonly pattern: string; readonly flags: string };
}

function patternsIn(file: string): Pattern[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const found: Pattern[] = [];
  const look = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { regex, start } = node as Node;
    if (regex) {
      const line = text.slice(0, start).split('\n').length;
      found.push({ source: regex.pattern, flags: regex.flags, place: `${file}:${line}` });
    }
    for (const part of Object.values(node)) look(part);
  };
  look(parseAst(text, { lang: file.endsWith('.ts') ? 'ts' : 'js' }));
  return found;
}

const isOfShortTexts = ({ source }: Pattern) => Object.keys(OF_SHORT_TEXTS).some(start => source.startsWith(start));

/** The patterns that take longer, each with a text on which they do. */
async function judged(patterns: readonly Pattern[]): Promise<string[]> {
  const wrong: string[] = [];
  const different = new Map(patterns.map(one => [`/${one.source}/${one.flags}`, one]));
  for (const [pattern, { source, flags, place }] of different) {
    const result = await check(source, flags, { timeout: 60_000 });
    if (result.status === 'safe') continue;
    const why =
      result.status === 'unknown' ? result.error.kind : `${result.complexity.summary} with ${result.attack.pattern}`;
    wrong.push(`${place} ${pattern}: ${why}`);
  }
  return wrong;
}

test('Every pattern in the sources takes time in proportion to its text', async () => {
  expect(written.length).toBeGreaterThan(250);
  expect(await judged(written)).toEqual([]);
}, 300_000);

/** The patterns that modules make in a process of their own, since other tests may have loaded them in this one. */
async function patternsMade(makers: readonly string[]): Promise<Pattern[]> {
  const script = `
    const { made } = await import(${JSON.stringify(join(ROOT, 'test/support/made-patterns.ts'))});
    const places = await import(${JSON.stringify(join(ROOT, 'src/domain/common/places/places.rules.ts'))});
    const { postalCodeFits } = await import(${JSON.stringify(join(ROOT, 'src/domain/common/places/postal-codes.rules.ts'))});
    for (const code of places.COUNTRY_CODES) postalCodeFits(code, '1');
    places.capFitsProvince('37137', 'VR');
    for (const file of ${JSON.stringify(makers.map(file => join(ROOT, file)))}) await import(file);
    process.stdout.write(JSON.stringify(made));`;
  const options = { maxBuffer: 64 * 1024 * 1024 };
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], options);
  return JSON.parse(stdout);
}

test('Every pattern that the code puts together at run time takes time in proportion to its text', async () => {
  const files = globSync('src/**/*.ts', { cwd: ROOT });
  const makers = files.filter(file => /\bRegExp\(/.test(readFileSync(join(ROOT, file), 'utf8')));
  const made = await patternsMade(makers);
  const patterns = made.filter(({ place }) => place.includes('/src/'));
  for (const file of makers) expect(patterns.map(({ place }) => place)).toContainEqual(expect.stringContaining(file));
  expect(await judged(patterns.filter(one => !isOfShortTexts(one)))).toEqual([]);
  for (const start of Object.keys(OF_SHORT_TEXTS))
    expect(patterns.map(({ source }) => source)).toContainEqual(expect.stringContaining(start));
}, 300_000);

test('The check finds a pattern whose time grows with the square of its text', async () => {
  const wrong = await judged([{ source: '\\[[^\\]]*\\]', flags: 'g', place: 'here' }]);
  expect(wrong).toEqual([expect.stringContaining('2nd degree polynomial')]);
});

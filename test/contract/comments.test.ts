import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

/**
 * Comments of the source are sentences that can be read by themselves, in the words of the field. Each pattern is a habit
 * that made comments hard to read.
 */
const REJECTED: readonly { readonly pattern: RegExp; readonly reason: string }[] = [
  {
    pattern: /(?:^|[.:;] )(?:The same|That of|Those of)\b/,
    reason: 'needs the line before it: name the thing',
  },
  {
    pattern: /(?:^|\. )(?:Of|What|Whom?|Whose)\b|^(?:Those|That|Else)\b/,
    reason: 'begins with a fragment: begin with the subject',
  },
  {
    pattern: /\bwhat (?:is|was|has|came|comes|becomes)\b/i,
    reason: 'has a pronoun in place of a noun: name the thing',
  },
  {
    pattern: /\b(?:go(?:es)?|going|went|gone) on\b|\bin (?:its|their) turn\b|\bfor ever\b|\bcomes? to nothing\b/,
    reason: 'translates an idiom word by word: say continues, again, indefinitely',
  },
  {
    pattern: /(?<!\b[Tt]here )\b(?:is|are) no (?!longer\b|more\b)/,
    reason: 'negates the noun: negate the verb',
  },
  {
    pattern: /\bwhoever\b/i,
    reason: 'names nobody: say caller, process, transaction',
  },
  {
    pattern: /\b(?:settl(?:es?|ed|ing)|reckon(?:s|ed|ing)?|parks?|parking|graves?|buries|misfits?|told)\b/i,
    reason: 'is a word of its own: say complete, calculate, hold back, dead letter, notified',
  },
];

const root = new URL('../../', import.meta.url).pathname;
const files = globSync('src/**/*.ts', { cwd: root });

/** The comments of a module, each as one line of text without its stars and slashes. */
function commentsOf(source: string): string[] {
  const blocks = source.match(/^[ \t]*\/\*\*?[\s\S]*?\*\/|(?:^[ \t]*\/\/.*\n)+|(?<=[\w,;{}()[\]] )\/\/ .*$/gm) ?? [];
  return blocks
    .map(block => block.replace(/^[ \t]*(?:\/\*\*?|\*\/|\*(?!\/)|\/\/)|\*\/\s*$/gm, '').replace(/\s+/g, ' '))
    .map(text => text.trim())
    .filter(text => !text.startsWith('biome-ignore'));
}

function violations(source: string): string[] {
  return commentsOf(source).flatMap(text => {
    // Titles of tests, words of other languages and names of the code stay as they are.
    const own = text.replace(/"[^"]*"|`[^`]*`/g, 'this');
    return REJECTED.filter(({ pattern }) => pattern.test(own)).map(({ reason }) => `"${text}" ${reason}`);
  });
}

test('the scan sees the comments there are', () => {
  expect(files.length).toBeGreaterThan(500);
  const comments = commentsOf(readFileSync(join(root, 'src/platform/limits/work.ts'), 'utf8'));
  expect(comments).toContain('Characters whose reading or writing costs as much as a value.');
  expect(comments.length).toBeGreaterThan(20);
});

test('comments of the source are sentences in the words of the field', () => {
  const found = files.flatMap(file =>
    violations(readFileSync(join(root, file), 'utf8')).map(violation => `${file}: ${violation}`),
  );
  expect(found).toEqual([]);
});

describe('a comment is rejected that says', () => {
  test.each([
    '/** The same for a list. */',
    '/** Of one company. */',
    '/** What a request may use. */',
    '// Those that were deleted.',
    '/**\n * Reads rows.\n * What was read is kept.\n */',
    '// Reads what is left.',
    'const a = 1; // goes on until the end',
    '/** A call may name others in its turn. */',
    '// A list is no array.',
    '// Whoever asks waits.',
    '/** Settles the jobs that are parked. */',
    '// A reckoned price.',
  ])('%s', comment => {
    expect(violations(`${comment}\nexport const x = 1;\n`)).not.toEqual([]);
  });

  test.each([
    '/** There is no limit. */',
    '// A process that is no longer needed ends.',
    "const message = 'What is wrong?';",
    'const url = "https://example.com/of";',
    '/** The rows that were read, and those that were not. */',
    '// The column `parked`, and the test "what is left".',
  ])('but not %s', comment => {
    expect(violations(`${comment}\nexport const x = 1;\n`)).toEqual([]);
  });
});

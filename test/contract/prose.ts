import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where the project speaks to people, and how its sentences are found there. */

const ROOT = new URL('../../', import.meta.url).pathname;

export type Place = 'comment' | 'message' | 'description' | 'guide' | 'title';

interface Pattern {
  readonly pattern: RegExp;
  readonly reason: string;
  /** The places that the pattern is for; all if it is left out. */
  readonly places?: readonly Place[];
}

/** Habits that make a sentence hard to read. Each is a pattern of words that a native engineer would not write. */
export const REJECTED: readonly Pattern[] = [
  { pattern: /(?:^|[.:;] )(?:The same|That of|Those of)\b/, reason: 'needs the line before it: name the thing' },
  {
    pattern: /(?:^|\. )(?:Of|Whom|Whose)\b|^(?:Those|Else)\b/,
    reason: 'begins with a fragment: begin with the subject',
  },
  {
    pattern: /(?:^|\. )(?:What|Who)\b|^That\b/,
    reason: 'begins with a fragment: begin with the subject',
    places: ['comment'],
  },
  {
    pattern: /\bwhat (?:is|was|has|came|comes|becomes)\b/i,
    reason: 'has a pronoun in place of a noun: name the thing',
    places: ['comment', 'title'],
  },
  {
    pattern: /\bwhat (?:came|comes|becomes) of\b|^What (?:it|they|these) \w+[.,:]/i,
    reason: 'has a pronoun in place of a noun: name the thing',
  },
  { pattern: /\b(?:that|those) of\b/i, reason: 'has a pronoun in place of a noun: repeat the noun' },
  {
    pattern: /\b(?:no|some|any|every)thing of (?:it|them)\b/i,
    reason: 'has pronouns in place of nouns: say which part',
  },
  {
    pattern: /\b(?:go(?:es)?|going|went|gone) on\b|\bin (?:its|their) turn\b|\bfor ever\b|\bcomes? to nothing\b/,
    reason: 'translates an idiom word by word: say continues, again, indefinitely',
  },
  { pattern: /\btells? of\b|\bheld against\b/, reason: 'translates an idiom word by word: say reports, compared with' },
  {
    pattern: /(?<!\b(?:by|from|since|until|and) )\bthen[.;:]?$|(?<!\b(?:by|from|since|until|and) )\bthen\. /,
    reason: 'ends with "then": put it before the verb, or name the time',
  },
  { pattern: /(?<!\b[Tt]here )\b(?:is|are) no (?!longer\b|more\b)/, reason: 'negates the noun: negate the verb' },
  { pattern: /\bwhoever\b/i, reason: 'names nobody: say caller, process, transaction' },
  {
    pattern: /\b(?:settl(?:es?|ed|ing)|reckon(?:s|ed|ing)?|parks?|parking|graves?|buries|misfits?|told)\b/i,
    reason: 'is a word of its own: say complete, calculate, hold back, dead letter, notified',
  },
];

/** Comments of a module, each as one line of text without its stars and slashes. */
export function commentsOf(source: string): string[] {
  const blocks = source.match(/^[ \t]*\/\*\*?[\s\S]*?\*\/|(?:^[ \t]*\/\/.*\n)+|(?<=[\w,;{}()[\]] )\/\/ .*$/gm) ?? [];
  return blocks
    .map(block => onOneLine(block.replace(/^[ \t]*(?:\/\*\*?|\*\/|\*(?!\/)|\/\/)|\*\/\s*$/gm, '')))
    .filter(text => !text.startsWith('biome-ignore'));
}

/** Literals of four words or more, without SQL and other code: descriptions, help, errors. */
export function messagesOf(source: string): string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\/|(?<![:\\'"`])\/\/[^\n]*/g, ' ');
  const literals = code.match(/'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g) ?? [];
  return literals
    .map(text =>
      onOneLine(
        text
          .slice(1, -1)
          .replace(/\$\{[^}]*\}/g, 'X')
          .replaceAll('\\`', '`'),
      ),
    )
    .filter(text => /^\S+(?: \S+){3,}/.test(text) && !/[{}=]|\b(?:select|insert|update|delete) /.test(text));
}

/** Descriptions of a schema in SDL. */
export function descriptionsOf(sdl: string): string[] {
  return [...sdl.matchAll(/"""([\s\S]*?)"""/g)].map(([, text = '']) => onOneLine(text));
}

/** Paragraphs, headings, items of lists and rows of tables in Markdown, without blocks of code. */
export function paragraphsOf(markdown: string): string[] {
  return markdown
    .replace(/```[\s\S]*?```|<!--[\s\S]*?-->/g, '')
    .split(/\n\s*\n|\n(?=[-|#\d])/)
    .map(text => onOneLine(text.replace(/^[-|#\d.> *]+/, '')))
    .filter(text => text !== '');
}

/** Titles of tests and of their groups. */
export function titlesOf(source: string): string[] {
  const title = /\b(?:test|describe)(?:\.\w+)*(?:\([^'"`]*?\))?\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g;
  return [...source.matchAll(title)].map(([, , text = '']) => text);
}

function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** The reasons for which a text is rejected. Quoted texts and names of the code stay as they are. */
export function reasons(text: string, place: Place): string[] {
  const own = text.replace(/"[^"]*"|`[^`]*`/g, 'this');
  return REJECTED.filter(({ pattern, places }) => (places?.includes(place) ?? true) && pattern.test(own)).map(
    ({ reason }) => reason,
  );
}

export interface Found {
  readonly file: string;
  readonly text: string;
}

/** Texts in the files of some globs. */
export function textsIn(globs: readonly string[], textsOf: (source: string) => string[]): Found[] {
  const files = globs.flatMap(glob => globSync(glob, { cwd: ROOT })).filter(file => !file.includes('node_modules'));
  return files.flatMap(file => textsOf(readFileSync(join(ROOT, file), 'utf8')).map(text => ({ file, text })));
}

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import MarkdownIt from 'markdown-it';

export const ROOT = new URL('../../', import.meta.url).pathname;
export const GUIDES = globSync('src/docs/*.md', { cwd: ROOT }).toSorted();

/** The way in which the checks handle a block of code. */
export interface Block {
  /** Where it begins in its file. */
  readonly line: number;
  readonly kind: 'shell' | 'graphql' | 'file';
  readonly text: string;
  /** Statuses or error codes of the responses, in their order; all succeed where it is empty. */
  readonly outcomes: readonly string[];
  /** Variables of a GraphQL document. */
  readonly variables?: unknown;
  /** Name of the file that its reader saves. */
  readonly file?: string;
}

const MARKER = /^<!--\s*check:\s*([\s\S]*?)\s*-->/;
const OUTCOME = /^\w+$/;

/**
 * The parts of a guide that can be tried: its commands with curl and its GraphQL documents. A comment before a block
 * adds to the block:
 *
 * | Comment | Meaning of the block after it |
 * |---|---|
 * | `<!-- check: 404 -->` | the response has this status, or the code of this error or warning; several for several requests |
 * | `<!-- check: not run, because … -->` | left out |
 * | `<!-- check: run -->` | other commands than curl, which are run too |
 * | `<!-- check: save prices.csv -->` | a file that later commands read |
 * | `<!-- check: variables -->` | the variables of the GraphQL document before it |
 */
export function readBlocks(file: string): Block[] {
  const blocks: { -readonly [Key in keyof Block]: Block[Key] }[] = [];
  let marker = '';
  for (const { type, content, info, map } of new MarkdownIt({ html: true }).parse(
    readFileSync(join(ROOT, file), 'utf8'),
    {},
  )) {
    if (type === 'html_block') marker = MARKER.exec(content)?.[1] ?? marker;
    if (type !== 'fence') continue;
    const line = (map?.[0] ?? 0) + 1;
    const [verb = '', ...words] = marker.split(/\s+/);
    const said = marker;
    marker = '';
    if (said.startsWith('not run, ')) continue;
    if (verb === 'save') {
      blocks.push({ line, kind: 'file', text: content, outcomes: [], file: words[0] ?? '' });
    } else if (verb === 'variables') {
      const document = blocks.at(-1);
      if (document) document.variables = JSON.parse(content);
    } else if (info === 'graphql' || verb === 'run' || (info === 'sh' && /\bcurl /.test(content))) {
      const outcomes = verb === 'run' || said === '' ? [] : [verb, ...words];
      if (!outcomes.every(outcome => OUTCOME.test(outcome)))
        throw new Error(`${file}:${line} has the marker "${said}"`);
      blocks.push({ line, kind: info === 'graphql' ? 'graphql' : 'shell', text: content, outcomes });
    } else if (said !== '')
      throw new Error(`${file}:${line} has the marker "${said}" before a block that is not tried`);
  }
  return blocks;
}

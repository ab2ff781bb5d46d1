import { setImmediate as nextTurn } from 'node:timers/promises';
import MiniSearch from 'minisearch';
import { FAULTS } from '../../platform/fault.ts';
import { referenceEntries } from './contract.ts';
import { readSections, type Section } from './render-markdown.ts';
import type { SourcePage } from './source-pages.ts';

/** A result of `search.js`: a section of a guide, an operation, or a problem. */
interface Entry {
  readonly id: string;
  readonly page: string;
  readonly title: string;
  readonly text: string;
  /** The excerpt of the text in the result. */
  readonly excerpt: string;
}

const EXCERPT_LENGTH = 140;

/** Words that readers look for, and how the pages put the matter. The words are searched, and not shown. */
const SYNONYMS: readonly (readonly [said: RegExp, words: string])[] = [
  [/\b(?:endCursor|hasNextPage|cursors?)\b/, 'pagination paginate paging pages cursor'],
  [/\b(?:retr(?:y|ies)|Retry-After|backoff|next attempt)\b/i, 'retry retries retrying backoff repeat'],
  [/\b(?:RateLimit|rate_limited|rate limits?)\b/, 'rate limit limits throttling throttle quota 429'],
  [/\b(?:webhook-signature|signature|whsec_)/, 'signature signing sign verify HMAC secret'],
  [/\b(?:cash on delivery|codAmount|contrassegno)\b/i, 'COD contrassegno cash on delivery'],
  [/\b(?:overbilled|claims?|credit notes?|credited)\b/, 'refund refunds reimbursement rimborso credit claim'],
];

function wordsFor(text: string): string {
  return SYNONYMS.flatMap(([said, words]) => (said.test(text) ? [words] : [])).join(' ');
}

/** The index of MiniSearch, made page by page so that it does not block the event loop. */
export async function searchIndex(pages: ReadonlyMap<string, SourcePage>): Promise<string> {
  const index = new MiniSearch<Entry>({ fields: ['title', 'page', 'text'], storeFields: ['page', 'title', 'excerpt'] });
  for (const { path, file, title, text } of pages.values()) {
    index.addAll(readSections(text, file).map(section => sectionEntry(path, title, section)));
    await nextTurn();
  }
  for (const { method, path, operationId, summary, description, address } of referenceEntries()) {
    const title = summary.replaceAll('`', '');
    index.add({
      id: address,
      page: 'Reference',
      title,
      text: `${operationId} ${method} ${path} ${description} ${wordsFor(description)}`,
      excerpt: `${method} ${path}`,
    });
  }
  for (const [code, { title, help }] of Object.entries(FAULTS)) {
    index.add({
      id: `/problems/${code}`,
      page: 'Problems',
      title,
      text: `${code} ${help} ${wordsFor(`${code} ${help}`)}`,
      excerpt: excerptOf(help),
    });
  }
  return JSON.stringify(index);
}

function sectionEntry(path: string, page: string, { level, id, title, text }: Section): Entry {
  return {
    id: level === 1 ? path : `${path}#${id}`,
    page,
    title,
    text: `${text} ${wordsFor(text)}`,
    excerpt: excerptOf(text),
  };
}

function excerptOf(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > EXCERPT_LENGTH ? `${line.slice(0, EXCERPT_LENGTH).replace(/ \S*$/, '')} …` : line;
}

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
      text: `${operationId} ${method} ${path} ${description}`,
      excerpt: `${method} ${path}`,
    });
  }
  for (const [code, { title, help }] of Object.entries(FAULTS)) {
    index.add({ id: `/problems/${code}`, page: 'Problems', title, text: `${code} ${help}`, excerpt: excerptOf(help) });
  }
  return JSON.stringify(index);
}

function sectionEntry(path: string, page: string, { level, id, title, text }: Section): Entry {
  return { id: level === 1 ? path : `${path}#${id}`, page, title, text, excerpt: excerptOf(text) };
}

function excerptOf(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > EXCERPT_LENGTH ? `${line.slice(0, EXCERPT_LENGTH).replace(/ \S*$/, '')} …` : line;
}

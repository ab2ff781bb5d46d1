import { CHAPTERS } from './chapters.ts';
import type { Outcome } from './run.ts';

// The guide that lists the statements with the results of a run.

export const PAGE = new URL('../../src/docs/conformance.md', import.meta.url);

const START = '<!-- results: written by `npm run conformance -- --write` -->';
const END = '<!-- end of results -->';

/** The page with these results in the place of those that it has. */
export function pageWith(page: string, outcomes: ReadonlyMap<string, Outcome>): string {
  const [start, end] = [page.indexOf(START), page.indexOf(END)];
  if (start < 0 || end < start) throw new Error(`${PAGE.pathname} has no place for results`);
  return `${page.slice(0, start + START.length)}\n\n${tables(outcomes)}\n${page.slice(end)}`;
}

/** A table for each chapter. */
function tables(outcomes: ReadonlyMap<string, Outcome>): string {
  return CHAPTERS.map(({ title, statements }) => {
    const rows = statements.map(({ id, promise, source }) => {
      const { failure, notTried } = outcomes.get(id) ?? { notTried: 'not in the run' };
      return `| ${id} | ${promise} | ${source} | ${failure ? 'fails' : notTried ? 'not tried' : 'holds'} |`;
    });
    return `## ${title}\n\n| | Statement | Source | Result |\n|---|---|---|---|\n${rows.join('\n')}\n`;
  }).join('\n');
}

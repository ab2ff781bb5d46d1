/**
 * What Citus refuses, or does wrong, whichever rows a statement meets; PostgreSQL with partitions can't show it. Each rule
 * was found with Citus 13.2 on PostgreSQL 15, and is looked for in the text, so that it takes no cluster.
 */
export function refusedByCitus(text: string): string[] {
  const said = withoutTexts(text);
  const sets = clauses(said, /\bset\b/, /\b(from|where|returning)\b/);
  const upserts = clauses(said, /\bdo update\b/, /\breturning\b/);
  const returned = clauses(said, /\breturning\b/, /\b(union|order by)\b/);
  const found = [
    upserts.some(one => VOLATILE.test(one)) &&
      'DO UPDATE reads the clock: take what the row that is inserted has (excluded.…)',
    upserts.some(one => INTERVAL_OF_TIME.test(one)) &&
      'DO UPDATE compares a time plus an interval: subtract the times, and compare the interval',
    sets.some(set => conditional(set).some(one => VOLATILE.test(one))) &&
      'CASE or COALESCE in SET reads the clock: join (select now() as at) clock',
    sets.some(set => conditional(set).some(one => INTERVAL_OF_TIME.test(one))) &&
      'CASE or COALESCE in SET adds an interval: calculate it in the CTE that reads the input',
    sets.some(set => assignments(set).some(one => INTERVAL_OF_TIME.test(one) && COLUMN.test(one))) &&
      'SET adds an interval that depends on a column: calculate it in the CTE that reads the input',
    returned.some(one => VOLATILE.test(one) || TIME_TEXT.test(one)) &&
      'RETURNING calls what is not immutable: return the column, and calculate outside',
    returned.some(one => PARAMETER.test(one)) && 'RETURNING has a parameter: return the column, and compare outside',
    levels(said).some(({ depth, text: one }) => depth > 0 && LOCKS.test(one) && /\bunnest\b/.test(one)) &&
      'rows are locked that are joined to unnest: lock each by its key in a lateral subquery of its own',
    /\bpg_notify\b/.test(said) &&
      /\bfrom\b(?!\s+unnest\b)/.test(said) &&
      'pg_notify reads a table: it notifies on the node of the rows',
  ];
  return found.filter(one => one !== false);
}

/**
 * What a migration may not do where the tables are distributed by company, and what to do instead.
 *
 * @param statements of one migration, in their order
 */
export function migrationRefusedByCitus(statements: readonly string[]): string[] {
  return statements.flatMap(statement => {
    const said = withoutTexts(statement).replace(/\s+/g, ' ');
    const [, created] = /\bcreate (?:unlogged )?table (\w+)/.exec(said) ?? [];
    const added = /^\s*alter table \w+ (.*)$/.exec(said)?.[1];
    const columns = added === undefined ? [] : assignments(added).filter(part => /^\s*add column\b/.test(part));
    const isPlaced = statements.some(
      one => /\bcreate_distributed_table\s*\(/.test(one) && one.includes(`'${created}'`),
    );
    const found = [
      created !== undefined &&
        /\breferences\b/.test(said) &&
        `${created} is created with foreign keys: add each in a statement of its own, once it is distributed`,
      created !== undefined &&
        /\bcompany_id\b/.test(said) &&
        !isPlaced &&
        `${created} is created and not distributed: do it in the same migration where there is a commit_point`,
      /\bcreate (?:constraint )?trigger\b/.test(said) &&
        !/\bto_regclass\([^)]*\) is null\b/.test(said) &&
        'a trigger is created: let the service do what it would do',
      columns.some(column => /\bcheck\b|\breferences\b/.test(column)) &&
        'a column is added with a constraint: add that NOT VALID in a statement of its own',
      columns.length > 0 &&
        /\badd constraint\b/.test(added ?? '') &&
        'columns and constraints are added in one statement: add each constraint in a statement of its own',
      columns.some(column => /\bas identity\b/.test(column)) &&
        'an identity column is added: only a new table can have one',
      columns.some(column => /\bnot null\b/.test(column) && /\bnextval\b/.test(column)) &&
        'a column that must have a value takes it of a sequence: let it be null',
    ];
    return found.filter(one => one !== false);
  });
}

const VOLATILE = /\b(now|clock_timestamp|random|nextval|gen_random_uuid)\s*\(/;
const INTERVAL_OF_TIME = /(?:[-+]\s*|\*\s*)(?:make_interval\b|interval\b)/;
const TIME_TEXT = /\bdate_part\s*\(/;
const COLUMN = /\b[a-z_]+\.[a-z_]+\b/;
const PARAMETER = /\$\d/;
const LOCKS = /\bfor (no key update|update|key share|share)\b/;

/** In lower case, with nothing within quotes and no comments. */
function withoutTexts(text: string): string {
  return text
    .toLowerCase()
    .replace(/--[^\n]*/g, ' ')
    .replace(/'[^']*'/g, "''")
    .replace(/"[^"]*"/g, 'named');
}

/** What stands between a keyword and the next that ends it, on the same level of parentheses. */
function clauses(text: string, start: RegExp, end: RegExp): string[] {
  return [...text.matchAll(new RegExp(start, 'g'))].map(match => {
    const from = match.index + match[0].length;
    let depth = 0;
    for (let at = from; at < text.length; at++) {
      if (text[at] === '(') depth++;
      if (text[at] === ')' && --depth < 0) return text.slice(from, at);
      if (depth === 0 && new RegExp(`^${end.source}`).test(text.slice(at, at + 12)) && /\W/.test(text[at - 1] ?? ' '))
        return text.slice(from, at);
    }
    return text.slice(from);
  });
}

/** CASE … END and COALESCE(…). */
function conditional(text: string): string[] {
  return [...(text.match(/\bcase\b[\s\S]*?\bend\b/g) ?? []), ...clauses(text, /\bcoalesce\s*\(/, /\)/)];
}

/** The parts of a list, by its commas. */
function assignments(list: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const letter of list) {
    if (letter === '(') depth++;
    if (letter === ')') depth--;
    if (letter === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += letter;
  }
  return parts;
}

/** The text of each pair of parentheses without what is in those within, and how deep it is. */
function levels(text: string): { readonly depth: number; readonly text: string }[] {
  const done: { depth: number; text: string }[] = [];
  const open = [''];
  for (const letter of text) {
    if (letter === '(') open.push('');
    else if (letter === ')' && open.length > 1) done.push({ depth: open.length - 1, text: open.pop() ?? '' });
    else open[open.length - 1] += letter;
  }
  return [...done, ...open.map((one, depth) => ({ depth, text: one }))];
}

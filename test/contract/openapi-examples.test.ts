import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, test } from 'vitest';

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly { readonly name: string; readonly example?: unknown; readonly examples?: object }[];
  readonly responses: Readonly<Record<string, { description: string; content?: Record<string, { examples: object }> }>>;
}

const text = readFileSync(new URL('../../schema/openapi.json', import.meta.url), 'utf8');
const openapi = JSON.parse(text);
const operations = Object.values<Record<string, Operation>>(openapi.paths).flatMap(path => Object.values(path));
/** The rejections of each operation, by status. */
const rejections = operations.flatMap(({ operationId, responses }) =>
  Object.entries(responses).flatMap(([status, { description, content }]) => {
    const problem = content?.['application/problem+json'];
    if (!problem) return [];
    const values = Object.entries(problem.examples).map(([name, example]) => [name, resolved(example).value]);
    return { name: `${operationId} ${status}`, status, description, values: Object.fromEntries(values) };
  }),
);

test('The examples hold no secret and no well-formed key, which scanners of repositories would report', () => {
  expect(text).toContain('whsec_EXAMPLE');
  expect(text.match(/whsec_[A-Za-z0-9+/]{24,}|sk_(?:live|test)_[0-9a-f]{32}_[0-9A-Za-z]{43}/g)).toBeNull();
});

describe('The examples', () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema(openapi, 'openapi');
  const media = mediaOf(openapi, []);
  /** In an answer to anybody, or a request of theirs. */
  const ofSuccess = media.filter(({ path }) => path[0] === 'paths' && path.at(-1) === 'application/json');

  test('fit their schemas', () => {
    const wrong = media.flatMap(({ name, path, values }) => {
      const pointer = path.map(step => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/');
      const fits = ajv.getSchema(`openapi#/${pointer}/schema`);
      return values.filter(value => !fits?.(value)).map(() => ({ name, errors: fits?.errors }));
    });
    expect(wrong).toEqual([]);
    expect(media.flatMap(({ values }) => values).length).toBeGreaterThan(100);
  });

  test('exist for every body that is sent and answered, and for every event', () => {
    expect(ofSuccess.filter(({ values }) => values.length === 0)).toEqual([]);
    const events = media.filter(({ path }) => path[0] === 'webhooks');
    expect(events.map(({ path, values }) => [path[1], values.length])).toEqual(
      Object.keys(openapi.webhooks).map(type => [type, 1]),
    );
  });

  test('exist for every parameter except Idempotency-Key, which would be the same in the requests of all readers', () => {
    const parameters = operations.flatMap(({ parameters: all = [] }) => all);
    const without = parameters.filter(({ example, examples }) => example === undefined && examples === undefined);
    expect(new Set(without.map(({ name }) => name))).toEqual(new Set(['Idempotency-Key']));
  });

  test('of each rejection include each of its codes, with that code and status', () => {
    for (const { name, status, description, values } of rejections) {
      const codes = [...description.matchAll(/^- `(\w+)`/gm)].map(([, code]) => code);
      expect(codes.length, name).toBeGreaterThan(0);
      expect(Object.keys(values), name).toEqual(codes);
      for (const [code, value] of Object.entries(values)) {
        expect(value, name).toMatchObject({ code, status: Number(status) });
      }
    }
    expect(rejections.length).toBeGreaterThan(100);
  });
});

describe('Each operation', () => {
  test('has a description, and says what it needs', () => {
    for (const { operationId, description } of operations) {
      expect(description.match(/[.?!](?=\s|$)/g)?.length, operationId).toBeGreaterThanOrEqual(3);
      expect(description, operationId).toMatch(/The key needs the scope `\w+:\w+`\.$/);
    }
    expect(operations.length).toBeGreaterThan(10);
  });

  test('and each event stand in one of the sections that are described', () => {
    const sections = openapi.tags.map(({ name }: { name: string }) => name);
    const events = Object.values<{ post: Operation }>(openapi.webhooks).map(({ post }) => post);
    const used = new Set([...operations, ...events].flatMap(({ tags }) => tags));
    expect([...used].toSorted()).toEqual(sections.toSorted());
  });

  test('and each event have a summary without Markdown, which titles show unchanged', () => {
    const events = Object.values<{ post: Operation }>(openapi.webhooks).map(({ post }) => post);
    expect([...operations, ...events].filter(({ summary }) => /[`[]/.test(summary))).toEqual([]);
  });
});

interface Media {
  readonly name: string;
  readonly path: readonly string[];
  readonly values: readonly unknown[];
}

/** Everything with a schema and a place for examples beside it, with those it has. */
function mediaOf(node: unknown, path: readonly string[]): Media[] {
  if (typeof node !== 'object' || node === null) return [];
  const { schema, example, examples = {} } = node as { schema?: object; example?: unknown; examples?: object };
  if (schema !== undefined && /^\w+\/[\w+]+$/.test(path.at(-1) ?? '')) {
    const values = Object.values(examples).map(one => resolved(one).value);
    return [{ name: path.join(' '), path, values: example === undefined ? values : [...values, example] }];
  }
  return Object.entries(node).flatMap(([name, inner]) => mediaOf(inner, [...path, name]));
}

/** An example that is written once may be referred to. */
function resolved(example: { $ref?: string; value?: unknown }): { value?: unknown } {
  return example.$ref === undefined ? example : openapi.components.examples[example.$ref.split('/').at(-1) ?? ''];
}

import { describe, expect, test } from 'vitest';
import {
  commentsOf,
  descriptionsOf,
  type Found,
  messagesOf,
  type Place,
  paragraphsOf,
  reasons,
  textsIn,
  titlesOf,
} from './prose.ts';

/** Sentences of the project can be read by themselves, in the words of the field. */

const SOURCES = ['src/**/*.ts'];
const GUIDES = [
  'src/docs/*.md',
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  '{src,schema,test,test/bench}/README.md',
];

/** Texts of all tests except this one, which has wrong ones on purpose. */
const inTests = (textsOf: (source: string) => string[]) =>
  textsIn(['test/**/*.ts'], textsOf).filter(({ file }) => file !== 'test/contract/prose.test.ts');

const PLACES: readonly {
  readonly place: Place;
  readonly what: string;
  readonly least: number;
  readonly texts: Found[];
}[] = [
  { place: 'comment', what: 'comments of the source', least: 5_000, texts: textsIn(SOURCES, commentsOf) },
  { place: 'comment', what: 'comments of the tests', least: 2_500, texts: inTests(commentsOf) },
  {
    place: 'message',
    what: 'messages and descriptions in the source',
    least: 3_000,
    texts: textsIn(SOURCES, messagesOf),
  },
  { place: 'description', what: 'the schema', least: 2_000, texts: textsIn(['schema/schema.graphql'], descriptionsOf) },
  { place: 'guide', what: 'the guides', least: 3_000, texts: textsIn(GUIDES, paragraphsOf) },
  { place: 'title', what: 'titles of tests', least: 2_500, texts: inTests(titlesOf) },
];

describe.each(PLACES)('Sentences of $what', ({ place, least, texts }) => {
  test('are found', () => {
    expect(texts.length).toBeGreaterThan(least);
  });

  test('are in the words of the field', () => {
    const found = texts.flatMap(({ file, text }) => reasons(text, place).map(reason => `${file}: "${text}" ${reason}`));
    expect(found).toEqual([]);
  });
});

// Changes that are joined can leave two versions of a sentence. Options and fields, whose names come first, can stand in
// several places.
test('No sentence of a guide stands twice in it', () => {
  const long = textsIn(GUIDES, paragraphsOf).filter(({ text }) => text.length >= 100 && !text.startsWith('`'));
  const beginnings = long.map(({ file, text }) => `${file}: ${text.slice(0, 60)}`);
  expect(beginnings.length).toBeGreaterThan(1_000);
  expect(beginnings.filter((text, i) => beginnings.indexOf(text) !== i)).toEqual([]);
});

describe('A comment is rejected if it is in the wrong words:', () => {
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
    '// The key, and that of its company.',
    '// It stores nothing of it.',
    '// The caller waits then.',
  ])('%s', comment => {
    expect(commentsOf(`${comment}\nexport const x = 1;\n`).flatMap(text => reasons(text, 'comment'))).not.toEqual([]);
  });

  test.each([
    '/** There is no limit. */',
    '// A process that is no longer needed ends.',
    "const message = 'What is wrong?';",
    'const url = "https://example.com/of";',
    '/** The rows that were read, and those that were not. */',
    '// The column `parked`, and the test "what is left".',
    '// The row stays until then.',
  ])('but not if its words are right: %s', comment => {
    expect(commentsOf(`${comment}\nexport const x = 1;\n`).flatMap(text => reasons(text, 'comment'))).toEqual([]);
  });
});

describe('A sentence is rejected if it is in the wrong words:', () => {
  test.each([
    { place: 'message', texts: messagesOf("throw new Error('The key must be that of the company');") },
    { place: 'message', texts: messagesOf('const help = `continue now, or go on later`;') },
    {
      place: 'description',
      texts: descriptionsOf('"""\nOf shipments whose metadata meets each of these.\n"""\ninput X { a: Int }'),
    },
    { place: 'description', texts: descriptionsOf('type X {\n  """What came of it."""\n  a: Int\n}') },
    { place: 'guide', texts: paragraphsOf('# Title\n\n- **Reads.** A worker goes on.\n') },
    { place: 'guide', texts: paragraphsOf('| `a` | those of its order |\n|---|---|\n') },
    { place: 'title', texts: titlesOf("test('is told of once', () => {});") },
    {
      place: 'title',
      texts: titlesOf("describe('x', () => {\n  test.each([1, 2])('%s is no number', () => {});\n});"),
    },
  ] as const)('a $place: $texts', ({ place, texts }) => {
    expect(texts.flatMap(text => reasons(text, place))).not.toEqual([]);
  });

  test.each([
    { place: 'message', texts: messagesOf("const sql = 'select id from those of the company';") },
    { place: 'message', texts: messagesOf("const message = 'says what is wrong with the field';") },
    { place: 'guide', texts: paragraphsOf('```sh\ngo on and on for ever\n```\n') },
    { place: 'description', texts: descriptionsOf('"""What a shipment costs."""\ntype X { a: Int }') },
  ] as const)('but not if its words are right: a $place: $texts', ({ place, texts }) => {
    expect(texts.flatMap(text => reasons(text, place))).toEqual([]);
  });
});

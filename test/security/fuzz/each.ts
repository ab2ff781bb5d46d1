import { Dice } from '../support/dice.ts';
import { pathsOf, put } from '../support/inputs.ts';
import { NASTY_NUMBERS, NASTY_TEXTS } from '../support/nasty.ts';
import { documentOf, type Field, KINDS, type Kind, rootFields, selectionOf, validArguments } from '../support/sdl.ts';
import { idsFor, postedDocument } from './documents.ts';
import { type Fuzzed, sendTrials, type Target, type Trial } from './target.ts';

/** How many of them each input gets in a short run. */
const SOME = 5;

const deep = (depth: number): unknown => {
  let value: unknown = [];
  for (let i = 0; i < depth; i++) value = [value];
  return value;
};

/** Values of every type, at its bounds, and texts and shapes that have broken programs. */
const HOSTILE: readonly unknown[] = [
  ...[null, true, false, [], {}, [null], [[]], { a: 1 }, deep(1_000), Array.from({ length: 2_000 }, () => 'x')],
  ...NASTY_NUMBERS,
  ...NASTY_TEXTS,
];

/** An argument, or a field of an input at any depth. */
interface Place {
  readonly kind: Kind;
  readonly field: Field;
  readonly path: readonly string[];
}

/** Every input of the SDL, one after the other, with hostile values while everything around it is right. */
export async function fuzzEach(target: Target, isLong: boolean): Promise<Fuzzed & { readonly places: number }> {
  const places = KINDS.filter(kind => kind !== 'subscription').flatMap(kind =>
    rootFields(kind).flatMap(field =>
      field.args.flatMap(({ name, type }) => pathsOf(type, [name]).map(path => ({ kind, field, path }))),
    ),
  );
  const dice = new Dice(target.seed);
  const trials = places
    .flatMap(place => {
      const values = isLong ? HOSTILE : Array.from({ length: SOME }, () => dice.pick(HOSTILE));
      return values.map(value => trialOf(target, place, value));
    })
    .values();
  const count = places.length * (isLong ? HOSTILE.length : SOME);
  const fuzzed = await sendTrials(target, count, () => trials.next().value as Trial);
  return { ...fuzzed, places: places.length };
}

function trialOf(target: Target, { kind, field, path }: Place, value: unknown): Trial {
  // No account at a carrier but in the sandbox: nothing leaves this machine.
  const choice = (_owner: string, name: string) => path.includes(name) || name === 'environment';
  const given = validArguments(field, idsFor(field, target), choice);
  put(given, path, value);
  const { query, variables } = documentOf(
    kind,
    field,
    given,
    selectionOf(field.type, 1, () => true),
  );
  return postedDocument(target, query, variables, `${field.name} ${path.join('.')}`);
}

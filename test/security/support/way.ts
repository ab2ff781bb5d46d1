import { getNamedType, isAbstractType, isObjectType } from 'graphql';
import { literalArguments } from './literals.ts';
import { type Field, type Ids, type Kind, ROOTS, SDL, validArguments } from './sdl.ts';

/** A field on the way, with its arguments; or a fragment, which has no name. */
export interface Step {
  readonly owner: string;
  readonly name: string;
  readonly text: string;
}

/** Where a way begins, what it does not lead through, and the arguments of its fields. */
export interface WayOptions {
  readonly kind?: Kind;
  readonly isOpen?: (owner: string, field: Field) => boolean;
  readonly argumentsOf?: (field: Field) => Record<string, unknown>;
}

/** The shortest way through the SDL from a root, by default the queries, to a type; undefined where there is none. */
export function wayTo(
  typeName: string,
  ids: Ids,
  { kind = 'query', isOpen = () => true, argumentsOf = field => validArguments(field, ids) }: WayOptions = {},
): readonly Step[] | undefined {
  const queue: { readonly at: string; readonly way: readonly Step[] }[] = [{ at: ROOTS[kind], way: [] }];
  const seen = new Set<string>();
  for (const { at, way } of queue) {
    if (at === typeName) return way;
    if (seen.has(at)) continue;
    seen.add(at);
    const type = SDL.getType(at);
    if (isAbstractType(type)) {
      for (const { name } of SDL.getPossibleTypes(type)) {
        queue.push({ at: name, way: [...way, { owner: at, name: '', text: `... on ${name}` }] });
      }
    }
    if (!isObjectType(type)) continue;
    for (const field of Object.values(type.getFields()).filter(one => isOpen(at, one))) {
      // The type that `node` returns depends on its id.
      if (getNamedType(field.type).name === 'Node') continue;
      const text = field.name + literalArguments(field, argumentsOf(field));
      queue.push({ at: getNamedType(field.type).name, way: [...way, { owner: at, name: field.name, text }] });
    }
  }
  return undefined;
}

/** An operation that goes a way and selects something at its end. */
export function documentAlong(way: readonly Step[], selected: string, kind: Kind = 'query'): string {
  return `${kind} { ${way.reduceRight((inner, { text }) => `${text} { ${inner} }`, selected)} }`;
}

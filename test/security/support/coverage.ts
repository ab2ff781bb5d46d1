import { isObjectType, parse, TypeInfo, visit, visitWithTypeInfo } from 'graphql';
import { KINDS, NOBODYS, ROOTS, SDL } from './sdl.ts';
import { wayTo } from './way.ts';

/** Which fields of the SDL were asked for, so that a new field cannot be left out without notice. */
export class Coverage {
  readonly #asked = new Set<string>();

  /** A document that was sent. */
  add(query: string): void {
    const types = new TypeInfo(SDL);
    const asked = this.#asked;
    visit(
      parse(query),
      visitWithTypeInfo(types, {
        Field: ({ name }) => {
          asked.add(`${types.getParentType()?.name}.${name.value}`);
        },
      }),
    );
  }

  /** Every field of the SDL to which an operation can lead. */
  static readonly fields: readonly string[] = Object.values(SDL.getTypeMap()).flatMap(type => {
    if (!isObjectType(type) || type.name.startsWith('__')) return [];
    const isReached =
      Object.values(ROOTS).includes(type.name) || KINDS.some(kind => wayTo(type.name, NOBODYS, { kind }) !== undefined);
    return isReached ? Object.keys(type.getFields()).map(name => `${type.name}.${name}`) : [];
  });

  /** Fields that no document has requested. */
  get missing(): string[] {
    return Coverage.fields.filter(name => !this.#asked.has(name));
  }
}

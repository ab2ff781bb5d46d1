import { type GraphQLOutputType, getNamedType, isAbstractType, isLeafType, isObjectType } from 'graphql';
import type { Dice } from '../support/dice.ts';
import { literalOf } from '../support/literals.ts';
import { mutated, NASTY_TEXTS, nastyValue, withDuplicate } from '../support/nasty.ts';
import { type Choice, type Field, type Kind, rootFields, SDL, validArguments } from '../support/sdl.ts';
import { documentFaultOf, idsFor } from './documents.ts';
import { type Fuzzed, sendTrials, type Target, type Trial } from './target.ts';

/** Documents found by walking the SDL at random, with arguments that fit or not, and texts that are damaged. */
export function fuzzGraphQL(target: Target, count: number): Promise<Fuzzed> {
  return sendTrials(target, count, dice => new Walk(dice, target).trial());
}

class Walk {
  readonly #dice: Dice;
  readonly #target: Target;
  readonly #variables: Record<string, unknown> = {};
  readonly #declared: string[] = [];
  #aliases = 0;

  constructor(dice: Dice, target: Target) {
    this.#dice = dice;
    this.#target = target;
  }

  trial(): Trial {
    const dice = this.#dice;
    const kind: Kind = dice.chance(0.7) ? 'query' : 'mutation';
    const fields = Array.from(
      { length: 1 + dice.below(3) },
      (_, i) => `a${i}: ${this.#field(dice.pick(rootFields(kind)), 4)}`,
    );
    const declared = this.#declared.length > 0 ? `(${this.#declared.join(', ')})` : '';
    const query = this.#damaged(`${kind} ${declared} { ${fields.join(' ')} }`);
    const headers: Record<string, string> = {};
    if (kind === 'query' && dice.chance(0.05)) return this.#byGet(query, headers);
    headers['content-type'] = 'application/json';
    if (dice.chance(0.05)) headers['idempotency-key'] = dice.pick(['same', `key-${dice.below(1_000)}`, '', 'è']);
    if (dice.chance(0.05))
      headers.accept = dice.pick(['*/*', 'application/graphql-response+json', 'text/html', 'application/json']);
    const request = this.#request(query);
    const text = JSON.stringify(request);
    const body = dice.chance(0.05) ? withDuplicate(text, dice) : text;
    return {
      what: `${body.slice(0, 600)} ${JSON.stringify(headers)}`,
      path: '/graphql',
      init: { method: 'POST', headers: this.#withKey(headers), body },
      // A mutated request asks for its current fields.
      faultOf: seen => documentFaultOf(seen, ...askedIn(body, query)),
    };
  }

  #withKey(headers: Record<string, string>): Record<string, string> {
    return { ...headers, 'x-api-key': this.#target.apiKey };
  }

  #byGet(query: string, headers: Record<string, string>): Trial {
    const parameters = new URLSearchParams({ query: query.toWellFormed().slice(0, 4_000) });
    if (this.#dice.chance(0.8)) parameters.set('variables', JSON.stringify(this.#variables).slice(0, 3_000));
    if (this.#dice.chance(0.2)) parameters.set('extensions', this.#dice.pick(['zz', '{}', '[]', '1', '']));
    const path = `/graphql?${parameters}`;
    return {
      what: `GET ${path.slice(0, 600)}`,
      path,
      init: { headers: this.#withKey(headers) },
      faultOf: seen => documentFaultOf(seen, parameters.get('query') ?? ''),
    };
  }

  #request(query: string): unknown {
    const request: Record<string, unknown> = { query, variables: this.#variables };
    if (this.#dice.chance(0.95)) return request;
    return mutated(
      { ...request, operationName: this.#dice.pick([null, 'Q', '', 1]), extensions: nastyValue(this.#dice) },
      this.#dice,
    );
  }

  #field(field: Field, depth: number): string {
    return `${field.name}${this.#arguments(field)} ${this.#selection(field.type, depth)}`;
  }

  #arguments(field: Field): string {
    const dice = this.#dice;
    const ids = dice.chance(0.95) ? idsFor(field, this.#target) : this.#target.ids;
    const given = validArguments(field, ids, this.#choice);
    const passed = field.args
      .filter(({ name }) => name in given)
      .map(({ name, type }) => {
        let value = given[name];
        for (let wrong = dice.chance(0.5) ? 0 : 1 + dice.below(2); wrong > 0; wrong--) value = mutated(value, dice);
        if (dice.chance(0.5)) return `${name}: ${literalOf(type, value)}`;
        const variable = `v${this.#declared.length}`;
        this.#declared.push(`$${variable}: ${type}`);
        this.#variables[variable] = value;
        return `${name}: $${variable}`;
      });
    return passed.length > 0 ? `(${passed.join(', ')})` : '';
  }

  /** No account at a carrier but in the sandbox: nothing leaves this machine. */
  readonly #choice: Choice = (_owner, name) =>
    name === 'environment' || (name !== 'credentials' && name !== 'baseUrl' && this.#dice.chance(0.3));

  #selection(type: GraphQLOutputType, depth: number): string {
    const named = getNamedType(type);
    if (isLeafType(named)) return '';
    if (isAbstractType(named)) {
      const parts = SDL.getPossibleTypes(named).map(one => `... on ${one.name} ${this.#selection(one, depth)}`);
      return `{ __typename ${parts.join(' ')} }`;
    }
    if (!isObjectType(named)) return '';
    const fields = Object.values(named.getFields()).filter(
      ({ type: of }) => this.#dice.chance(0.4) && (depth > 0 || isLeafType(getNamedType(of))),
    );
    // Aliased, since the same field with other arguments would be a conflict.
    const texts = fields.map(field => `f${this.#aliases++}: ${this.#field(field, depth - 1)}`);
    return `{ ${['__typename', ...texts].join(' ')} }`;
  }

  #damaged(document: string): string {
    const dice = this.#dice;
    if (dice.chance(0.88)) return document;
    const at = dice.below(document.length);
    const inserted = dice.pick([
      '{',
      '}',
      '...',
      '@include(if: $x)',
      '@zz',
      '$',
      '"""',
      '#',
      '\u0000',
      '…',
      'fragment',
      ...NASTY_TEXTS,
    ]);
    if (dice.chance(0.3)) return document.slice(0, at);
    return document.slice(0, at) + inserted.slice(0, 2_000) + document.slice(at + dice.below(3));
  }
}

/** The document and the operation that a request asks for, as the last of members of one name says. */
function askedIn(body: string, query: string): [query: string, operationName?: string] {
  const { query: sent, operationName } = (JSON.parse(body) ?? {}) as { query?: unknown; operationName?: unknown };
  return [typeof sent === 'string' ? sent : query, typeof operationName === 'string' ? operationName : undefined];
}

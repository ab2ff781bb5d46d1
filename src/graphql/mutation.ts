import type { InputRef, ShapeFromTypeParam, TypeParam } from '@pothos/core';
import type { z } from 'zod';
import { Fault, type Issue, invalid } from '../platform/fault.ts';
import { asRead, checkInput, type InputSchema, isRead, readInput } from '../platform/input.ts';
import { asFault } from '../platform/problem.ts';
import type { Scope } from '../platform/scopes.ts';
import { builder, type SchemaTypes } from './builder.ts';
import type { RequestContext } from './context.ts';
import { registerInput } from './input-schemas.ts';
import { fieldsOf, rawInputType } from './input-type.ts';
import { bigintKey, numberNamed, uuidNamed } from './node-id.ts';
import { lackingScope } from './selected-fields.ts';
import { type InputPlaces, type UserError, UserErrorRef, userErrorsOf } from './user-errors.ts';

/** The one way to declare a mutation: `xY` takes `input: XYInput!` and returns `XYPayload` with result or errors. */

/** An id in an input, and how it is read. */
export interface InputId<Id extends string | number> {
  readonly description: string;
  /** @throws Fault `validation_failed` */
  readonly read: (id: string, path: readonly string[]) => Id;
  /** The name of the id in issues of the service. */
  readonly knownAs: string;
}

type InputIds = Readonly<Record<string, InputId<string | number>>>;
type ReadIds<Ids> = { [Name in keyof Ids]: Ids[Name] extends InputId<infer Id> ? Id : never };

export function numberId(type: string, description: string): InputId<number> {
  return { description, read: (id, path) => numberNamed(type, id, path), knownAs: 'id' };
}

/** The id of a record that has a large number, which its service takes as a string. */
export function bigintId(type: string, description: string): InputId<string> {
  return { description, read: (id, path) => String(numberNamed(type, id, path, bigintKey)), knownAs: 'id' };
}

export function uuidId(type: string, description: string, knownAs = 'id'): InputId<string> {
  return { description, read: (id, path) => uuidNamed(type, id, path), knownAs };
}

/** A batch in an input: the service reads each item, so that a wrong item is rejected without the others. */
interface InputItems<Name extends string, Schema extends InputSchema> {
  readonly name: Name;
  readonly schema: Schema;
  readonly description: string;
}

/** The fields of a payload, each null where there are errors instead, unless the fault has it among its `results`. */
export type Results = Readonly<Record<string, { readonly type: TypeParam<SchemaTypes>; readonly description: string }>>;
type Payload<Of extends Results> = { [Name in keyof Of]: ShapeFromTypeParam<SchemaTypes, Of[Name]['type'], true> };

type Read<
  Ids,
  Fields extends InputSchema,
  Raw extends InputSchema,
  Name extends string,
  Item extends InputSchema,
> = ReadIds<Ids> & z.output<Fields> & z.input<Raw> & Readonly<Record<Name, readonly z.input<Item>[]>>;

interface MutationOptions<
  Ids extends InputIds,
  Fields extends InputSchema,
  Raw extends InputSchema,
  Name extends string,
  Item extends InputSchema,
  Of extends Results,
> {
  readonly description: string;
  readonly scope: Scope;
  /** The first id names the record that the mutation changes. */
  readonly ids?: Ids;
  /** Fields that are validated and transformed before the resolver runs. */
  readonly fields?: Fields;
  /** Fields that the service reads by their schema: it has further rules, and all errors are reported at once. */
  readonly rawFields?: Raw;
  readonly items?: InputItems<Name, Item>;
  readonly payload: Of;
  readonly complexity?: number;
  /** Its cost beside the response, if that differs from its `complexity`. */
  readonly work?: number | ((input: Readonly<Record<Name, readonly unknown[]>>) => number);
  readonly changesNothing?: true;
  readonly resolve: (
    input: Read<Ids, Fields, Raw, Name, Item>,
    context: RequestContext,
  ) => Promise<Payload<Of>> | Payload<Of>;
}

// biome-ignore lint/complexity/noBannedTypes: a mutation without ids, fields or items adds none
type None = {};

export function mutation<
  const Of extends Results,
  Ids extends InputIds = None,
  Fields extends InputSchema = z.ZodObject<None>,
  Raw extends InputSchema = z.ZodObject<None>,
  Name extends string = never,
  Item extends InputSchema = never,
>(field: string, options: MutationOptions<Ids, Fields, Raw, Name, Item, Of>): void {
  const { description, scope, complexity, work, changesNothing, resolve } = options;
  const typeName = `${field.charAt(0).toUpperCase()}${field.slice(1)}`;
  const input = inputRef(`${typeName}Input`, field, options);
  const payload = payloadRef(`${typeName}Payload`, field, options.payload);
  const read = reader(options);
  const places = placesOf(options);
  builder.mutationField(field, t =>
    t.field({
      type: payload,
      // The result of a mutation is not lost to an error of the next one.
      nullable: true,
      description,
      authScopes: { scope },
      ...(complexity !== undefined && { complexity }),
      extensions: {
        ...(work !== undefined && { work: typeof work === 'number' ? work : workOf(work) }),
        ...(changesNothing && { changesNothing }),
      },
      args: { input: t.arg({ type: input, required: true, description: 'The input.' }) },
      resolve: async (_root, args, context, info) => {
        const lacking = lackingScope(info, context.principal.scopes);
        // Otherwise the change would be stored, and its response lost to a field that the caller may not read.
        if (lacking) throw new Fault('insufficient_scope', { members: { requiredScope: lacking } });
        try {
          return { ...(await resolve(read(args.input as Sent) as never, context)), userErrors: [] } as PayloadValue;
        } catch (thrown) {
          const results = thrown instanceof Fault ? thrown.options.results : undefined;
          return { ...results, userErrors: userErrorsOf(thrown, context, places) };
        }
      },
    }),
  );
}

type Sent = Readonly<Record<string, unknown>>;
type PayloadValue = Sent & { readonly userErrors: readonly UserError[] };
type AnyOptions = Pick<
  MutationOptions<InputIds, InputSchema, InputSchema, string, InputSchema, Results>,
  'ids' | 'fields' | 'rawFields' | 'items'
>;

function inputRef(name: string, field: string, { ids = {}, fields, rawFields, items }: AnyOptions): InputRef<Sent> {
  const schema = fields ?? rawFields;
  if (schema) registerInput(name, schema);
  return builder.inputRef<Sent>(name).implement({
    description: schema?.meta()?.description ?? `What \`${field}\` takes.`,
    fields: t =>
      ({
        ...Object.fromEntries(
          Object.entries(ids).map(([id, { description }]) => [id, t.id({ required: true, description })]),
        ),
        ...(schema && fieldsOf(t, schema)),
        ...(items && {
          [items.name]: t.field({ type: [rawInputType(items.schema)], required: true, description: items.description }),
        }),
      }) as never,
  });
}

function payloadRef(name: string, field: string, results: Results) {
  return builder.objectRef<PayloadValue>(name).implement({
    description: `What \`${field}\` returns. If \`userErrors\` has an entry, nothing was changed, and all other fields are null but the counts of a rejected file.`,
    fields: t =>
      ({
        ...Object.fromEntries(
          Object.entries(results).map(([result, { type, description }]) => [
            result,
            t.expose(result, { type, nullable: true, description } as never),
          ]),
        ),
        userErrors: t.field({
          type: [UserErrorRef],
          description: 'Why nothing was changed. Empty if the mutation was carried out.',
          resolve: ({ userErrors }) => userErrors,
        }),
      }) as never,
  });
}

/**
 * Reads an input after the caller's right to send it was checked. The validation plugin, which reads the arguments of
 * queries, fails outside of the resolver, where errors can no longer be returned as `userErrors`.
 */
function reader({ ids = {}, fields, rawFields }: AnyOptions): (input: Sent) => Sent {
  const readers = Object.entries(ids);
  if (readers.length === 0) return fields ? input => readInput(fields, input) : input => input;
  const schema = fields ?? rawFields;
  return input => {
    const rest = isRead(input) ? asRead({ ...input }) : { ...input };
    const named: Record<string, string | number> = {};
    const wrong: Issue[] = [];
    for (const [name, { read }] of readers) {
      delete rest[name];
      try {
        named[name] = read(String(input[name]), [name]);
      } catch (thrown) {
        const { issues } = asFault(thrown).options;
        if (!issues) throw thrown;
        wrong.push(...issues);
      }
    }
    if (wrong.length > 0) throw invalid([...wrong, ...(schema ? checkInput(schema, rest).issues : [])]);
    return { ...(fields ? readInput(fields, rest) : rest), ...named };
  };
}

/** Maps the paths of the service's issues to places in the input. */
function placesOf({ ids = {}, items }: AnyOptions): InputPlaces {
  const [[subject, id] = []] = Object.entries(ids);
  if (items) return { subject, of: path => [items.name, ...path] };
  return { subject, of: path => (subject && path[0] === id?.knownAs ? [subject, ...path.slice(1)] : path) };
}

function workOf<Input>(work: (input: Input) => number): (args: { readonly input: Input }) => number {
  return ({ input }) => work(input);
}

import { z } from 'zod';

/** The kinds of settings, and how a setting is declared with its description. */

/** A type of settings, and its allowed values in words, for errors and the table. */
export interface Kind<Schema extends z.ZodType> {
  readonly schema: Schema;
  readonly allowed: string;
}

export interface About {
  readonly purpose: string;
  /** `api` and `worker` are roles of the service's processes, `commands` is the command line. */
  readonly usedBy: readonly ('api' | 'worker' | 'commands')[];
  /** The behaviour without a value, if the default does not state it. */
  readonly unset?: string;
  /** Its value may hold a password and is never printed. */
  readonly isSecret?: boolean;
}

/** The description of each setting beside its schema. */
export const ABOUT = z.registry<About & { readonly allowed: string }>();

export const SERVICE = ['api', 'worker'] as const;
export const EVERYWHERE = ['api', 'worker', 'commands'] as const;

export const wholeNumber = (min: number, max: number, allowed = `a whole number from ${min} to ${max}`) => ({
  schema: z.coerce.number().int().min(min).max(max),
  allowed,
});
export const daysOrNever = (min: number) => ({
  schema: z.coerce.number().pipe(z.union([z.literal(0), z.int().min(min).max(3650)])),
  allowed: `0, or a whole number from ${min} to 3650`,
});
export const text = (allowed: string, isAllowed: (value: string) => boolean = value => value !== '') => ({
  schema: z.string().refine(isAllowed),
  allowed,
});
export const oneOf = <const Values extends readonly [string, ...string[]]>(...values: Values) => ({
  schema: z.enum(values),
  allowed: `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`,
});
export const FLAG = {
  schema: z.enum(['true', 'false', '1', '0']).transform(value => value === 'true' || value === '1'),
  allowed: 'true or false',
};
export const url = (allowed: string, ...protocols: readonly string[]) =>
  text(allowed, value => URL.canParse(value) && protocols.includes(new URL(value).protocol));
export function withDefault<Schema extends z.ZodType>({ schema, allowed }: Kind<Schema>, value: unknown, about: About) {
  const setting = z._default(schema, value as z.util.NoUndefined<z.output<Schema>>);
  ABOUT.add(setting, { ...about, allowed });
  return setting;
}

export function optional<Schema extends z.ZodType>({ schema, allowed }: Kind<Schema>, about: About) {
  const setting = z.optional(schema);
  ABOUT.add(setting, { ...about, allowed });
  return setting;
}

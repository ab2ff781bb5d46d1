import type { z } from 'zod';
import type { Issue } from '../../platform/fault.ts';

/** Former names of inputs in the graph, which are accepted beside the new ones until a stated day. */

const GONE_FROM = '2027-06-01';

export const deprecationOf = (now: string) => `Use \`${now}\`; may be gone from ${GONE_FROM}.`;

/** A field under its former name. */
export function formerly<Schema extends z.ZodType>(schema: Schema, now: string): Schema {
  return schema.meta({ deprecationReason: deprecationOf(now) }) as Schema;
}

/** The issue of a value that is sent under both names, or under neither although it is required. */
export function namesIssues(sent: object, now: string, former: string, isRequired = false): Issue[] {
  const has = (name: string) => (sent as Readonly<Record<string, unknown>>)[name] != null;
  if (has(now) && has(former)) {
    return [{ path: [former], code: 'not_allowed', message: `is the former name of ${now}, which is given too` }];
  }
  if (!isRequired || has(now) || has(former)) return [];
  return [{ path: [now], code: 'required', message: 'must be given' }];
}

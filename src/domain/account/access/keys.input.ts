import { z } from 'zod';
import type { Issue } from '../../../platform/fault.ts';
import { MAX_RATE, type RateClass } from '../../../platform/limits/rates.ts';
import { ALL_SCOPES } from '../../../platform/scopes.ts';
import { enumOf, inputObject, integer, list, mustBe, named, patchObject, text } from '../../common/fields.input.ts';
import { dateTime } from '../../common/times.input.ts';
import { DEFAULT_OVERLAP_HOURS, MAX_OVERLAP_HOURS } from './key.rules.ts';

const MAX_SCOPES = 100;
const LABEL = 'What the key is for, 1–200 characters.';

const RATES = {
  reads: 'Reads in a minute.',
  quotes: 'Quotes and address checks in a minute.',
  writes: 'Writes in a minute.',
  cost: 'Units of cost in a minute.',
} satisfies Record<RateClass, string>;

const rate = (rateClass: RateClass) => integer(1, MAX_RATE).nullish().describe(RATES[rateClass]);

const apiKeyRatesInput = inputObject(
  'ApiKeyRatesInput',
  "Rates of a key to change. A rate that is left out stays as it is. Null stands for the service's own rate.",
  { reads: rate('reads'), quotes: rate('quotes'), writes: rate('writes'), cost: rate('cost') },
);

const newKey = {
  label: text().describe(LABEL),
  // Which scopes can be granted depends on the caller's key.
  scopes: list(named('ApiKeyScopeGrant', z.string(mustBe('a string'))), { max: MAX_SCOPES }).describe(
    `What the key may do: \`all\` that the asking key may, or some of ${ALL_SCOPES.join(', ')}.`,
  ),
  expiresAt: dateTime()
    .nullish()
    .describe(
      'When the key expires: no later than the key that makes the request. If left out, it expires at the same time as that key.',
    ),
};

const environment = enumOf('ApiKeyEnvironment', ['live', 'sandbox'])
  .nullish()
  .describe(
    'What the key opens: the company, or its sandbox, which is created with the first sandbox key. If left out, the same as the key that makes the request. A sandbox key creates only sandbox keys.',
  );

export const createApiKeyInput = inputObject('CreateApiKeyInput', 'A new API key.', { ...newKey, environment });

/** An operator may set rates of a key when it is issued. */
export const operatorKeyInput = z.object({ ...newKey, environment, rates: apiKeyRatesInput.nullish() });

export const updateApiKeyInput = patchObject(
  'UpdateApiKeyInput',
  'Changes of a key, at least one. A field that is left out stays as it is.',
  {
    label: text().describe(`${LABEL} Not null.`),
    rates: apiKeyRatesInput.nullable().describe("Its rates. Null for the service's own."),
  },
  (fields): readonly Issue[] => {
    const { label, rates } = fields;
    if (label !== undefined || rates == null || Object.values(rates).some(value => value !== undefined)) return [];
    return [{ path: [], code: 'empty', message: 'must have at least one field' }];
  },
);

/** How long a rotated key stays valid. */
const overlapHours = integer(0, MAX_OVERLAP_HOURS);
export const rotation = z.object({ overlapHours: overlapHours.optional() });

export const rotateApiKeyInput = inputObject(
  'RotateApiKeyInput',
  'Which key is replaced by a new one, and how long it still works.',
  {
    overlapHours: overlapHours
      .nullable()
      .transform(value => value ?? DEFAULT_OVERLAP_HOURS)
      .prefault(DEFAULT_OVERLAP_HOURS)
      .describe(`How long the old key still works, in hours, 0 to ${MAX_OVERLAP_HOURS}.`),
  },
);

type SentKey = z.input<typeof operatorKeyInput>;
export type KeyInput = Omit<SentKey, 'scopes'> & { readonly scopes: readonly string[] };
export type CheckedKeyInput = z.output<typeof operatorKeyInput>;
export type KeyPatch = z.output<typeof updateApiKeyInput>;

import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core';
import owasp from '@stoplight/spectral-owasp-ruleset';
import spectralRulesets from '@stoplight/spectral-rulesets';
import { expect, test } from 'vitest';
import openapi from '../../schema/openapi.json' with { type: 'json' };

/** Rules that can't apply, each with its reason. */
const OFF = {
  // The specification numbers warehouses; a number of another company's answers as one that never existed.
  'owasp:api1:2023-no-numeric-ids': 'off',
  // Only bounds that hold are stated. `input-bounds.slow.test.ts` compares the bounds of request bodies with the values
  // that the service accepts; responses state none, and are open, since fields and values may be added.
  'owasp:api3:2023-no-additionalProperties': 'off',
  'owasp:api3:2023-constrained-additionalProperties': 'off',
  'owasp:api4:2023-array-limit': 'off',
  'owasp:api4:2023-integer-format': 'off',
  'owasp:api4:2023-integer-limit': 'off',
  'owasp:api4:2023-integer-limit-legacy': 'off',
  'owasp:api4:2023-string-limit': 'off',
  'owasp:api4:2023-string-restricted': 'off',
} as const;

test('Spectral’s rules for OpenAPI and OWASP find nothing in the contract', async () => {
  const spectral = new spectralCore.Spectral();
  spectral.setRuleset({ extends: [spectralRulesets.oas, owasp] as unknown as RulesetDefinition[], rules: OFF });
  const found = await spectral.run(openapi);
  expect(found.map(({ code, path, message }) => `${code} ${path.join('/')}: ${message}`)).toEqual([]);
});

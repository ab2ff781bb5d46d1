import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CARRIER_CODES,
  CARRIERS,
  type Carrier,
  carrierByCode,
  trackingPageOf,
} from '../../src/domain/shipping/carriers/carriers.catalog.ts';

const carriers: readonly Carrier[] = CARRIERS;

describe('The catalogue of carriers', () => {
  it('gives every carrier a code of its own', () => {
    expect(new Set(CARRIER_CODES).size).toBe(carriers.length);
    for (const code of CARRIER_CODES) expect(code).toMatch(/^[A-Z]+$/);
  });

  it.each(carriers.map(carrier => [carrier.code, carrier] as const))(
    'has consistent properties for %s',
    (_, carrier) => {
      expect(new Set(carrier.capabilities).size).toBe(carrier.capabilities.length);
      expect(carrier.capabilities).toContain('quote');
      expect(carrier.capabilities.includes('address_check')).toBe(carrier.verificationType !== 'none');
      expect(carrier.capabilities.includes('tracking')).toBe(carrier.statusTable !== null);
      expect(carrier.countryScope === 'any').toBe(carrier.verificationType === 'none');
    },
  );

  it.each(carriers.map(carrier => [carrier.code, carrier.colour] as const))(
    'has a readable badge for %s',
    (_, colour) => {
      expect(contrast(colour.background, colour.foreground)).toBeGreaterThanOrEqual(4.5);
    },
  );

  it('distinguishes carriers by the background of their badge', () => {
    expect(new Set(carriers.map(carrier => carrier.colour.background)).size).toBe(carriers.length);
  });
});

describe('The public page of a shipment', () => {
  it.each(carriers.map(carrier => [carrier.code, carrier] as const))(
    'with %s has its number in the address once',
    (_, carrier) => {
      const page = trackingPageOf(carrier, 'A/B 1&2?');
      expect(page === null).toBe(carrier.code === 'FERCAM');
      if (page === null) return;
      expect(page.split('A%2FB%201%262%3F')).toHaveLength(2);
      expect(page).not.toMatch(/[{}]/);
      expect(new URL(page)).toMatchObject({ protocol: 'https:', href: page });
    },
  );
});

describe('carrierByCode', () => {
  it('accepts a code in any case and with spaces around', () => {
    const spaces = fc.string({ unit: fc.constantFrom(' ', '\t'), maxLength: 3 });
    fc.assert(
      fc.property(
        fc.constantFrom(...CARRIER_CODES),
        fc.array(fc.boolean()),
        spaces,
        spaces,
        (code, upper, before, after) => {
          const typed = [...code].map((letter, at) => (upper[at] ? letter : letter.toLowerCase())).join('');
          expect(carrierByCode(before + typed + after)?.code).toBe(code);
        },
      ),
    );
  });

  it.each(['', ' ', 'NEXIVE', 'BRT1', 'B RT', 'DHL Express', '__proto__', 'constructor'])('does not know %j', code => {
    expect(carrierByCode(code)).toBeUndefined();
  });
});

/** Contrast of two `#rrggbb` colours, 1 to 21, as WCAG 2.2 defines it. */
function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  expect(colour).toMatch(/^#[0-9a-f]{6}$/);
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map(at => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map(part => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

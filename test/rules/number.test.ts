import fc from 'fast-check';
import { expect, test } from 'vitest';
import { trackingKey } from '../../src/domain/common/number.rules.ts';

test.each([
  ['084007001', '084007001'],
  ['MUL084007001', '084007001'],
  ['mul 084.007.001', '084007001'],
  ['M.u L084007001', '084007001'],
  ['jjd0.1', 'JJD01'],
  [' 1 2\t3\u00a04\u2009 ', '1234'],
  ['1Z-999-AA', '1Z-999-AA'],
  ['084MUL007', '084MUL007'],
  ['MULMUL7', 'MUL7'],
  ['multi5', 'TI5'],
  ['0', '0'],
  ['è1', 'È1'],
  ['e\u03001', 'È1'],
  ['\u200bA\u00ad1\ufeff\u202a2\u2060', 'A12'],
])('The number %j is compared as %s', (number, key) => {
  expect(trackingKey(number)).toBe(key);
});

test.each(['MUL', 'mul', '...', '. .', 'm.u.l'])(
  'The number %j, which would become empty, is still equal to itself',
  number => {
    expect(trackingKey(number)).not.toBe('');
    expect(trackingKey(number)).toBe(trackingKey(number.toUpperCase()));
  },
);

/** Numbers as carriers print them. */
const number = fc.stringMatching(/^[A-Za-z0-9/-]{1,30}$/).filter(text => !/^mul/i.test(text));

test('Spaces, dots, case and a leading MUL do not affect the comparison of numbers', () => {
  const noise = fc.constantFrom('', ' ', '.', '. ', '\u00a0');
  const written = number.chain(text =>
    fc.record({
      text: fc.constant(text),
      noises: fc.array(noise, { minLength: text.length + 4, maxLength: text.length + 4 }),
      upper: fc.array(fc.boolean(), { minLength: text.length, maxLength: text.length }),
      mul: fc.constantFrom('', 'MUL', 'mul', 'Mul'),
    }),
  );
  fc.assert(
    fc.property(written, ({ text, noises, upper, mul }) => {
      const letters = [...text].map((letter, i) => (upper[i] ? letter.toUpperCase() : letter.toLowerCase()));
      const noisy = [...mul, ...letters].map((letter, i) => letter + noises[i]).join('');
      expect(trackingKey(noisy)).toBe(trackingKey(text));
    }),
  );
});

test('The remaining characters of a number are compared', () => {
  fc.assert(
    fc.property(number, number, (one, other) => {
      expect(trackingKey(one) === trackingKey(other)).toBe(one.toUpperCase() === other.toUpperCase());
    }),
  );
});

test('Any text has a key, which is never empty and holds no space or dot beside a letter', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), text => {
      const key = trackingKey(text);
      expect(key).not.toBe('');
      if (/[\p{L}\p{N}]/u.test(key) && !/^[\s.]*M[\s.]*U[\s.]*L[\s.]*$/.test(key)) expect(key).not.toMatch(/[\s.]/u);
    }),
  );
});

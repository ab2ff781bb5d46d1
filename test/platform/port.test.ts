import { expect, test } from 'vitest';
import { Port } from '../../src/platform/port.ts';

test('A port calls the function that was provided last', () => {
  const port = new Port<[left: number, right: number], number>('sum');
  port.provide((left, right) => left - right);
  port.provide((left, right) => left + right);
  expect(port.call(2, 3)).toBe(5);
});

test('A port that nothing was provided for says which call is missing', () => {
  const port = new Port<[], void>('sum');
  expect(() => port.call()).toThrow('"sum" is not provided: connectFeatures() was not called');
});

import type { Dice } from './dice.ts';

/** Texts that programs have tripped over. */
export const NASTY_TEXTS: readonly string[] = [
  ...['', ' ', '\t\n', '0', '-1', 'null', 'undefined', 'true', 'NaN', '1e309', '[]', '{}', '__proto__', 'constructor'],
  ...['\u0000', 'a\u0000b', '\ud800', 'x\udfff', '\u202e\u200b\ufeff', '🏭'.repeat(70), 'è'.repeat(201), 'ﬁ', 'İ', 'ß'],
  ...["'; drop table warehouse; --", '$1', '%s%n', '%00', '../../etc/passwd', '\\', '"', '`', '#{7*7}', '{{7*7}}'],
  ...[
    '2026-02-30',
    '2026-13-01T00:00:00Z',
    '+275760-09-13T00:00:00.001Z',
    '0000-01-01T00:00:00Z',
    '2026-11-21T25:00:00Z',
  ],
  ...['1970-01-01', 'infinity', '-infinity', 'now', '24:00', '9'.repeat(40), '0.1e-400', '1e131072', '-0', '٣', '0x10'],
  ...[
    'http://',
    'https://[::1',
    'https://user:pw@127.0.0.1/',
    'file:///etc/passwd',
    'https://127.0.0.1:99999/',
    'IT',
    'XX',
  ],
  ...['sk_live_', 'sk_test_', 'whsec_', 'tracking.*', 'MUL', 'mul . . .', 'a'.repeat(2_049), 'b'.repeat(70_000)],
];

export const NASTY_NUMBERS: readonly number[] = [
  ...[0, -0, 1, -1, 0.1, -0.5, 1.005, 1e-7, 1e21, 1e308, 5e-324, 2 ** 31 - 1, 2 ** 31, -(2 ** 31), -(2 ** 31) - 1],
  ...[2 ** 32, 2 ** 53 - 1, 2 ** 53, -(2 ** 53), 32_767, 32_768, 65_536, 100_000_000, 99_999.995],
];

/** Any JSON value; seldom a deep or a large one. */
export function nastyValue(dice: Dice, depth = 3): unknown {
  const kind = dice.below(depth > 0 ? 9 : 5);
  if (kind === 0) return null;
  if (kind === 1) return dice.chance(0.5);
  if (kind === 2) return dice.pick(NASTY_NUMBERS);
  if (kind < 5) return dice.pick(NASTY_TEXTS);
  if (kind < 7) return Array.from({ length: dice.below(4) }, () => nastyValue(dice, depth - 1));
  if (kind === 7 && dice.chance(0.1)) return nestedLists(20 + dice.below(1_200));
  return Object.fromEntries(
    Array.from({ length: dice.below(4) }, () => [dice.pick(NASTY_TEXTS).slice(0, 100), nastyValue(dice, depth - 1)]),
  );
}

function nestedLists(depth: number): unknown {
  let value: unknown = [];
  for (let i = 0; i < depth; i++) value = [value];
  return value;
}

/** A copy of a value with an error in it; the given value stays unchanged. */
export function mutated(value: unknown, dice: Dice): unknown {
  if (dice.chance(0.15)) return nastyValue(dice);
  if (Array.isArray(value)) {
    const at = dice.below(value.length + 1);
    if (dice.chance(0.3)) return [...value, ...value, nastyValue(dice)];
    if (dice.chance(0.02)) return Array.from({ length: 1_500 }, () => value[0]);
    return value.map((one, i) => (i === at ? mutated(one, dice) : one));
  }
  if (typeof value !== 'object' || value === null) return nastyValue(dice);
  const entries = Object.entries(value);
  const chosen = dice.below(entries.length);
  const how = dice.next();
  if (how < 0.15) return Object.fromEntries(entries.filter((_, i) => i !== chosen));
  if (how < 0.3) return { ...value, [dice.pick(NASTY_TEXTS).slice(0, 60)]: nastyValue(dice) };
  return Object.fromEntries(entries.map(([name, one], i) => [name, i === chosen ? mutated(one, dice) : one]));
}

/** JSON in which an object has one of its members twice, the first time with another value. */
export function withDuplicate(json: string, dice: Dice): string {
  const members = [...json.matchAll(/(?<=[{,])"(?:[^"\\]|\\.)*":/g)];
  if (members.length === 0) return json;
  const { 0: member, index } = dice.pick(members);
  return `${json.slice(0, index)}${member}${JSON.stringify(nastyValue(dice)) ?? 'null'},${json.slice(index)}`;
}

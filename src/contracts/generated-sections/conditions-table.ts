import { CONDITION_KINDS } from '../../domain/tariffs/conditions/condition-kinds.rules.ts';
import { MEASURE_NAMES, MEASURES } from '../../domain/tariffs/conditions/measures.rules.ts';
import { table } from './markdown.ts';

/** The tests of a condition. */
export function conditions(): string {
  const rows = CONDITION_KINDS.map(({ guide: [fields, holdsWhen] }) => [fields, holdsWhen]);
  const groups = [
    ['`allOf`', 'each of these conditions holds'],
    ['`anyOf`', 'at least one of these conditions holds'],
    ['`noneOf`', 'none of these conditions holds'],
  ];
  return table(['Field', 'Holds when'], [...rows, ...groups]);
}

/** The measures of a shipment. */
export function measures(): string {
  const rows = MEASURE_NAMES.map(name => [`\`${name}\``, MEASURES[name].what, String(MEASURES[name].decimals)]);
  return table(['Measure', 'What it is', 'Decimals'], rows);
}

import type { Command } from 'commander';
import { CliCommand } from './cli-command.ts';

/** Names that services give to values, and the names of their options. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  apiKeyId: 'key',
  carrierCode: 'carrier',
  companyId: 'company',
  endpointId: 'endpoint',
  statusCodes: 'statuses',
};

/** The name of a path on the command line; the path itself if no option of the command sets it. */
export function optionNamed(path: readonly PropertyKey[], command: Command): string {
  const [first = '', ...rest] = path.map(String);
  const places = command instanceof CliCommand ? command.places : [];
  const fitting = places
    .filter(({ place }) => place.every((step, i) => String(step) === String(path[i])))
    .toSorted((a, b) => b.place.length - a.place.length);
  const below = (steps: readonly string[]) => (steps.length === 0 ? '' : ` ${steps.join('/')}`);
  const [best] = fitting;
  if (best) return `${best.shown}${below(path.slice(best.place.length).map(String))}`;
  const names = [first, OTHER_NAMES[first]];
  const option = command.options.find(one => !one.negate && names.includes(one.attributeName()))?.long;
  return option ? `${option}${below(rest)}` : path.join('/');
}

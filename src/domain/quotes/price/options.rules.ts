import type { CompiledTariff, CompiledVersion } from '../../tariffs/compile/compiled-tariff.rules.ts';
import { pricing } from '../explanation/explanation.rules.ts';
import { versionAt } from './quote.rules.ts';

/** An option that a tariff offers, for callers who request quotes. */
export interface OfferedOption {
  readonly code: string;
  readonly description: string;
  readonly pricing: string;
  readonly calculated: boolean;
  readonly isConditional: boolean;
}

/** The options of the version in force on a day, by code. */
export function offeredOptions(tariff: CompiledTariff | null, date: string): OfferedOption[] {
  const version = tariff ? versionAt(tariff.versions, date) : undefined;
  return version ? optionsOf(version) : [];
}

function optionsOf(version: CompiledVersion): OfferedOption[] {
  const options = version.lines.filter(({ component }) => component === 'options');
  return options.map(line => ({
    code: line.code,
    description: line.description,
    pricing: pricing(line, version),
    calculated: line.calculated,
    isConditional: line.condition !== undefined,
  }));
}

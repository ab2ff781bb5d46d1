import { chargePricing } from '../charges/charge.rules.ts';
import type { CompiledTariff, CompiledVersion } from '../compile/compiled-tariff.rules.ts';
import type { Words } from '../explanation-words.rules.ts';
import { servicesAt, versionAt } from './quote.rules.ts';

/** An option that a tariff offers, for callers who request quotes. */
export interface OfferedOption {
  readonly code: string;
  readonly description: string;
  /** How it is priced, in words. */
  readonly pricing: (words: Words) => string;
  readonly calculated: boolean;
  readonly isConditional: boolean;
}

/** A service of a contract, for callers who request quotes. */
export interface OfferedServiceLevel {
  readonly code: string;
  readonly name: string;
  readonly deliveryDays: number | null;
  readonly isConditional: boolean;
}

/** The services of the version in force on a day, in their order. */
export function offeredServices(tariff: CompiledTariff | null, date: string): OfferedServiceLevel[] {
  return servicesAt(tariff?.versions ?? [], date).flatMap(({ service }) => {
    if (service === undefined) return [];
    const { code, name, deliveryDays, condition } = service;
    return [{ code, name, deliveryDays, isConditional: condition !== undefined }];
  });
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
    pricing: words => chargePricing(line.charge, { version, words }),
    calculated: line.calculated,
    isConditional: line.condition !== undefined,
  }));
}

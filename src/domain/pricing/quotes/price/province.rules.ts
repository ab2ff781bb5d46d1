import { areaOf } from '../../tariffs/areas/area.rules.ts';
import type { CompiledTariff, CompiledVersion } from '../../tariffs/compile/compiled-tariff.rules.ts';
import { price } from '../../tariffs/engine/quote.rules.ts';
import type { Exclusion } from '../../tariffs/exclusion.rules.ts';
import type { Price } from '../../tariffs/price.rules.ts';
import type { Shipment } from '../../tariffs/shipment-terms.rules.ts';
import type { Destinations } from './shipment.rules.ts';

/**
 * Prices of shipments with an uncertain province: several can share a CAP, and the city does not always decide. A
 * result is valid if it is equal in each possible province.
 */

type Path = Exclusion['rule'];

/** The result for a shipment by a version of a tariff. */
interface Found {
  readonly ok: true;
  readonly version: CompiledVersion;
}

/** The price of a shipment if it is equal in all of the provinces, otherwise `PROVINCE_NEEDED`. */
export function priceIn(tariff: CompiledTariff, shipment: Shipment, destinations: Destinations): Price | Exclusion {
  return sameIn(destinations, shipment, at => price(tariff, at), differingRule);
}

/**
 * The result for a shipment in all possible provinces. If none has a result, the province would not help, and the
 * reason is the one of the first province.
 *
 * @param shipment to the first of the destinations
 * @param differing the rule by which two results differ; undefined if they are equal
 */
export function sameIn<Result extends Found>(
  destinations: Destinations,
  shipment: Shipment,
  resultAt: (shipment: Shipment) => Result | Exclusion,
  differing: (one: Result, other: Result) => Path | undefined,
): Result | Exclusion {
  if (destinations.length === 1) return resultAt(shipment);
  const results = destinations.map(destination => resultAt({ ...shipment, destination }));
  const first = results[0] as Result | Exclusion;
  if (!results.some(({ ok }) => ok)) return first;
  for (const result of results) {
    const rule = !first.ok ? first.rule : result.ok ? differing(first, result) : result.rule;
    if (rule !== undefined) return provinceNeeded(destinations, first.version, rule);
  }
  return first;
}

function provinceNeeded(destinations: Destinations, version: Exclusion['version'], rule: Path): Exclusion {
  const provinces = destinations.map(({ province }) => province ?? '');
  const reason = { is: 'province', postalCode: destinations[0].postalCode, provinces } as const;
  return { ok: false, code: 'PROVINCE_NEEDED', version, rule, reason };
}

function differingRule(one: Price, other: Price): Path | undefined {
  const { version } = one;
  const within = (path: Path) => ['versions', version.index, ...path];
  if (one.version !== other.version) return within(['services']);
  if (one.zone !== other.zone) return within(['zones']);
  const isAsHeavy = one.volumetricGrams === other.volumetricGrams && one.chargeableGrams === other.chargeableGrams;
  if (!isAsHeavy) return within(['weight']);
  const line = version.lines.find((_, position) => one.amounts[position] !== other.amounts[position]);
  if (line !== undefined) return within(line.path);
  const [vat, otherVat] = [one, other].map(({ vatRule }) => version.vat[areaOf(version.vatTable, vatRule)]);
  return vat?.ppm === otherVat?.ppm && vat?.note === otherVat?.note ? undefined : within(['vat']);
}

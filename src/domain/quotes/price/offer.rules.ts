import type { CompiledLine, CompiledService, CompiledVersion } from '../../tariffs/compile/compiled-tariff.rules.ts';
import { holds } from '../../tariffs/conditions/condition.rules.ts';
import { girthOf } from '../../tariffs/conditions/parcel-condition.rules.ts';
import type { Situation } from '../../tariffs/conditions/situation.rules.ts';
import { type Exclusion, excluded, type Shipment } from '../quote-terms.rules.ts';

/** Checks whether a version carries a shipment, and offers the requested services. */

/** The reason why a shipment is too heavy or too large. */
export function checkLimits(version: CompiledVersion, shipment: Shipment): Exclusion | undefined {
  const { limits } = version;
  const { heaviestGrams, grams, longestSide, sumOfSides, parcelCount } = shipment;
  if (heaviestGrams > limits.parcelGrams) {
    const reason = { is: 'parcel_weight', grams: heaviestGrams, limit: limits.parcelGrams } as const;
    return excluded(version, 'WEIGHT_OUT_OF_RANGE', ['limits', 'parcelKg'], reason);
  }
  if (grams > limits.shipmentGrams) {
    const reason = { is: 'shipment_weight', grams, limit: limits.shipmentGrams } as const;
    return excluded(version, 'WEIGHT_OUT_OF_RANGE', ['limits', 'shipmentKg'], reason);
  }
  if (longestSide > limits.longestSide) {
    const reason = { is: 'longest_side', side: longestSide, limit: limits.longestSide } as const;
    return excluded(version, 'DIMENSIONS_OUT_OF_RANGE', ['limits', 'longestSideCm'], reason);
  }
  if (sumOfSides > limits.sumOfSides) {
    const reason = { is: 'sum_of_sides', side: sumOfSides, limit: limits.sumOfSides } as const;
    return excluded(version, 'DIMENSIONS_OUT_OF_RANGE', ['limits', 'sumOfSidesCm'], reason);
  }
  if (limits.girth !== Number.POSITIVE_INFINITY) {
    const girth = Math.max(...shipment.parcels.map(girthOf));
    const reason = { is: 'girth', side: girth, limit: limits.girth } as const;
    if (girth > limits.girth) return excluded(version, 'DIMENSIONS_OUT_OF_RANGE', ['limits', 'girthCm'], reason);
  }
  if (parcelCount > limits.parcels) {
    const reason = { is: 'parcel_count', count: parcelCount, limit: limits.parcels } as const;
    return excluded(version, 'DIMENSIONS_OUT_OF_RANGE', ['limits', 'parcels'], reason);
  }
  return undefined;
}

/** Checks whether the service, cash on delivery, insurance and every requested option are offered for this shipment. */
export function checkServices(version: CompiledVersion, situation: Situation): Exclusion | undefined {
  const { codCents, insuredCents, options } = situation.shipment;
  const { cod, insurance, optionPositions, lines, service } = version;
  if (service !== undefined && !holds(service.condition, situation)) {
    const reason = { is: 'service_not_offered', service: service.name } as const;
    return excluded(version, 'OPTION_NOT_SUPPORTED', ['services', service.index, 'when'], reason);
  }
  if (codCents > 0 && cod.maximum < 0) return excluded(version, 'COD_NOT_SUPPORTED', ['cod'], { is: 'no_cod' });
  if (codCents > 0 && codCents > cod.maximum) {
    const reason = { is: 'cod_amount', cents: codCents, limit: cod.maximum } as const;
    return excluded(version, 'COD_NOT_SUPPORTED', cod.maximumPath, reason);
  }
  if (codCents > 0 && !isOffered(cod, version, situation)) {
    return excluded(version, 'COD_NOT_SUPPORTED', ['cod'], { is: 'cod_not_offered' });
  }
  if (insuredCents > 0 && insurance.maximum < 0) {
    return excluded(version, 'INSURANCE_NOT_SUPPORTED', ['insurance'], { is: 'no_insurance' });
  }
  if (insuredCents > 0 && insuredCents > insurance.maximum) {
    const reason = { is: 'insured_value', cents: insuredCents, limit: insurance.maximum } as const;
    return excluded(version, 'INSURANCE_NOT_SUPPORTED', insurance.maximumPath, reason);
  }
  if (insuredCents > 0 && !isOffered(insurance, version, situation)) {
    return excluded(version, 'INSURANCE_NOT_SUPPORTED', ['insurance'], { is: 'insurance_not_offered' });
  }
  for (const option of options) {
    const line = lines[optionPositions.get(option) ?? -1];
    if (line === undefined) {
      const reason = { is: 'unknown_option', option, offered: [...optionPositions.keys()] } as const;
      return excluded(version, 'OPTION_NOT_SUPPORTED', ['options'], reason);
    }
    if (!holds(line.condition, situation)) {
      return excluded(version, 'OPTION_NOT_SUPPORTED', [...line.path, 'when'], { is: 'option_not_offered', option });
    }
  }
  return undefined;
}

/** Whether one of a service's lines holds. */
function isOffered({ positions }: CompiledService, { lines }: CompiledVersion, situation: Situation): boolean {
  return positions.length === 0 || positions.some(position => holds(lines[position]?.condition, situation));
}

export function isAsked({ component, code }: CompiledLine, { codCents, insuredCents, options }: Shipment): boolean {
  if (component === 'cod') return codCents > 0;
  if (component === 'insurance') return insuredCents > 0;
  return component !== 'options' || options.includes(code);
}

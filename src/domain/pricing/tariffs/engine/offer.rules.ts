import type { CompiledLine, CompiledService, CompiledVersion } from '../compile/compiled-tariff.rules.ts';
import { holds } from '../conditions/condition.rules.ts';
import { type Exclusion, excluded } from '../exclusion.rules.ts';
import type { Shipment, Situation } from '../shipment-terms.rules.ts';

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

type ExclusionCode =
  | 'DESTINATION_NOT_SERVED'
  | 'WEIGHT_OUT_OF_RANGE'
  | 'DIMENSIONS_OUT_OF_RANGE'
  | 'COD_NOT_SUPPORTED'
  | 'INSURANCE_NOT_SUPPORTED'
  | 'OPTION_NOT_SUPPORTED'
  | 'PROVINCE_NEEDED'
  | 'NO_TARIFF_IN_FORCE';

/** The version of a tariff, whose other data exclusions do not need. */
export interface ExcludingVersion {
  /** Position in the tariff. */
  readonly index: number;
  readonly label: string;
}

/** Why a tariff does not apply: the rule, and the reason. */
export interface Exclusion {
  readonly ok: false;
  readonly code: ExclusionCode;
  /** Path of the rule in the tariff. */
  readonly rule: readonly (string | number)[];
  readonly version: ExcludingVersion | undefined;
  readonly reason: ExclusionReason;
}

export const NO_TARIFF: Exclusion = {
  ok: false,
  code: 'NO_TARIFF_IN_FORCE',
  rule: [],
  version: undefined,
  reason: { is: 'no_tariff' },
};

/** The reasons of exclusions, which `exclusionMessage` turns into sentences. */
export type ExclusionReason =
  | { readonly is: 'no_tariff' | 'not_in_force' | 'no_zone' | 'too_dear' | 'no_cod' | 'no_insurance' }
  | { readonly is: 'only_pallets' }
  | { readonly is: 'cod_not_offered' | 'insurance_not_offered' }
  | { readonly is: 'origin'; readonly country: string }
  | { readonly is: 'not_served'; readonly why: string }
  | { readonly is: 'province'; readonly postalCode: string; readonly provinces: readonly string[] }
  | { readonly is: 'parcel_weight' | 'shipment_weight' | 'last_band'; readonly grams: number; readonly limit: number }
  | { readonly is: 'longest_side' | 'sum_of_sides' | 'girth'; readonly side: number; readonly limit: number }
  | { readonly is: 'parcel_count' | 'pallet_count'; readonly count: number; readonly limit: number }
  | { readonly is: 'cod_amount' | 'insured_value'; readonly cents: number; readonly limit: number }
  | { readonly is: 'unknown_option'; readonly option: string; readonly offered: readonly string[] }
  | { readonly is: 'option_not_offered'; readonly option: string }
  | { readonly is: 'unknown_service'; readonly service: string; readonly offered: readonly string[] }
  | { readonly is: 'service_not_offered'; readonly service: string };

/** An exclusion with the rule's path in the document. */
export function excluded(
  version: ExcludingVersion | undefined,
  code: ExclusionCode,
  rule: readonly (string | number)[],
  reason: ExclusionReason,
): Exclusion {
  return {
    ok: false,
    code,
    version,
    rule: version === undefined ? rule : ['versions', version.index, ...rule],
    reason,
  };
}

export type WarningCode = ExclusionCode | 'NO_CARRIERS_CONNECTED' | 'NO_CARRIER_AVAILABLE';

/**
 * The reason that all connections with a tariff in force share, or the reason that they share none. Connections without
 * a tariff in force show nothing about the shipment, so they count only if no connection has one.
 */
export function warningCode(codes: readonly ExclusionCode[]): WarningCode {
  const inForce = codes.filter(code => code !== 'NO_TARIFF_IN_FORCE');
  const [first, ...others] = new Set<WarningCode>(inForce.length > 0 ? inForce : codes);
  if (first === undefined) return 'NO_CARRIERS_CONNECTED';
  return others.length === 0 ? first : 'NO_CARRIER_AVAILABLE';
}

import type { AddressFinding, AskedAddress, KnownAddress } from '../carriers/carrier.port.ts';
import type { Carrier, CarrierCode, CountryScope, VerificationType } from '../carriers/carriers.catalog.ts';
import { sameAddress } from './compare.rules.ts';

export type AddressCheckStatus = 'success' | 'warning' | 'error' | 'skipped' | 'unsupported';

export type AddressCheckCode =
  | 'ADDRESS_VALID'
  | 'ADDRESS_NORMALIZED'
  | 'ADDRESS_NOT_FOUND'
  | 'ADDRESS_INVALID'
  | 'VERIFICATION_SKIPPED_FOREIGN'
  | 'VERIFICATION_SKIPPED_UNSUPPORTED'
  | 'VERIFICATION_ERROR'
  | 'CARRIER_UNAVAILABLE';

/** An address as a carrier has it: in place of the one asked about, or the same with how long a parcel takes there. */
export type Suggestion = KnownAddress;

export interface AddressCheckResult {
  readonly status: AddressCheckStatus;
  readonly code: AddressCheckCode;
  /** In Italian. */
  readonly message: string;
  readonly carrierCode: CarrierCode;
  readonly carrierName: string;
  readonly verificationType: VerificationType;
  readonly countryScope: CountryScope;
  readonly suggestions: readonly Suggestion[];
}

/** A list that nobody reads to its end helps nobody. */
const MAX_SUGGESTIONS = 20;

interface Outcome {
  readonly status: AddressCheckStatus;
  /** `{c}` is the carrier's commercial name. */
  readonly message: string;
}

export const OUTCOMES: Readonly<Record<AddressCheckCode, Outcome>> = {
  ADDRESS_VALID: { status: 'success', message: 'Indirizzo verificato correttamente da {c}.' },
  ADDRESS_NORMALIZED: { status: 'warning', message: "{c} suggerisce una correzione dell'indirizzo." },
  ADDRESS_NOT_FOUND: { status: 'warning', message: 'Indirizzo non trovato da {c}.' },
  ADDRESS_INVALID: { status: 'error', message: 'Indirizzo non valido secondo {c}.' },
  VERIFICATION_SKIPPED_FOREIGN: {
    status: 'skipped',
    message: 'Verifica non eseguita: {c} verifica solo indirizzi italiani.',
  },
  VERIFICATION_SKIPPED_UNSUPPORTED: { status: 'unsupported', message: '{c} non offre la verifica degli indirizzi.' },
  VERIFICATION_ERROR: { status: 'error', message: 'Errore durante la verifica con {c}.' },
  CARRIER_UNAVAILABLE: { status: 'skipped', message: '{c} non è al momento raggiungibile: verifica non eseguita.' },
};

/** Why a carrier is not asked about an address in that country (alpha-2, upper-case); null where it is. */
export function skippedBefore(carrier: Carrier, country: string): AddressCheckCode | null {
  if (carrier.verificationType === 'none') return 'VERIFICATION_SKIPPED_UNSUPPORTED';
  if (carrier.countryScope === 'domestic_it' && country !== 'IT') return 'VERIFICATION_SKIPPED_FOREIGN';
  return null;
}

export function resultOf(
  carrier: Carrier,
  code: AddressCheckCode,
  suggestions: readonly Suggestion[] = [],
): AddressCheckResult {
  const { status, message } = OUTCOMES[code];
  return {
    status,
    code,
    message: message.replace('{c}', () => carrier.name),
    carrierCode: carrier.code,
    carrierName: carrier.name,
    verificationType: carrier.verificationType,
    countryScope: carrier.countryScope,
    suggestions,
  };
}

/** What a carrier's finding means for the address it was asked about. A valid one always has exactly one suggestion. */
export function judge(carrier: Carrier, asked: AskedAddress, finding: AddressFinding): AddressCheckResult {
  switch (finding.kind) {
    case 'confirmed':
      return resultOf(carrier, 'ADDRESS_VALID', [suggestionOf(finding.address)]);
    case 'candidates':
      return judgeCandidates(carrier, asked, suggestionsOf(finding.addresses));
    case 'corrected':
      return normalized(carrier, suggestionsOf(finding.addresses));
    case 'not_found':
      return resultOf(carrier, 'ADDRESS_NOT_FOUND');
    case 'invalid':
      return resultOf(carrier, 'ADDRESS_INVALID');
    case 'refused':
    case 'unreadable':
      return resultOf(carrier, 'VERIFICATION_ERROR');
    case 'unavailable':
      return resultOf(carrier, 'CARRIER_UNAVAILABLE');
  }
}

function judgeCandidates(carrier: Carrier, asked: AskedAddress, candidates: readonly Suggestion[]): AddressCheckResult {
  // Several streets mean that the registry is not sure; postal databases list every place that has the postal code.
  const mayChoose = carrier.verificationType !== 'street_registry' || candidates.length === 1;
  const same = mayChoose ? candidates.find(candidate => isSame(carrier, asked, candidate)) : undefined;
  if (same !== undefined) return resultOf(carrier, 'ADDRESS_VALID', [same]);
  return normalized(carrier, candidates);
}

/** A registry of streets that names none has not found the one asked about. */
function isSame({ verificationType }: Carrier, asked: AskedAddress, candidate: Suggestion): boolean {
  return (candidate.streetLine1 !== null || verificationType !== 'street_registry') && sameAddress(asked, candidate);
}

function normalized(carrier: Carrier, suggestions: readonly Suggestion[]): AddressCheckResult {
  if (suggestions.length === 0) return resultOf(carrier, 'ADDRESS_NOT_FOUND');
  return resultOf(carrier, 'ADDRESS_NORMALIZED', suggestions.slice(0, MAX_SUGGESTIONS));
}

/** Each once, without those that name no place at all. */
function suggestionsOf(addresses: readonly KnownAddress[]): Suggestion[] {
  const named = addresses
    .filter(({ streetLine1, streetLine2, city, zip }) => (streetLine1 ?? streetLine2 ?? city ?? zip) !== null)
    .map(suggestionOf);
  return [...new Map(named.map(suggestion => [JSON.stringify(suggestion), suggestion])).values()];
}

/** The seven fields in the order in which they are shown, and nothing else that an adapter may have put there. */
function suggestionOf(address: KnownAddress): Suggestion {
  const { streetLine1, streetLine2, city, zip, province, country, transitTimeHours } = address;
  return { streetLine1, streetLine2, city, zip, province, country, transitTimeHours };
}

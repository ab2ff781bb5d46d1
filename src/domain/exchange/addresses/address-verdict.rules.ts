import { cityCanHaveCap, isGenericFor } from '../../common/places/city-caps.rules.ts';
import { provinceCode } from '../../common/places/italy.rules.ts';
import type { AddressFinding, AskedAddress, KnownAddress } from '../../shipping/carriers/carrier.port.ts';
import type {
  Carrier,
  CarrierCode,
  ComparedPart,
  CountryScope,
  VerificationType,
} from '../../shipping/carriers/carriers.catalog.ts';
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

/** A replacement of the address, or the address in the carrier's spelling or with its transit time. */
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

/** Nobody reads a longer list. */
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

/** Why a carrier is not asked about an address in a country (alpha-2, upper-case); null if it is asked. */
export function skippedBefore(carrier: Carrier, country: string): AddressCheckCode | null {
  if (carrier.verificationType === 'none') return 'VERIFICATION_SKIPPED_UNSUPPORTED';
  if (carrier.countryScope === 'domestic_it' && country !== 'IT') return 'VERIFICATION_SKIPPED_FOREIGN';
  return null;
}

export function resultOf(
  carrier: Carrier,
  code: AddressCheckCode,
  suggestions: readonly Suggestion[] = [],
  message = OUTCOMES[code].message,
): AddressCheckResult {
  const { status } = OUTCOMES[code];
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

/** Judges an address by a carrier's finding. */
export function judge(carrier: Carrier, asked: AskedAddress, finding: AddressFinding): AddressCheckResult {
  switch (finding.kind) {
    case 'confirmed':
      return valid(carrier, asked, withOwnCap(asked, sevenFields(finding.address)));
    case 'candidates':
      return judgeCandidates(carrier, asked, distinct(named(asked, finding.addresses)));
    case 'corrected':
      return judgeCorrected(carrier, asked, finding.addresses);
    case 'not_found':
      return resultOf(carrier, 'ADDRESS_NOT_FOUND');
    case 'invalid':
      return resultOf(carrier, 'ADDRESS_INVALID');
    case 'refused':
    case 'rejected':
    case 'unreadable':
      return resultOf(carrier, 'VERIFICATION_ERROR');
    case 'unavailable':
    case 'not_asked':
      return resultOf(carrier, 'CARRIER_UNAVAILABLE');
  }
}

function judgeCandidates(
  carrier: Carrier,
  asked: AskedAddress,
  candidates: readonly KnownAddress[],
): AddressCheckResult {
  // Several streets mean that the registry is unsure; postal databases list every place with the postal code.
  const mayChoose = carrier.verificationType !== 'street_registry' || candidates.length === 1;
  const same = mayChoose ? candidates.find(candidate => isSame(carrier, asked, candidate)) : undefined;
  return same === undefined ? normalized(carrier, asked, candidates) : valid(carrier, asked, same);
}

/** A place whose correction was the generic CAP alone has been found as it was asked. */
function judgeCorrected(carrier: Carrier, asked: AskedAddress, known: readonly KnownAddress[]): AddressCheckResult {
  const addresses = named(asked, known);
  const [only] = addresses;
  const isMended = only !== undefined && addresses.length === 1 && only.zip !== known[0]?.zip;
  const isFound = isMended && !carrier.compares.includes('street') && sameAddress(asked, only);
  return isFound ? valid(carrier, asked, only) : normalized(carrier, asked, addresses);
}

/** A street registry that returns no street has not found the address. */
function isSame({ verificationType }: Carrier, asked: AskedAddress, candidate: KnownAddress): boolean {
  return (candidate.streetLine1 !== null || verificationType !== 'street_registry') && sameAddress(asked, candidate);
}

/** A place without a street or a transit time only confirms the address, and does not count as a suggestion. */
function valid(carrier: Carrier, asked: AskedAddress, known: KnownAddress): AddressCheckResult {
  const { compares } = carrier;
  const { city, provincia, zip, country } = asked;
  if (country === 'IT' && !compares.includes('city') && !cityCanHaveCap(city, provincia, zip)) {
    return resultOf(carrier, 'ADDRESS_NOT_FOUND', [], WRONG_CITY);
  }
  const saysMore = known.streetLine1 !== null || known.transitTimeHours !== null;
  const suggestions = saysMore ? [suggestionOf(carrier, asked, known)] : [];
  const message = compares.includes('street') ? undefined : comparedMessage(compares, country);
  return resultOf(carrier, 'ADDRESS_VALID', suggestions, message);
}

const WRONG_CITY = '{c} verifica solo il CAP, che non è quello della città indicata.';

/** Says what a carrier without a registry of streets has compared, so that nobody takes it for more. */
function comparedMessage(compares: readonly ComparedPart[], country: string): string {
  const names = {
    zip: country === 'IT' ? 'CAP' : 'codice postale',
    city: 'città',
    province: 'provincia',
    street: 'via',
  };
  const said = compares.map(part => names[part]);
  const unsaid = [...(compares.includes('city') ? [] : [names.city]), names.street, 'numero civico'];
  return `Verificato da {c}: ${listed(said)}. Non verificati: ${listed(unsaid)}.`;
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} e ${names.at(-1)}`;
}

function normalized(carrier: Carrier, asked: AskedAddress, known: readonly KnownAddress[]): AddressCheckResult {
  const suggestions = distinct(known.map(address => suggestionOf(carrier, asked, address)));
  if (suggestions.length === 0) return resultOf(carrier, 'ADDRESS_NOT_FOUND');
  return resultOf(carrier, 'ADDRESS_NORMALIZED', suggestions.slice(0, MAX_SUGGESTIONS));
}

/**
 * Only street registries know whole addresses. Other carriers know places by postal code: their data are merged into
 * the address, because a suggestion without the street would make its user lose it.
 */
function suggestionOf({ verificationType }: Carrier, asked: AskedAddress, known: KnownAddress): Suggestion {
  if (verificationType === 'street_registry') return known;
  return {
    ...known,
    streetLine1: known.streetLine1 ?? oneLine(asked.address),
    city: known.city ?? oneLine(asked.city),
    zip: known.zip ?? asked.zip,
    // Another place may be in another province.
    province: known.province ?? (sameAddress(asked, known) ? asked.provincia : null),
  };
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}

/** Addresses that name a place, with the seven fields in their order and no others. */
function named(asked: AskedAddress, addresses: readonly KnownAddress[]): KnownAddress[] {
  return addresses
    .filter(({ streetLine1, streetLine2, city, zip }) => (streetLine1 ?? streetLine2 ?? city ?? zip) !== null)
    .map(address => withOwnCap(asked, sevenFields(address)));
}

/**
 * A registry that is unsure of the street returns the generic CAP of the city, at which nothing is delivered: the CAP of
 * the asked address stays, if it is one of that city.
 */
function withOwnCap({ country, zip }: AskedAddress, known: KnownAddress): KnownAddress {
  const isGeneric = country === 'IT' && known.zip !== null && isGenericFor(known.zip, zip);
  return isGeneric ? { ...known, zip: zip.trim() } : known;
}

function distinct(addresses: readonly KnownAddress[]): KnownAddress[] {
  return [...new Map(addresses.map(address => [JSON.stringify(address), address])).values()];
}

/** A carrier may write out the name of an Italian province. */
function sevenFields(address: KnownAddress): KnownAddress {
  const { streetLine1, streetLine2, city, zip, country, transitTimeHours } = address;
  const code = country === 'IT' && address.province !== null ? provinceCode(address.province) : undefined;
  const province = code ?? address.province;
  return { streetLine1, streetLine2, city, zip, province, country, transitTimeHours };
}

import type { AskedAddress } from '../carriers/carrier.port.ts';
import type { Checks } from '../checks.rules.ts';
import { provinceCode } from '../places/italy.rules.ts';
import { checkCountry } from '../places/recipient.rules.ts';

export interface AddressCheckInput {
  carrierCompanyId: number;
  address: string;
  city: string;
  zip: string;
  provincia?: string | null;
  country?: string | null;
}

/** What is sent, without where shipments leave from. */
export type CheckedAddress = Omit<AskedAddress, 'origin'>;

export function checkAddressInput(checks: Checks, input: AddressCheckInput): CheckedAddress {
  const country = checkCountry(checks, ['country'], input.country ?? 'IT');
  return {
    address: checks.text(['address'], input.address),
    city: checks.text(['city'], input.city),
    // Its format is not checked: whether it is a postal code is just what the carrier is asked, and ADDRESS_INVALID or a
    // suggestion says more than a refusal.
    zip: checks.text(['zip'], input.zip, 20),
    provincia: checkProvince(checks, input.provincia ?? null, country),
    country,
  };
}

/** Carriers know Italian provinces by abbreviation; those we don't know (Sardinia's come and go) are theirs to judge. */
function checkProvince(checks: Checks, value: string | null, country: string): string | null {
  const text = checks.optionalText(['provincia'], value);
  if (country !== 'IT') return text?.toUpperCase() ?? null;
  if (text === null) {
    checks.add(['provincia'], 'required', 'must be given for an address in Italy: the province, such as MI');
    return null;
  }
  return provinceCode(text) ?? text.toUpperCase();
}

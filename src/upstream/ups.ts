import { randomUUID } from 'node:crypto';
import type {
  UpsAddress,
  UpsAddressVariables,
  UpsTracking,
  UpsTrackingVariables,
} from '../../schema/carriers/ups.d.ts';
import type {
  AddressFinding,
  AskedAddress,
  KnownAddress,
  TrackingFinding,
} from '../domain/shipping/carriers/carrier.port.ts';
import { basicAuthorization, type CheckingAdapter, formGrant, words } from './adapter.ts';
import { addressComplaint, numberComplaint } from './complaint.ts';
import { type Item, knownAddress, type Maybe, pathSegment, plainNumber } from './normalize.ts';
import { packageFinding } from './ups-packages.ts';

type Candidate = Item<Extract<UpsAddress['transitTimes'], { __typename: 'TransitTimes' }>['destinationPickList']>;
type Rejected = Partial<Omit<Extract<UpsAddress['transitTimes'], { __typename: 'Invalid' }>, '__typename'>>;

const BASE_URL = 'https://onlinetools.ups.com';

const MAX_CANDIDATES = 10;

/** Countries of which UPS knows the states by their abbreviations. */
const STATES: ReadonlySet<string> = new Set(['US', 'CA', 'PR']);

/** UPS: a token by client credentials, then JSON. For an address it returns the transit time. */
export const ups: CheckingAdapter = {
  document: 'ups',
  statuses: [206, 400, 404, 422],
  kept: words(`
    grant_type token_type expires_in originCountryCode originPostalCode destinationCountryCode
    destinationPostalCode destinationStateProvince residentialIndicator weight weightUnitOfMeasure
    numberOfPackages billType shipmentContentsValue shipmentContentsCurrencyCode maxList code message
    invalidFieldList destinationAmbiguous originAmbiguous inquiryNumber countryCode stateProvince postalCode
    postalCodeLow postalCodeHigh businessTransitDays trackingNumber locale type statusCode date time endTime
    gmtDate gmtTime gmtOffset
  `),
  address: {
    url: BASE_URL,
    operation: 'transitTimes',
    // Without a ship date UPS uses today.
    variables: ({ origin, country, zip, city, provincia }): UpsAddressVariables => ({
      input: {
        originCountryCode: origin.country,
        ...(origin.zip !== null && { originPostalCode: origin.zip }),
        ...(origin.city !== null && { originCityName: origin.city }),
        destinationCountryCode: country,
        ...(zip !== '' && { destinationPostalCode: zip }),
        destinationCityName: city,
        // Elsewhere UPS wants the whole name, and the abbreviation of a province would be another place.
        ...(provincia !== null && STATES.has(country) && { destinationStateProvince: provincia }),
        residentialIndicator: '02',
        weight: 1,
        weightUnitOfMeasure: 'KGS',
        numberOfPackages: 1,
        billType: '03',
        ...(origin.country !== country && { shipmentContentsValue: 1, shipmentContentsCurrencyCode: 'EUR' }),
        maxList: MAX_CANDIDATES,
      },
    }),
    read: addressFinding,
  },
  tracking: {
    url: BASE_URL,
    operation: 'trackPackage',
    numbersPerRequest: 1,
    requestsPerMinute: 300,
    variables: ([number = '']): UpsTrackingVariables => ({ inquiryNumber: pathSegment(number), locale: 'it_IT' }),
    read: (data: UpsTracking, [number = '']) => [trackingFinding(data, number)],
  },
  grant: formGrant(
    '/security/v1/oauth/token',
    () => ({ grant_type: 'client_credentials' }),
    ({ clientId = '', clientSecret = '' }) => ({ authorization: basicAuthorization(clientId, clientSecret) }),
  ),
  authorize: (request, _, token) => ({
    ...request,
    headers: {
      ...request.headers,
      authorization: `Bearer ${token ?? ''}`,
      // UPS' limit is 32 characters.
      transId: randomUUID().replaceAll('-', ''),
      transactionSrc: 'shipping-integrations',
    },
  }),
};

/** UPS' two documents have the errors in two places. */
function textsOf({ errors, response }: Rejected): readonly Maybe<string>[] {
  return [...(errors ?? []), ...(response?.errors ?? [])].flatMap(error => [error?.code, error?.message]);
}

function addressFinding({ transitTimes: answer }: UpsAddress, { zip, origin }: AskedAddress): AddressFinding {
  if (answer?.__typename === 'NotFound') return { kind: 'not_found' };
  if (answer?.__typename === 'Invalid') {
    const texts = textsOf(answer);
    const isOfOrigin = origin.zip !== null && texts.some(text => text?.includes(origin.zip ?? ''));
    if (isOfOrigin && (zip === '' || !texts.some(text => text?.includes(zip)))) return { kind: 'rejected' };
    return { kind: addressComplaint(texts) };
  }
  const { invalidFieldList, destinationAmbiguous, originAmbiguous } = answer?.validationList ?? {};
  const invalidFields = invalidFieldList?.filter(field => field != null) ?? [];
  if (invalidFields.length > 0) {
    // The address was not checked if only the warehouse's is wrong, or another field of ours.
    return { kind: invalidFields.some(field => /destination/i.test(field)) ? 'invalid' : 'rejected' };
  }
  if (answer?.destinationPickList?.length) {
    const addresses = answer.destinationPickList
      .filter(candidate => candidate != null)
      .map(candidate => candidateAddress(candidate, zip))
      .filter(address => address.city !== null || address.zip !== null);
    return addresses.length > 0 ? { kind: 'corrected', addresses } : { kind: 'unreadable' };
  }
  if (destinationAmbiguous) return { kind: 'not_found' };
  const ems = answer?.__typename === 'TransitTimes' ? answer.emsResponse : null;
  if (!ems && (originAmbiguous || answer?.originPickList?.length)) return { kind: 'rejected' };
  if (!ems || (!ems.services && !ems.destinationCountryCode)) return { kind: 'unreadable' };
  const services = (ems.services ?? []).filter(service => service != null);
  if (services.length === 0) return { kind: 'not_found' };
  const address = knownAddress({
    city: ems.destinationCityName,
    zip: ems.destinationPostalCode,
    country: ems.destinationCountryCode,
    transitTimeHours: transitTimeHours(services.map(service => service.businessTransitDays)),
  });
  // UPS may compute the times for the postal code that it takes for the right one.
  const isOther = zip !== '' && address.zip !== null && plainZip(address.zip) !== plainZip(zip);
  return isOther ? { kind: 'corrected', addresses: [address] } : { kind: 'confirmed', address };
}

function plainZip(zip: string): string {
  return plainNumber(zip).replaceAll('-', '');
}

/**
 * A candidate may have a range of postal codes: the requested one if it lies within, else the first. Null would mean
 * that any postal code is valid.
 */
function candidateAddress(candidate: Candidate, askedZip: string): KnownAddress {
  const { postalCode, postalCodeLow: low, postalCodeHigh: high } = candidate;
  const isWithin = !!low && !!high && isBetween(plainNumber(askedZip), plainNumber(low), plainNumber(high));
  return knownAddress({
    city: candidate.city || candidate.town,
    zip: postalCode || (low !== high && isWithin ? askedZip : low || high),
    province: candidate.stateProvince,
    country: candidate.countryCode,
  });
}

function isBetween(value: string, low: string, high: string): boolean {
  return value.length === low.length && value.length === high.length && low <= value && value <= high;
}

/** The time of the fastest service. */
function transitTimeHours(days: readonly Maybe<string>[]): number | null {
  const known = days.filter(text => /^\d{1,3}$/.test(text ?? '')).map(Number);
  return known.length > 0 ? Math.min(...known) * 24 : null;
}

function trackingFinding({ trackPackage: answer }: UpsTracking, number: string): TrackingFinding {
  if (answer?.__typename === 'NotFound') return { kind: 'not_found' };
  if (answer?.__typename === 'Invalid') return { kind: numberComplaint(textsOf(answer)) };
  if (answer?.response?.errors?.length) return { kind: numberComplaint(textsOf(answer)) };
  return packageFinding(answer?.trackResponse?.shipment, number);
}

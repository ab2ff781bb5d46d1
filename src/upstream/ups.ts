import { randomUUID } from 'node:crypto';
import type {
  UpsAddress,
  UpsAddressVariables,
  UpsTracking,
  UpsTrackingVariables,
} from '../../schema/carriers/ups.d.ts';
import type { AddressFinding, AskedAddress, KnownAddress, TrackingFinding } from '../domain/carriers/carrier.port.ts';
import { basicAuthorization, type CarrierAdapter } from './adapter.ts';
import { estimatedTime } from './estimated-time.ts';
import { timestamps } from './local-time.ts';
import { carrierEvents, type Item, knownAddress, type Maybe, pathSegment, plainNumber } from './normalize.ts';

type Candidate = Item<Extract<UpsAddress['transitTimes'], { __typename: 'TransitTimes' }>['destinationPickList']>;
type Tracked = Extract<UpsTracking['trackPackage'], { __typename: 'Tracking' }>;
type Shipment = Item<NonNullable<Tracked['trackResponse']>['shipment']>;
type Package = Item<Shipment['package']>;
type Activities = Package['activity'];

const BASE_URL = 'https://onlinetools.ups.com';

const MAX_CANDIDATES = 10;

/** UPS: a token by client credentials, then JSON. For an address it returns the transit time. */
export const ups: CarrierAdapter = {
  document: 'ups',
  statuses: [400, 404, 422],
  kept: [
    'grant_type',
    'token_type',
    'expires_in',
    'originCountryCode',
    'originPostalCode',
    'destinationCountryCode',
    'destinationPostalCode',
    'destinationStateProvince',
    'residentialIndicator',
    'weight',
    'weightUnitOfMeasure',
    'numberOfPackages',
    'billType',
    'shipmentContentsValue',
    'shipmentContentsCurrencyCode',
    'maxList',
    'code',
    'message',
    'invalidFieldList',
    'countryCode',
    'stateProvince',
    'postalCode',
    'postalCodeLow',
    'postalCodeHigh',
    'businessTransitDays',
    'trackingNumber',
    'locale',
    'type',
    'statusCode',
    'date',
    'time',
    'endTime',
    'gmtDate',
    'gmtTime',
    'gmtOffset',
  ],
  address: {
    url: BASE_URL,
    operation: /* GraphQL */ `
      mutation UpsAddress($input: TransitTimesRequest_Input!) {
        transitTimes(input: $input) {
          __typename
          ... on TransitTimes {
            validationList { invalidFieldList }
            destinationPickList { countryCode stateProvince city postalCode postalCodeLow postalCodeHigh }
            emsResponse {
              destinationCityName
              destinationPostalCode
              destinationCountryCode
              services { businessTransitDays }
            }
          }
        }
      }`,
    // Without a ship date UPS uses today.
    variables: ({ origin, country, zip, city, provincia }): UpsAddressVariables => ({
      input: {
        originCountryCode: origin.country,
        ...(origin.zip !== null && { originPostalCode: origin.zip }),
        ...(origin.city !== null && { originCityName: origin.city }),
        destinationCountryCode: country,
        ...(zip !== '' && { destinationPostalCode: zip }),
        destinationCityName: city,
        ...(provincia !== null && { destinationStateProvince: provincia }),
        residentialIndicator: '02',
        weight: '1',
        weightUnitOfMeasure: 'KGS',
        numberOfPackages: '1',
        billType: '03',
        ...(origin.country !== country && { shipmentContentsValue: '1', shipmentContentsCurrencyCode: 'EUR' }),
        maxList: MAX_CANDIDATES,
      },
    }),
    read: addressFinding,
  },
  tracking: {
    url: BASE_URL,
    operation: /* GraphQL */ `
      query UpsTracking($number: String!) {
        trackPackage(inquiryNumber: $number, locale: "it_IT") {
          __typename
          ... on Tracking {
            trackResponse {
              shipment {
                package {
                  trackingNumber
                  deliveryDate { type date }
                  deliveryTime { type endTime }
                  activity {
                    date
                    time
                    gmtOffset
                    gmtDate
                    gmtTime
                    status { type statusCode description }
                    location { address { city countryCode } }
                  }
                }
                warnings { code }
              }
            }
          }
        }
      }`,
    numbersPerRequest: 1,
    requestsPerMinute: 300,
    variables: ([number = '']): UpsTrackingVariables => ({ number: pathSegment(number) }),
    read: (data: UpsTracking, [number = '']) => [trackingFinding(data, number)],
  },
  grant: {
    path: '/security/v1/oauth/token',
    request: (url, { clientId = '', clientSecret = '' }) => ({
      method: 'POST',
      url,
      headers: {
        authorization: basicAuthorization(clientId, clientSecret),
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: 'grant_type=client_credentials',
    }),
  },
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

function addressFinding({ transitTimes: answer }: UpsAddress, { zip }: AskedAddress): AddressFinding {
  if (answer?.__typename === 'Invalid') return { kind: 'invalid' };
  if (answer?.__typename === 'NotFound') return { kind: 'not_found' };
  const invalidFields = answer?.validationList?.invalidFieldList?.filter(field => field != null) ?? [];
  if (invalidFields.length > 0) {
    // The address was not checked if only the warehouse's is wrong.
    return { kind: invalidFields.every(field => /^origin/i.test(field)) ? 'unreadable' : 'invalid' };
  }
  if (answer?.destinationPickList?.length) {
    const addresses = answer.destinationPickList
      .filter(candidate => candidate != null)
      .map(candidate => candidateAddress(candidate, zip))
      .filter(address => address.city !== null || address.zip !== null);
    return addresses.length > 0 ? { kind: 'corrected', addresses } : { kind: 'unreadable' };
  }
  const ems = answer?.emsResponse;
  if (!ems || (!ems.services && !ems.destinationCountryCode)) return { kind: 'unreadable' };
  const services = (ems.services ?? []).filter(service => service != null);
  if (services.length === 0) return { kind: 'not_found' };
  const address = knownAddress({
    city: ems.destinationCityName,
    zip: ems.destinationPostalCode,
    country: ems.destinationCountryCode,
    transitTimeHours: transitTimeHours(services.map(service => service.businessTransitDays)),
  });
  return { kind: 'confirmed', address };
}

/**
 * A candidate may have a range of postal codes: the requested one if it lies within, else the first. Null would mean
 * that any postal code is valid.
 */
function candidateAddress(candidate: Candidate, askedZip: string): KnownAddress {
  const { postalCode, postalCodeLow: low, postalCodeHigh: high } = candidate;
  const isWithin = !!low && !!high && isBetween(plainNumber(askedZip), plainNumber(low), plainNumber(high));
  return knownAddress({
    city: candidate.city,
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
  // A malformed number cannot be one of UPS'.
  if (answer?.__typename === 'Invalid' || answer?.__typename === 'NotFound') return { kind: 'not_found' };
  const shipments = answer?.trackResponse?.shipment;
  const packages = (shipments ?? []).flatMap(shipment => shipment?.package ?? []).filter(parcel => parcel != null);
  const parcel =
    packages.find(({ trackingNumber }) => plainNumber(trackingNumber ?? '') === plainNumber(number)) ?? packages[0];
  if (parcel) return { kind: 'events', events: eventsOf(parcel.activity), related: [], estimate: estimateOf(parcel) };
  const isUnknown = shipments?.length === 0 || shipments?.some(shipment => shipment?.warnings?.length);
  return { kind: isUnknown ? 'not_found' : 'unreadable' };
}

/** UPS' types of delivery dates, the most relevant first; another type is the actual delivery. */
const ESTIMATES = ['RDD', 'SDD'];

function estimateOf({ deliveryDate, deliveryTime }: Package): string | null {
  const dates = ESTIMATES.map(type => deliveryDate?.find(date => date?.type?.trim() === type)?.date);
  // After the delivery the time is the actual one.
  const isToCome = deliveryTime?.type?.trim() !== 'DEL';
  return estimatedTime({ date: dates.find(date => date), time: isToCome ? deliveryTime?.endTime : null });
}

function eventsOf(newestFirst: Activities) {
  const activities = (newestFirst ?? []).filter(activity => activity != null).toReversed();
  const times = timestamps(
    activities.map(({ date, time, gmtDate, gmtTime, gmtOffset }) =>
      gmtDate && gmtTime
        ? { local: `${gmtDate}T${gmtTime}`, offset: 'Z' }
        : { local: `${date ?? ''}T${time ?? ''}`, offset: gmtOffset },
    ),
  );
  return carrierEvents(
    activities.map(({ status, location }, n) => ({
      timestamp: times[n] ?? '',
      code: `${status?.type?.trim() ?? ''}${status?.statusCode?.trim() ?? ''}`,
      description: status?.description,
      location: location?.address?.city || location?.address?.countryCode,
    })),
  );
}

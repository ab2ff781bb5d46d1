import type {
  DhlAddress,
  DhlAddressVariables,
  DhlTracking,
  DhlTrackingVariables,
} from '../../schema/carriers/dhl.d.ts';
import type { AddressFinding, TrackingFinding } from '../domain/carriers/carrier.port.ts';
import { basicAuthorization, type CarrierAdapter } from './adapter.ts';
import { estimatedTimeOf } from './estimated-time.ts';
import { timestamps } from './local-time.ts';
import { asciiText, carrierEvents, knownAddress, pathSegment } from './normalize.ts';

const BASE_URL = 'https://express.api.dhl.com/mydhlapi';

/** MyDHL API. */
export const dhl: CarrierAdapter = {
  document: 'dhl',
  statuses: [400, 404, 422],
  kept: [
    'type',
    'countryCode',
    'postalCode',
    'countyName',
    'strictValidation',
    'trackingView',
    'requestGMTOffsetPerEvent',
    'status',
    'title',
    'detail',
    'typeCode',
    'date',
    'time',
    'GMTOffset',
    'estimatedDeliveryDate',
  ],
  address: {
    url: BASE_URL,
    operation: /* GraphQL */ `
      query DhlAddress($countryCode: String!, $postalCode: String, $cityName: String, $countyName: String) {
        validateAddress(
          type: "delivery"
          countryCode: $countryCode
          postalCode: $postalCode
          cityName: $cityName
          countyName: $countyName
          strictValidation: true
        ) {
          __typename
          ... on Places { address { countryCode postalCode cityName countyName } }
        }
      }`,
    variables: ({ country, zip, city, provincia }): DhlAddressVariables => ({
      countryCode: country,
      ...(zip !== '' && { postalCode: zip }),
      // DHL's gazetteer is in ASCII, and Forlì is not FORLI to it.
      cityName: asciiText(city),
      ...(provincia !== null && { countyName: asciiText(provincia) }),
    }),
    read: addressFinding,
  },
  tracking: {
    url: BASE_URL,
    operation: /* GraphQL */ `
      query DhlTracking($number: String!) {
        trackShipment(
          shipmentTrackingNumber: $number
          trackingView: "all-checkpoints"
          requestGMTOffsetPerEvent: true
        ) {
          __typename
          ... on Tracking {
            shipments {
              events { date time GMTOffset typeCode description serviceArea { description } }
              estimatedDeliveryDate
            }
          }
        }
      }`,
    numbersPerRequest: 1,
    requestsPerMinute: 300,
    variables: ([number = '']): DhlTrackingVariables => ({ number: pathSegment(number) }),
    read: (data: DhlTracking) => [trackingFinding(data)],
  },
  authorize(request, { username = '', password = '' }) {
    const authorization = basicAuthorization(username, password);
    return { ...request, headers: { ...request.headers, authorization, 'accept-language': 'ita' } };
  },
};

function addressFinding({ validateAddress: answer }: DhlAddress): AddressFinding {
  if (answer?.__typename === 'Invalid') return { kind: 'invalid' };
  if (answer?.__typename === 'NotFound' || answer?.address?.length === 0) return { kind: 'not_found' };
  const addresses = (answer?.address ?? [])
    .map(place =>
      knownAddress({
        city: place?.cityName,
        zip: place?.postalCode,
        province: place?.countyName,
        country: place?.countryCode,
      }),
    )
    // A candidate without a city and postal code would match every address.
    .filter(({ city, zip }) => city !== null || zip !== null);
  return addresses.length > 0 ? { kind: 'candidates', addresses } : { kind: 'unreadable' };
}

function trackingFinding({ trackShipment: answer }: DhlTracking): TrackingFinding {
  // A malformed number cannot be one of DHL's.
  if (answer?.__typename === 'Invalid' || answer?.__typename === 'NotFound') return { kind: 'not_found' };
  if (answer?.shipments?.length === 0) return { kind: 'not_found' };
  const shipment = answer?.shipments?.find(known => known);
  if (!shipment) return { kind: 'unreadable' };
  const events = (shipment.events ?? []).filter(event => event != null);
  const times = timestamps(
    events.map(({ date, time, GMTOffset }) => ({ local: `${date ?? ''}T${time ?? ''}`, offset: GMTOffset })),
  );
  return {
    kind: 'events',
    events: carrierEvents(
      events.map(({ typeCode, description, serviceArea }, n) => ({
        timestamp: times[n] ?? '',
        code: typeCode,
        description,
        location: serviceArea?.find(area => area?.description)?.description,
      })),
    ),
    related: [],
    estimate: estimatedTimeOf(shipment.estimatedDeliveryDate),
  };
}

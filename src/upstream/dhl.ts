import type {
  DhlAddress,
  DhlAddressVariables,
  DhlTracking,
  DhlTrackingVariables,
} from '../../schema/carriers/dhl.d.ts';
import type { AddressFinding, TrackingFinding } from '../domain/shipping/carriers/carrier.port.ts';
import { basicAuthorization, type CheckingAdapter, words } from './adapter.ts';
import { addressComplaint, numberComplaint } from './complaint.ts';
import { shipmentFinding } from './dhl-shipments.ts';
import { asciiText, knownAddress, type Maybe, pathSegment } from './normalize.ts';

type Rejected = Extract<DhlTracking['trackShipment'], { __typename: 'Invalid' }>;

const BASE_URL = 'https://express.api.dhl.com/mydhlapi';

/** The version of the interface, which DHL calls mandatory. */
const VERSION = '3.1.0';

/** MyDHL API. */
export const dhl: CheckingAdapter = {
  document: 'dhl',
  statuses: [400, 404, 422],
  kept: words(`
    type countryCode postalCode countyName strictValidation trackingView requestGMTOffsetPerEvent status title
    detail message additionalDetails typeCode date time GMTOffset estimatedDeliveryDate
  `),
  address: {
    url: BASE_URL,
    operation: 'validateAddress',
    variables: ({ country, zip, city, provincia }): DhlAddressVariables => ({
      type: 'delivery',
      strictValidation: true,
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
    operation: 'trackShipment',
    numbersPerRequest: 1,
    requestsPerMinute: 300,
    variables: ([number = '']): DhlTrackingVariables => ({
      shipmentTrackingNumber: pathSegment(number),
      trackingView: 'all-checkpoints',
      requestGMTOffsetPerEvent: true,
    }),
    read: (data: DhlTracking, [number = '']) => [trackingFinding(data, number)],
  },
  authorize(request, { username = '', password = '' }) {
    const authorization = basicAuthorization(username, password);
    const headers = { ...request.headers, authorization, 'accept-language': 'ita', 'x-version': VERSION };
    return { ...request, headers };
  },
};

function textsOf({ title, detail, message, additionalDetails }: Rejected): readonly Maybe<string>[] {
  return [title, detail, message, ...(additionalDetails ?? [])];
}

function addressFinding({ validateAddress: answer }: DhlAddress): AddressFinding {
  if (answer?.__typename === 'Invalid') return { kind: addressComplaint(textsOf(answer)) };
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

function trackingFinding({ trackShipment: answer }: DhlTracking, number: string): TrackingFinding {
  if (answer?.__typename === 'Invalid') return { kind: numberComplaint(textsOf(answer)) };
  if (answer?.__typename === 'NotFound') return { kind: 'not_found' };
  return shipmentFinding(answer?.shipments, number);
}

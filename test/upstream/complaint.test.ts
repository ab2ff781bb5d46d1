import { expect, test } from 'vitest';
import { addressComplaint, numberComplaint } from '../../src/upstream/complaint.ts';

test.each([
  ['invalid', ['POSTALCODE.INVALID', 'Please provide a valid postal code.']],
  ['invalid', ['STATEORPROVINCECODE.INVALID', null]],
  ['invalid', ['COUNTRYCODE.INVALID', undefined]],
  ['invalid', ['The destination location is invalid']],
  ['invalid', ['Missing/invalid ship to city']],
  ['invalid', ['Parameters not having correct format: countyName (maxLength=45)']],
  ['invalid', ['destinationPostalCode']],
  ['not_found', ['The postal code could not be found']],
  ['not_found', ['POSTALCODE.NOTFOUND']],
  ['not_found', ['No match for city and postal code']],
  ['rejected', ['originPostalCode']],
  ['rejected', ['The origin location is invalid']],
  ['rejected', ['Invalid shipper address']],
  ['rejected', ['SHIPDATE.INVALID', 'Invalid ship date.']],
  ['rejected', ['AVAILABILITY.SHIP.DATE.INVALID']],
  ['rejected', ['CARRIERCODE.INVALID']],
  ['rejected', ['Account number is not authorized for this country']],
  ['rejected', ['Missing mandatory parameters: postalCode']],
  ['rejected', ['City Name or Postal Code is required.']],
  ['rejected', ['Invalid shipment contents value.', 'Invalid currency code']],
  ['rejected', ['Something went wrong']],
  ['rejected', []],
])('An address is %s after %j', (kind, texts) => {
  expect(addressComplaint(texts)).toBe(kind);
});

test.each([
  ['not_found', ['TRACKING.TRACKINGNUMBER.INVALID']],
  ['not_found', ['TV1002', 'Invalid inquiry number']],
  ['not_found', ['TW0001', 'Tracking Information Not Found']],
  ['not_found', ['No shipments found for the given AWB 123']],
  ['not_found', ['Parameters not having correct format: shipmentTrackingNumber']],
  ['rejected', ['Parameters not having correct format: trackingView']],
  ['rejected', ['TRACKING.LOCALE.INVALID', 'Requested localization is invalid or not supported.']],
  ['rejected', ['VSS002', 'Missing transId']],
  ['rejected', ['Missing mandatory parameters: shipperAccountNumber']],
  ['rejected', []],
])('A number is %s after %j', (kind, texts) => {
  expect(numberComplaint(texts)).toBe(kind);
});

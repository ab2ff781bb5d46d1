/**
 * Every code that describes an error in a field of an input: stable code → meaning. Responses of REST, batches,
 * `userErrors` of GraphQL and the guide on errors read it. A fault (`fault.ts`) is the outcome of a whole request.
 */
export const ISSUE_CODES = {
  required: 'The field is missing, null or empty, or another field needs it.',
  empty: 'The object or the list has no entry, but needs one.',
  unknown_field: 'There is no field of this name here.',
  wrong_type: 'The value has the wrong JSON type.',
  not_allowed: 'The value is not one of those that are allowed here, or the field must be left out.',
  out_of_range: 'The number or the time is outside of its limits.',
  too_long: 'The text has too many characters.',
  too_many: 'The list has too many entries.',
  too_precise: 'The number has too many decimals.',
  too_costly: 'The condition would read too many records. Add another one that leaves few.',
  conflicting_modes: 'The fields belong to different ways to describe a shipment, which cannot be mixed.',

  invalid_text: 'The text has control characters other than tabs and line breaks, or is not the name of anything.',
  invalid_decimal: 'The value is not a decimal number.',
  invalid_date_time:
    'The value is not a date-time in ISO 8601 with an offset, not a date, or not in the years 2000 to 2099.',
  invalid_format: 'The text does not have the form that is required.',
  invalid_id: 'The value is not an id of such a record.',
  invalid_cursor: 'The value is not a cursor that a page returned.',
  invalid_key: 'The key of a value of metadata does not have the form that is required.',
  in_the_future: 'The time is more than 24 hours ahead.',
  malformed_json: 'A row of an imported file is not valid JSON.',

  invalid_postal_code: "The postal code does not have the form of the country's codes.",
  unknown_country: 'The value is not an ISO 3166-1 country code.',
  unknown_region: 'The value is not an Italian region.',
  unknown_province: 'The value is not an Italian province.',
  postal_code_not_in_province: 'The postal code belongs to another province.',

  invalid_url: 'The value is not an absolute URL, or has parts that are not allowed here.',
  https_required: 'The URL must begin with `https://`.',
  user_info: 'The URL has a user name or a password.',
  fragment: 'The URL has a fragment (`#…`).',
  invalid_port: 'The port of the URL is not from 1 to 65535.',
  blocked_address: 'The URL leads to an address that is not public.',

  invalid_selection: 'The text is not a selection in GraphQL on the type that is named.',
  too_deep: 'The selection nests its fields too deeply.',
  too_complex: 'The selection costs too much.',

  company_not_found: 'There is no company with this id. Only operators name companies.',
  warehouse_not_found: 'The company has no warehouse with this id.',
  carrier_connection_not_found: 'The company has no carrier connection with this id.',
  order_not_found: 'The company has no order with this number or id.',
  saved_quote_not_found: 'The company has no saved quote with this id.',
  quote_not_applicable: 'The carrier connection does not quote the shipment.',
  shipment_not_found: 'The company has no shipment with this number or id.',
  api_key_not_found: 'The company has no API key with this id.',
  ambiguous_tracking_number:
    'Several carrier connections have a shipment with this number. Give `carrierConnectionId`, in a file `carrierCompanyId`.',
  tracking_number_in_use: 'The number belongs to a shipment of another order, which ended less than 90 days ago.',
  too_many_events: 'The shipment has as many tracking events as it may have.',
  order_not_quotable: 'The order lacks something that a quote needs.',
  not_current: 'The API key is revoked or expired.',
  webhook_inactive: 'The webhook endpoint is not active.',
  too_many_secrets: 'The webhook endpoint has as many secrets as it may have. Wait until an old one expires.',

  duplicate: 'The name or number is already taken in this document.',
  overlap: 'The range, date or weight overlaps with the one before.',
  gap: 'There is a gap between this entry and the one before.',
  empty_range: 'The range begins after its end.',
  conflict: 'Two zones or conditions claim the same place.',
  circle: 'The line is calculated from itself, through other lines.',
  unknown_line: 'No line of the tariff has this name.',
  unknown_zone: 'No zone of the tariff has this code.',
  unknown_origin: 'No origin of the tariff has this code.',
  unknown_service: 'No service of the tariff has this code.',
  unknown_index: 'No fuel index of the carrier has this name.',
  unknown_list: 'No list of places of the carrier has this name.',
} as const satisfies Readonly<Record<string, string>>;

export type IssueCode = keyof typeof ISSUE_CODES;

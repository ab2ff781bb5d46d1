/** Why the service asks a carrier. */
export const CALL_PURPOSES = {
  tracking_poll: 'The service follows shipments by itself.',
  tracking_refresh: 'A caller has the carrier asked about a shipment.',
  address_check: 'A caller has an address verified.',
  credentials_test: 'A caller or the operator tests the credentials.',
} as const;
export type CallPurpose = keyof typeof CALL_PURPOSES;

export const CALL_OUTCOMES = {
  answered: 'The carrier answered, also where it knows nothing of the shipment or the address.',
  refused: 'The carrier rejects the credentials.',
  unreadable: 'The response makes no sense.',
  unavailable: 'There was no response, or one that puts the service off.',
} as const;
export type CallOutcome = keyof typeof CALL_OUTCOMES;

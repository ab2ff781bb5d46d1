/** Why the service asks a carrier. */
export const CALL_PURPOSES = {
  tracking_poll: 'The service polls shipments by itself.',
  tracking_refresh: 'A caller requested news of a shipment.',
  address_check: 'A caller requested the check of an address.',
  credentials_test: 'A caller or the operator tests the credentials.',
} as const;
export type CallPurpose = keyof typeof CALL_PURPOSES;

export const CALL_OUTCOMES = {
  answered: 'The carrier answered, also if it does not know the shipment or the address.',
  refused: 'The carrier rejects the credentials.',
  rejected: 'The carrier rejects the request for a reason that concerns neither the shipment nor the address.',
  unreadable: 'The response cannot be read.',
  unavailable: 'There was no response, or one that asks the service to wait.',
} as const;
export type CallOutcome = keyof typeof CALL_OUTCOMES;

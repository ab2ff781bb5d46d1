// Written by `npm run schema:write`, from fedex.yaml.

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type PostalRequest_Input = {
  readonly carrierCode: string;
  readonly countryCode: string;
  /** A must in the United States and Canada. */
  readonly stateOrProvinceCode?: string | null | undefined;
  readonly postalCode: string;
  /** YYYY-MM-DD; neither the current day nor more than 10 days after it. */
  readonly shipDate: string;
  /** Whether the state is compared with the postal code in the United States and Canada; elsewhere it always is. */
  readonly checkForMismatch?: boolean | null | undefined;
};

export type TrackRequest_Input = {
  /** Without it there are no scan events. */
  readonly includeDetailedScans: boolean;
  readonly trackingInfo: ReadonlyArray<TrackingInfo_Input | null | undefined>;
};

export type TrackingInfo_Input = {
  readonly trackingNumberInfo: TrackingNumber_Input;
};

export type TrackingNumber_Input = {
  readonly trackingNumber: string;
};

export type FedexAddressVariables = Exact<{
  Authorization?: string | null | undefined;
  input?: PostalRequest_Input | null | undefined;
}>;


export type FedexAddress = { readonly validatePostal:
    | { readonly __typename: 'Postal', readonly output: { readonly countryCode: string | null | undefined, readonly stateOrProvinceCode: string | null | undefined, readonly cleanedPostalCode: string | null | undefined, readonly alerts: ReadonlyArray<{ readonly code: string | null | undefined } | null | undefined> | null | undefined, readonly locationDescriptions: ReadonlyArray<{ readonly countryCode: string | null | undefined, readonly stateOrProvinceCode: string | null | undefined, readonly postalCode: string | null | undefined } | null | undefined> | null | undefined } | null | undefined, readonly errors: ReadonlyArray<{ readonly code: string | null | undefined, readonly message: string | null | undefined } | null | undefined> | null | undefined }
    | { readonly __typename: 'NotFound', readonly errors: ReadonlyArray<{ readonly code: string | null | undefined, readonly message: string | null | undefined } | null | undefined> | null | undefined }
    | { readonly __typename: 'Invalid', readonly errors: ReadonlyArray<{ readonly code: string | null | undefined, readonly message: string | null | undefined } | null | undefined> | null | undefined }
   | null | undefined };

export type FedexTrackingVariables = Exact<{
  Authorization?: string | null | undefined;
  input?: TrackRequest_Input | null | undefined;
}>;


export type FedexTracking = { readonly trackNumbers:
    | { readonly __typename: 'Tracking', readonly output: { readonly completeTrackResults: ReadonlyArray<{ readonly trackingNumber: string | null | undefined, readonly trackResults: ReadonlyArray<{ readonly trackingNumberInfo: { readonly trackingNumber: string | null | undefined } | null | undefined, readonly additionalTrackingInfo: { readonly packageIdentifiers: ReadonlyArray<{ readonly type: string | null | undefined, readonly value: ReadonlyArray<string | null | undefined> | null | undefined, readonly values: ReadonlyArray<string | null | undefined> | null | undefined } | null | undefined> | null | undefined } | null | undefined, readonly error: { readonly code: string | null | undefined, readonly message: string | null | undefined } | null | undefined, readonly scanEvents: ReadonlyArray<{ readonly date: string | null | undefined, readonly eventType: string | null | undefined, readonly derivedStatusCode: string | null | undefined, readonly eventDescription: string | null | undefined, readonly exceptionDescription: string | null | undefined, readonly scanLocation: { readonly city: string | null | undefined, readonly stateOrProvinceCode: string | null | undefined, readonly countryCode: string | null | undefined } | null | undefined } | null | undefined> | null | undefined, readonly estimatedDeliveryTimeWindow: { readonly window: { readonly ends: string | null | undefined } | null | undefined } | null | undefined, readonly standardTransitTimeWindow: { readonly window: { readonly ends: string | null | undefined } | null | undefined } | null | undefined, readonly dateAndTimes: ReadonlyArray<{ readonly type: string | null | undefined, readonly dateTime: string | null | undefined } | null | undefined> | null | undefined } | null | undefined> | null | undefined } | null | undefined> | null | undefined } | null | undefined, readonly errors: ReadonlyArray<{ readonly code: string | null | undefined, readonly message: string | null | undefined } | null | undefined> | null | undefined }
    | { readonly __typename: 'NotFound', readonly errors: ReadonlyArray<{ readonly code: string | null | undefined, readonly message: string | null | undefined } | null | undefined> | null | undefined }
    | { readonly __typename: 'Invalid', readonly errors: ReadonlyArray<{ readonly code: string | null | undefined, readonly message: string | null | undefined } | null | undefined> | null | undefined }
   | null | undefined };

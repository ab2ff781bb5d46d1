// Written by `npm run schema:write`, from fedex.yaml and the operations of src/upstream/fedex.ts.

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type PostalRequest_Input = {
  /** FDXE for FedEx Express. */
  readonly carrierCode: string;
  readonly countryCode: string;
  /** Two letters; a must in the United States and Canada. */
  readonly stateOrProvinceCode?: string | null | undefined;
  readonly postalCode: string;
  /** YYYY-MM-DD. */
  readonly shipDate: string;
};

export type TrackRequest_Input = {
  /** Without it there are no scan events. */
  readonly includeDetailedScans: boolean;
  readonly trackingInfo: ReadonlyArray<TrackingInfo_Input | null | undefined>;
};

export type TrackingInfo_Input = {
  readonly trackingNumberInfo?: TrackingNumber_Input | null | undefined;
};

export type TrackingNumber_Input = {
  readonly trackingNumber?: string | null | undefined;
};

export type FedexAddressVariables = Exact<{
  input: PostalRequest_Input;
}>;


export type FedexAddress = { readonly validatePostal:
    | { readonly __typename: 'Postal', readonly output: { readonly countryCode: string | null | undefined, readonly stateOrProvinceCode: string | null | undefined, readonly cleanedPostalCode: string | null | undefined, readonly locationDescriptions: ReadonlyArray<{ readonly countryCode: string | null | undefined, readonly stateOrProvinceCode: string | null | undefined, readonly postalCode: string | null | undefined } | null | undefined> | null | undefined } | null | undefined }
    | { readonly __typename: 'NotFound' }
    | { readonly __typename: 'Invalid' }
   | null | undefined };

export type FedexTrackingVariables = Exact<{
  input: TrackRequest_Input;
}>;


export type FedexTracking = { readonly trackNumbers:
    | { readonly __typename: 'Tracking', readonly output: { readonly completeTrackResults: ReadonlyArray<{ readonly trackingNumber: string | null | undefined, readonly trackResults: ReadonlyArray<{ readonly error: { readonly code: string | null | undefined } | null | undefined, readonly estimatedDeliveryTimeWindow: { readonly window: { readonly ends: string | null | undefined } | null | undefined } | null | undefined, readonly standardTransitTimeWindow: { readonly window: { readonly ends: string | null | undefined } | null | undefined } | null | undefined, readonly dateAndTimes: ReadonlyArray<{ readonly type: string | null | undefined, readonly dateTime: string | null | undefined } | null | undefined> | null | undefined, readonly scanEvents: ReadonlyArray<{ readonly date: string | null | undefined, readonly eventType: string | null | undefined, readonly derivedStatusCode: string | null | undefined, readonly eventDescription: string | null | undefined, readonly exceptionDescription: string | null | undefined, readonly scanLocation: { readonly city: string | null | undefined, readonly countryCode: string | null | undefined } | null | undefined } | null | undefined> | null | undefined } | null | undefined> | null | undefined } | null | undefined> | null | undefined } | null | undefined }
    | { readonly __typename: 'NotFound' }
    | { readonly __typename: 'Invalid' }
   | null | undefined };

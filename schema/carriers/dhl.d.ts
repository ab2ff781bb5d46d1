// Written by `npm run schema:write`, from dhl.yaml.

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type DhlAddressVariables = Exact<{
  Authorization?: string | null | undefined;
  x_version?: string | null | undefined;
  type: string;
  countryCode: string;
  postalCode?: string | null | undefined;
  cityName?: string | null | undefined;
  countyName?: string | null | undefined;
  strictValidation?: boolean | null | undefined;
}>;


export type DhlAddress = { readonly validateAddress:
    | { readonly __typename: 'Places', readonly address: ReadonlyArray<{ readonly countryCode: string | null | undefined, readonly postalCode: string | null | undefined, readonly cityName: string | null | undefined, readonly countyName: string | null | undefined } | null | undefined> | null | undefined }
    | { readonly __typename: 'NotFound', readonly title: string | null | undefined }
    | { readonly __typename: 'Invalid', readonly title: string | null | undefined, readonly detail: string | null | undefined, readonly message: string | null | undefined, readonly additionalDetails: ReadonlyArray<string | null | undefined> | null | undefined }
   | null | undefined };

export type DhlTrackingVariables = Exact<{
  Authorization?: string | null | undefined;
  x_version?: string | null | undefined;
  shipmentTrackingNumber: string;
  trackingView?: string | null | undefined;
  requestGMTOffsetPerEvent?: boolean | null | undefined;
}>;


export type DhlTracking = { readonly trackShipment:
    | { readonly __typename: 'Tracking', readonly shipments: ReadonlyArray<{ readonly shipmentTrackingNumber: string | null | undefined, readonly estimatedDeliveryDate: string | null | undefined, readonly estimatedTimeOfDelivery: string | null | undefined, readonly shipperDetails: { readonly postalAddress: { readonly provinceCode: string | null | undefined, readonly countryCode: string | null | undefined } | null | undefined, readonly serviceArea: ReadonlyArray<{ readonly code: string | null | undefined, readonly description: string | null | undefined } | null | undefined> | null | undefined } | null | undefined, readonly receiverDetails: { readonly postalAddress: { readonly provinceCode: string | null | undefined, readonly countryCode: string | null | undefined } | null | undefined, readonly serviceArea: ReadonlyArray<{ readonly code: string | null | undefined, readonly description: string | null | undefined } | null | undefined> | null | undefined } | null | undefined, readonly events: ReadonlyArray<{ readonly date: string | null | undefined, readonly time: string | null | undefined, readonly GMTOffset: string | null | undefined, readonly typeCode: string | null | undefined, readonly description: string | null | undefined, readonly serviceArea: ReadonlyArray<{ readonly code: string | null | undefined, readonly description: string | null | undefined } | null | undefined> | null | undefined } | null | undefined> | null | undefined, readonly pieces: ReadonlyArray<{ readonly trackingNumber: string | null | undefined, readonly estimatedDeliveryDate: string | null | undefined, readonly events: ReadonlyArray<{ readonly date: string | null | undefined, readonly time: string | null | undefined, readonly GMTOffset: string | null | undefined, readonly typeCode: string | null | undefined, readonly description: string | null | undefined, readonly serviceArea: ReadonlyArray<{ readonly code: string | null | undefined, readonly description: string | null | undefined } | null | undefined> | null | undefined } | null | undefined> | null | undefined } | null | undefined> | null | undefined } | null | undefined> | null | undefined }
    | { readonly __typename: 'NotFound', readonly title: string | null | undefined }
    | { readonly __typename: 'Invalid', readonly title: string | null | undefined, readonly detail: string | null | undefined, readonly message: string | null | undefined, readonly additionalDetails: ReadonlyArray<string | null | undefined> | null | undefined }
   | null | undefined };

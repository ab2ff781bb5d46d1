// Written by `npm run schema:write`, from amazon.yaml.

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type AmazonTrackingVariables = Exact<{
  x_amz_access_token?: string | null | undefined;
  user_agent?: string | null | undefined;
  x_amzn_shipping_business_id?: string | null | undefined;
  trackingId: string;
  carrierId?: string | null | undefined;
}>;


export type AmazonTracking = { readonly getTracking:
    | { readonly __typename: 'Tracking', readonly payload: { readonly trackingId: string | null | undefined, readonly alternateLegTrackingId: string | null | undefined, readonly promisedDeliveryDate: string | null | undefined, readonly eventHistory: ReadonlyArray<{ readonly eventCode: string | null | undefined, readonly eventTime: string | null | undefined, readonly shipmentType: string | null | undefined, readonly location: { readonly stateOrRegion: string | null | undefined, readonly city: string | null | undefined, readonly countryCode: string | null | undefined, readonly postalCode: string | null | undefined } | null | undefined } | null | undefined> | null | undefined, readonly summary: { readonly status: string | null | undefined, readonly trackingDetailCodes: { readonly forward: ReadonlyArray<string | null | undefined> | null | undefined, readonly returns: ReadonlyArray<string | null | undefined> | null | undefined } | null | undefined } | null | undefined } | null | undefined }
    | { readonly __typename: 'Invalid', readonly errors: ReadonlyArray<{ readonly code: string | null | undefined, readonly message: string | null | undefined, readonly details: string | null | undefined } | null | undefined> | null | undefined }
    | { readonly __typename: 'NotFound', readonly errors: ReadonlyArray<{ readonly code: string | null | undefined, readonly message: string | null | undefined, readonly details: string | null | undefined } | null | undefined> | null | undefined }
   | null | undefined };

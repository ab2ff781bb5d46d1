// Written by `npm run schema:write`, from inpost.yaml.

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type InpostTrackingVariables = Exact<{
  trackingNumber: string;
}>;


export type InpostTracking = { readonly trackShipment:
    | { readonly __typename: 'Tracking', readonly tracking_number: string | null | undefined, readonly expiryDate: string | null | undefined, readonly custom_attributes: { readonly target_machine_id: string | null | undefined, readonly dropoff_machine_id: string | null | undefined, readonly target_machine_detail: { readonly name: string | null | undefined, readonly opening_hours: string | null | undefined, readonly location_description: string | null | undefined, readonly address: { readonly line1: string | null | undefined, readonly line2: string | null | undefined } | null | undefined } | null | undefined, readonly dropoff_machine_detail: { readonly name: string | null | undefined, readonly opening_hours: string | null | undefined, readonly location_description: string | null | undefined, readonly address: { readonly line1: string | null | undefined, readonly line2: string | null | undefined } | null | undefined } | null | undefined } | null | undefined, readonly tracking_details: ReadonlyArray<{ readonly status: string | null | undefined, readonly agency: string | null | undefined, readonly location: string | null | undefined, readonly datetime: string | null | undefined } | null | undefined> | null | undefined }
    | { readonly __typename: 'NotFound', readonly error: string | null | undefined }
    | { readonly __typename: 'Invalid', readonly error: string | null | undefined, readonly message: string | null | undefined }
   | null | undefined };

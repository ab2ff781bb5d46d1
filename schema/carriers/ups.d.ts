// Written by `npm run schema:write`, from ups.yaml and the operations of src/upstream/ups.ts.

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type TransitTimesRequest_Input = {
  readonly originCountryCode: string;
  readonly originCityName?: string | null | undefined;
  readonly originPostalCode?: string | null | undefined;
  readonly destinationCountryCode: string;
  readonly destinationStateProvince?: string | null | undefined;
  readonly destinationCityName?: string | null | undefined;
  readonly destinationPostalCode?: string | null | undefined;
  /** 01 residential or 02 commercial. */
  readonly residentialIndicator?: string | null | undefined;
  readonly weight?: string | null | undefined;
  /** KGS. */
  readonly weightUnitOfMeasure?: string | null | undefined;
  /** Asked for across borders. */
  readonly shipmentContentsValue?: string | null | undefined;
  readonly shipmentContentsCurrencyCode?: string | null | undefined;
  /** 03 for goods. */
  readonly billType?: string | null | undefined;
  readonly numberOfPackages?: string | null | undefined;
  /** The most candidates wanted. */
  readonly maxList?: number | null | undefined;
};

export type UpsAddressVariables = Exact<{
  input: TransitTimesRequest_Input;
}>;


export type UpsAddress = { readonly transitTimes:
    | { readonly __typename: 'TransitTimes', readonly validationList: { readonly invalidFieldList: ReadonlyArray<string | null | undefined> | null | undefined } | null | undefined, readonly destinationPickList: ReadonlyArray<{ readonly countryCode: string | null | undefined, readonly stateProvince: string | null | undefined, readonly city: string | null | undefined, readonly postalCode: string | null | undefined, readonly postalCodeLow: string | null | undefined, readonly postalCodeHigh: string | null | undefined } | null | undefined> | null | undefined, readonly emsResponse: { readonly destinationCityName: string | null | undefined, readonly destinationPostalCode: string | null | undefined, readonly destinationCountryCode: string | null | undefined, readonly services: ReadonlyArray<{ readonly businessTransitDays: string | null | undefined } | null | undefined> | null | undefined } | null | undefined }
    | { readonly __typename: 'NotFound' }
    | { readonly __typename: 'Invalid' }
   | null | undefined };

export type UpsTrackingVariables = Exact<{
  number: string;
}>;


export type UpsTracking = { readonly trackPackage:
    | { readonly __typename: 'Tracking', readonly trackResponse: { readonly shipment: ReadonlyArray<{ readonly package: ReadonlyArray<{ readonly trackingNumber: string | null | undefined, readonly deliveryDate: ReadonlyArray<{ readonly type: string | null | undefined, readonly date: string | null | undefined } | null | undefined> | null | undefined, readonly deliveryTime: { readonly type: string | null | undefined, readonly endTime: string | null | undefined } | null | undefined, readonly activity: ReadonlyArray<{ readonly date: string | null | undefined, readonly time: string | null | undefined, readonly gmtOffset: string | null | undefined, readonly gmtDate: string | null | undefined, readonly gmtTime: string | null | undefined, readonly status: { readonly type: string | null | undefined, readonly statusCode: string | null | undefined, readonly description: string | null | undefined } | null | undefined, readonly location: { readonly address: { readonly city: string | null | undefined, readonly countryCode: string | null | undefined } | null | undefined } | null | undefined } | null | undefined> | null | undefined } | null | undefined> | null | undefined, readonly warnings: ReadonlyArray<{ readonly code: string | null | undefined } | null | undefined> | null | undefined } | null | undefined> | null | undefined } | null | undefined }
    | { readonly __typename: 'NotFound' }
    | { readonly __typename: 'Invalid' }
   | null | undefined };

// Written by `npm run schema:write`, from ups.yaml.

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type TransitTimesRequest_Input = {
  readonly originCountryCode: string;
  /** Mandatory abroad in countries without postal codes. */
  readonly originCityName?: string | null | undefined;
  /** Mandatory within a country. */
  readonly originPostalCode?: string | null | undefined;
  readonly destinationCountryCode?: string | null | undefined;
  /** Two letters in the United States; elsewhere the whole name. */
  readonly destinationStateProvince?: string | null | undefined;
  /** Mandatory abroad in countries without postal codes. */
  readonly destinationCityName?: string | null | undefined;
  /** Mandatory within a country. */
  readonly destinationPostalCode?: string | null | undefined;
  /** 01 residential or 02 commercial; mandatory within a country. */
  readonly residentialIndicator?: string | null | undefined;
  /** Mandatory abroad. The samples have texts. */
  readonly weight?: number | null | undefined;
  /** Mandatory with a weight. */
  readonly weightUnitOfMeasure?: string | null | undefined;
  /** Mandatory across borders with bill type 03. The samples have texts. */
  readonly shipmentContentsValue?: number | null | undefined;
  /** Mandatory with a value. */
  readonly shipmentContentsCurrencyCode?: string | null | undefined;
  /** 03 for goods; mandatory abroad. */
  readonly billType?: string | null | undefined;
  /** The samples have texts. */
  readonly numberOfPackages?: number | null | undefined;
  /** The most candidates wanted. */
  readonly maxList?: number | null | undefined;
};

export type UpsAddressVariables = Exact<{
  Authorization?: string | null | undefined;
  transId?: string | null | undefined;
  transactionSrc?: string | null | undefined;
  input?: TransitTimesRequest_Input | null | undefined;
}>;


export type UpsAddress = { readonly transitTimes:
    | { readonly __typename: 'TransitTimes', readonly validationList: { readonly invalidFieldList: ReadonlyArray<string | null | undefined> | null | undefined, readonly destinationAmbiguous: boolean | null | undefined, readonly originAmbiguous: boolean | null | undefined } | null | undefined, readonly destinationPickList: ReadonlyArray<{ readonly countryCode: string | null | undefined, readonly stateProvince: string | null | undefined, readonly city: string | null | undefined, readonly town: string | null | undefined, readonly postalCode: string | null | undefined, readonly postalCodeLow: string | null | undefined, readonly postalCodeHigh: string | null | undefined } | null | undefined> | null | undefined, readonly originPickList: ReadonlyArray<{ readonly countryCode: string | null | undefined, readonly stateProvince: string | null | undefined, readonly city: string | null | undefined, readonly town: string | null | undefined, readonly postalCode: string | null | undefined, readonly postalCodeLow: string | null | undefined, readonly postalCodeHigh: string | null | undefined } | null | undefined> | null | undefined, readonly emsResponse: { readonly destinationCityName: string | null | undefined, readonly destinationPostalCode: string | null | undefined, readonly destinationCountryCode: string | null | undefined, readonly services: ReadonlyArray<{ readonly businessTransitDays: string | null | undefined } | null | undefined> | null | undefined } | null | undefined }
    | { readonly __typename: 'AmbiguousPlaces', readonly validationList: { readonly invalidFieldList: ReadonlyArray<string | null | undefined> | null | undefined, readonly destinationAmbiguous: boolean | null | undefined, readonly originAmbiguous: boolean | null | undefined } | null | undefined, readonly destinationPickList: ReadonlyArray<{ readonly countryCode: string | null | undefined, readonly stateProvince: string | null | undefined, readonly city: string | null | undefined, readonly town: string | null | undefined, readonly postalCode: string | null | undefined, readonly postalCodeLow: string | null | undefined, readonly postalCodeHigh: string | null | undefined } | null | undefined> | null | undefined, readonly originPickList: ReadonlyArray<{ readonly countryCode: string | null | undefined, readonly stateProvince: string | null | undefined, readonly city: string | null | undefined, readonly town: string | null | undefined, readonly postalCode: string | null | undefined, readonly postalCodeLow: string | null | undefined, readonly postalCodeHigh: string | null | undefined } | null | undefined> | null | undefined }
    | { readonly __typename: 'NotFound', readonly response: { readonly errors: ReadonlyArray<{ readonly code: string | null | undefined, readonly message: string | null | undefined } | null | undefined> | null | undefined } | null | undefined }
    | { readonly __typename: 'Invalid', readonly errors: ReadonlyArray<{ readonly code: string | null | undefined, readonly message: string | null | undefined } | null | undefined> | null | undefined, readonly response: { readonly errors: ReadonlyArray<{ readonly code: string | null | undefined, readonly message: string | null | undefined } | null | undefined> | null | undefined } | null | undefined }
   | null | undefined };

export type UpsTrackingVariables = Exact<{
  Authorization?: string | null | undefined;
  transId?: string | null | undefined;
  transactionSrc?: string | null | undefined;
  inquiryNumber: string;
  locale?: string | null | undefined;
}>;


export type UpsTracking = { readonly trackPackage:
    | { readonly __typename: 'Tracking', readonly response: { readonly errors: ReadonlyArray<{ readonly code: string | null | undefined, readonly message: string | null | undefined } | null | undefined> | null | undefined } | null | undefined, readonly trackResponse: { readonly shipment: ReadonlyArray<{ readonly inquiryNumber: string | null | undefined, readonly package: ReadonlyArray<{ readonly trackingNumber: string | null | undefined, readonly alternateTrackingNumber: ReadonlyArray<{ readonly number: string | null | undefined } | null | undefined> | null | undefined, readonly packageAddress: ReadonlyArray<{ readonly type: string | null | undefined, readonly address: { readonly city: string | null | undefined, readonly stateProvince: string | null | undefined, readonly countryCode: string | null | undefined } | null | undefined } | null | undefined> | null | undefined, readonly activity: ReadonlyArray<{ readonly date: string | null | undefined, readonly time: string | null | undefined, readonly gmtOffset: string | null | undefined, readonly gmtDate: string | null | undefined, readonly gmtTime: string | null | undefined, readonly status: { readonly type: string | null | undefined, readonly statusCode: string | null | undefined, readonly description: string | null | undefined } | null | undefined, readonly location: { readonly address: { readonly city: string | null | undefined, readonly stateProvince: string | null | undefined, readonly countryCode: string | null | undefined } | null | undefined } | null | undefined } | null | undefined> | null | undefined, readonly deliveryDate: ReadonlyArray<{ readonly type: string | null | undefined, readonly date: string | null | undefined } | null | undefined> | null | undefined, readonly deliveryTime: { readonly type: string | null | undefined, readonly endTime: string | null | undefined } | null | undefined } | null | undefined> | null | undefined, readonly warnings: ReadonlyArray<{ readonly code: string | null | undefined, readonly message: string | null | undefined } | null | undefined> | null | undefined } | null | undefined> | null | undefined } | null | undefined }
    | { readonly __typename: 'NotFound', readonly response: { readonly errors: ReadonlyArray<{ readonly code: string | null | undefined, readonly message: string | null | undefined } | null | undefined> | null | undefined } | null | undefined }
    | { readonly __typename: 'Invalid', readonly errors: ReadonlyArray<{ readonly code: string | null | undefined, readonly message: string | null | undefined } | null | undefined> | null | undefined, readonly response: { readonly errors: ReadonlyArray<{ readonly code: string | null | undefined, readonly message: string | null | undefined } | null | undefined> | null | undefined } | null | undefined }
   | null | undefined };

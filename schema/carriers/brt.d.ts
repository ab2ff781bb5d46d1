// Written by `npm run schema:write`, from brt.yaml and the operations of src/upstream/brt.ts.

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type RoutingData_Input = {
  readonly consigneeCompanyName?: string | null | undefined;
  readonly consigneeAddress?: string | null | undefined;
  readonly consigneeZIPCode?: string | null | undefined;
  readonly consigneeCity?: string | null | undefined;
  readonly consigneeProvinceAbbreviation?: string | null | undefined;
  readonly consigneeCountryAbbreviationISOAlpha2?: string | null | undefined;
  readonly numberOfParcels?: number | null | undefined;
  readonly weightKG?: number | null | undefined;
};

export type BrtAddressVariables = Exact<{
  routingData: RoutingData_Input;
}>;


export type BrtAddress = { readonly routeShipment: { readonly routingResponse: { readonly consigneeZIPCode: string | null | undefined, readonly consigneeCity: string | null | undefined, readonly consigneeProvinceAbbreviation: string | null | undefined, readonly executionMessage: { readonly code: number | null | undefined } | null | undefined } | null | undefined } | null | undefined };

export type BrtTrackingVariables = Exact<{
  parcelID: string;
}>;


export type BrtTracking = { readonly trackParcel: { readonly ttParcelIdResponse: { readonly esito: number | null | undefined, readonly executionMessage: { readonly code: number | null | undefined } | null | undefined, readonly bolla: { readonly dati_consegna: { readonly data_teorica_consegna: string | null | undefined, readonly ora_teorica_consegna_a: string | null | undefined } | null | undefined } | null | undefined, readonly lista_eventi: ReadonlyArray<{ readonly evento: { readonly id: string | null | undefined, readonly data: string | null | undefined, readonly ora: string | null | undefined, readonly descrizione: string | null | undefined, readonly filiale: string | null | undefined } | null | undefined } | null | undefined> | null | undefined } | null | undefined } | null | undefined };

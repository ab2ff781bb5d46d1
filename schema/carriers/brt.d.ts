// Written by `npm run schema:write`, from brt.yaml.

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type RoutingRequest_Input = {
  readonly account?: Account_Input | null | undefined;
  readonly routingData: RoutingData_Input;
};

export type Account_Input = {
  readonly userID?: string | null | undefined;
  readonly password?: string | null | undefined;
};

export type RoutingData_Input = {
  /** Empty: the network of the account. */
  readonly network?: string | null | undefined;
  /** The depot of the sender. */
  readonly departureDepot: number;
  /** The client code of the sender. */
  readonly senderCustomerCode: number;
  /** DAP: carriage paid. */
  readonly deliveryFreightTypeCode: string;
  readonly consigneeCompanyName: string;
  readonly consigneeAddress: string;
  readonly consigneeZIPCode: string;
  readonly consigneeCity: string;
  readonly consigneeProvinceAbbreviation?: string | null | undefined;
  readonly consigneeCountryAbbreviationISOAlpha2: string;
  readonly numberOfParcels: number;
  readonly weightKG: number;
};

export type BrtAddressVariables = Exact<{
  input?: RoutingRequest_Input | null | undefined;
}>;


export type BrtAddress = { readonly routeShipment: { readonly routingResponse: { readonly consigneeZIPCode: string | null | undefined, readonly consigneeCity: string | null | undefined, readonly consigneeProvinceAbbreviation: string | null | undefined, readonly executionMessage: { readonly code: number | null | undefined, readonly codeDesc: string | null | undefined, readonly message: string | null | undefined } | null | undefined } | null | undefined } | null | undefined };

export type BrtTrackingVariables = Exact<{
  userID?: string | null | undefined;
  password?: string | null | undefined;
  parcelID: string;
}>;


export type BrtTracking = { readonly trackParcel: { readonly ttParcelIdResponse: { readonly esito: number | null | undefined, readonly contatore_eventi: number | null | undefined, readonly executionMessage: { readonly code: number | null | undefined, readonly codeDesc: string | null | undefined, readonly message: string | null | undefined } | null | undefined, readonly bolla: { readonly dati_spedizione: { readonly spedizione_id: string | null | undefined } | null | undefined, readonly dati_consegna: { readonly data_consegna_merce: string | null | undefined, readonly ora_consegna_merce: string | null | undefined, readonly data_teorica_consegna: string | null | undefined, readonly ora_teorica_consegna_a: string | null | undefined } | null | undefined } | null | undefined, readonly lista_eventi: ReadonlyArray<{ readonly evento: { readonly id: string | null | undefined, readonly data: string | null | undefined, readonly ora: string | null | undefined, readonly descrizione: string | null | undefined, readonly filiale: string | null | undefined } | null | undefined } | null | undefined> | null | undefined } | null | undefined } | null | undefined };

// Written by `npm run schema:write`, from gls.yaml.

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type GlsAddressVariables = Exact<{
  SedeGls?: string | null | undefined;
  CodiceClienteGls?: string | null | undefined;
  PasswordClienteGls?: string | null | undefined;
  SiglaProvincia: string;
  Cap: string;
  Localita: string;
  Indirizzo: string;
}>;


export type GlsAddress = { readonly checkAddress: { readonly Esito: string | null | undefined, readonly AddressList: ReadonlyArray<{ readonly SiglaProvincia: string | null | undefined, readonly Cap: string | null | undefined, readonly Frazione: string | null | undefined, readonly Comune: string | null | undefined, readonly Indirizzo: string | null | undefined, readonly TempoDiResa: string | null | undefined } | null | undefined> | null | undefined } | null | undefined };

export type GlsTrackingVariables = Exact<{
  locpartenza?: string | null | undefined;
  CodCli?: string | null | undefined;
  NumSped: string;
}>;


export type GlsTracking = { readonly trackShipment: { readonly TESTOERRORE: string | null | undefined, readonly SPEDIZIONE: { readonly StatoSpedizione: string | null | undefined, readonly DataConsegna: string | null | undefined, readonly OraConsegna: string | null | undefined, readonly TRACKING: ReadonlyArray<{ readonly Data: string | null | undefined, readonly Ora: string | null | undefined, readonly Luogo: string | null | undefined, readonly Stato: string | null | undefined, readonly Note: string | null | undefined, readonly Codice: string | null | undefined } | null | undefined> | null | undefined, readonly TRACKINGINT: ReadonlyArray<{ readonly Data: string | null | undefined, readonly Ora: string | null | undefined, readonly Luogo: string | null | undefined, readonly Stato: string | null | undefined, readonly Note: string | null | undefined, readonly Collo: string | null | undefined } | null | undefined> | null | undefined, readonly SPEDIZIONEDINOLTRO: ReadonlyArray<{ readonly NumSped: string | null | undefined } | null | undefined> | null | undefined, readonly SPEDIZIONEDIRIENTRO: ReadonlyArray<{ readonly NumSped: string | null | undefined } | null | undefined> | null | undefined } | null | undefined } | null | undefined };

// Written by `npm run schema:write`, from poste.yaml.

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type PosteTrackingVariables = Exact<{
  Authorization?: string | null | undefined;
  POSTE_clientID?: string | null | undefined;
  waybillNumber: string;
  lastTracingState: string;
  statusDescription: string;
  customerType: string;
}>;


export type PosteTracking = { readonly trackWaybill: { readonly return: { readonly outcome: string | null | undefined, readonly code: string | null | undefined, readonly messages: ReadonlyArray<{ readonly code: string | null | undefined, readonly field: string | null | undefined, readonly message: string | null | undefined } | null | undefined> | null | undefined, readonly shipment: ReadonlyArray<{ readonly waybillNumber: string | null | undefined, readonly tracking: ReadonlyArray<{ readonly data: string | null | undefined, readonly officeDescription: string | null | undefined, readonly StatusDescription: string | null | undefined, readonly statusDescription: string | null | undefined, readonly synthesisStatusDescription: string | null | undefined, readonly phase: string | null | undefined, readonly status: string | null | undefined } | null | undefined> | null | undefined } | null | undefined> | null | undefined } | null | undefined } | null | undefined };

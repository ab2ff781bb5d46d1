/** An address that a carrier is asked about; nothing of it is stored or logged. */
export interface AskedAddress {
  /** Street and house number. */
  readonly address: string;
  readonly city: string;
  readonly zip: string;
  /** Abbreviation of the province, in Italy always. */
  readonly provincia: string | null;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
}

/** An address as a carrier knows it; null where it says nothing. */
export interface KnownAddress {
  readonly streetLine1: string | null;
  readonly streetLine2: string | null;
  readonly city: string | null;
  readonly zip: string | null;
  readonly province: string | null;
  readonly country: string | null;
  readonly transitTimeHours: number | null;
}

/**
 * What a carrier found, whatever its format: `confirmed`, it takes the address as it is; `candidates`, addresses it knows,
 * to be compared with the one asked about; `not_found` and `invalid`; `refused`, our credentials or an answer that can't
 * be read; `unavailable`, no answer for now.
 */
export type AddressFinding =
  | { readonly kind: 'confirmed' | 'not_found' | 'invalid' | 'refused' | 'unavailable' }
  | { readonly kind: 'candidates'; readonly addresses: readonly KnownAddress[] };

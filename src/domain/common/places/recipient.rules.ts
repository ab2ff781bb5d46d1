/** Whether a recipient is a company or a person at home, on which prices can depend. */
export const RECIPIENT_TYPES = ['business', 'private'] as const;
export type RecipientType = (typeof RECIPIENT_TYPES)[number];

/** The recipient of a parcel, as queries may show it. */
export interface Recipient {
  readonly companyName: string | null;
  readonly address: string;
  /** Empty where the country has none, or it is not needed. */
  readonly postalCode: string;
  readonly city: string;
  readonly province: string | null;
  /** ISO 3166-1 alpha-2. */
  readonly countryCode: string;
  /** Missing, or null, if it is not stated. */
  readonly type?: RecipientType | null;
}

/** Whether the recipient was anonymized: a recipient that was sent always has a street. */
export function isAnonymized({ address }: Recipient): boolean {
  return address === '';
}

/** The recipient's contact, which is stored separately and shown by no query. */
export interface Contact {
  readonly email: string | null;
  readonly telephone: string | null;
}

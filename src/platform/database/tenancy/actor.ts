/** The actor of a change: a key of the company, an operator on the command line, or the service itself. */
export type Actor =
  | {
      readonly kind: 'key';
      readonly apiKeyId: string;
      readonly label: string;
      readonly requestId: string;
    }
  | { readonly kind: 'operator' }
  | { readonly kind: 'service' };

export const OPERATOR: Actor = { kind: 'operator' };
export const SERVICE: Actor = { kind: 'service' };

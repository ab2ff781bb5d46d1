/** Active endpoints of a company. */
export const MAX_ACTIVE = 10;

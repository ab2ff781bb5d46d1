export const MAX_ACTIVE = 10;

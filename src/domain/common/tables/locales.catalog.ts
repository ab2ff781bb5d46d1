/** How a country writes numbers and days, in the terms of a mapping. */
export const LOCALES = {
  it: { decimals: 'comma', dates: 'day_first' },
  'en-GB': { decimals: 'point', dates: 'day_first' },
  'en-US': { decimals: 'point', dates: 'month_first' },
} as const;
export type Locale = keyof typeof LOCALES;

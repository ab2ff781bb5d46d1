import { z } from 'zod';

const MAX_VALUE = 1_000_000;

/** The range of a number. */
export const range = z
  .strictObject({
    from: z.number().min(0).max(MAX_VALUE).describe('This or more.').optional(),
    over: z.number().min(0).max(MAX_VALUE).describe('More than this.').optional(),
    upTo: z.number().min(0).max(MAX_VALUE).describe('This or less.').optional(),
    below: z.number().min(0).max(MAX_VALUE).describe('Less than this.').optional(),
  })
  .describe('A number lies in it where all that is given holds.')
  .meta({ id: 'Range', minProperties: 1 });

export type Range = z.infer<typeof range>;

import { z } from 'zod';
import { conditionKind } from './condition-kind.rules.ts';
import { needDeclaration } from './customs-territories.rules.ts';

/** Goods that need a customs declaration, or do not. */
export const customsCondition = conditionKind({
  form: {
    customs: z
      .boolean()
      .describe('Whether the goods need a customs declaration, by where they leave and where they go.')
      .optional(),
  },
  isEarly: false,
  isCostly: true,
  guide: ['`customs`', 'true: the goods need a [customs declaration](#customs); false: they need none'],
  words: { customs: 'customs declaration' },
  check: () => undefined,
  compile: ({ customs }) => customs,
  holds: (customs, { shipment: { origin, destination } }) => customs === needDeclaration(origin.place, destination),
});

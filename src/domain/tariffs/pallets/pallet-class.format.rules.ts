import { z } from 'zod';
import { palletType } from '../areas/place.format.rules.ts';
import { atLeastOne, cm, kg } from '../format/parts.format.rules.ts';

export const palletClass = z
  .strictObject({
    code: palletType.describe('The type that pallets of this class have, for prices and conditions.'),
    upToKg: kg.describe('Most real weight of the pallet.').optional(),
    heightCm: cm.describe('Most height.').optional(),
    lengthCm: cm.describe('Most of the longer side of its floor.').optional(),
    widthCm: cm.describe('Most of the shorter side of its floor.').optional(),
    isStackable: z.literal(true).describe('Only pallets on which something can stand.').optional(),
  })
  .meta({ id: 'PalletClass', ...atLeastOne('upToKg', 'heightCm', 'lengthCm', 'widthCm', 'isStackable') });

export type PalletClass = z.infer<typeof palletClass>;

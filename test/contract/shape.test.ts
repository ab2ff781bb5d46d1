import { expect, test } from 'vitest';
import { shapeOf } from '../../src/platform/database/migrations/database-shape.ts';
import { useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();

test('The shape with which an installation is compared is the one that the migrations make', async () => {
  const shape = await shapeOf(world.app.database);
  // To accept a change: npx vitest run --config test/vitest.config.ts -u test/contract/shape.test.ts
  await expect(`${JSON.stringify(shape, undefined, 2)}\n`).toMatchFileSnapshot('../../schema/shape.json');
});

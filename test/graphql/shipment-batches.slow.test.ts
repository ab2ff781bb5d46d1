import { expect, test } from 'vitest';
import { shipment, times, upsertShipments } from '../support/platform-side.ts';
import { useShipper } from './shipment-calls.ts';

const { shipper } = useShipper();

test('A batch of a thousand shipments with fifty relations each is stored', async () => {
  const { caller, brt } = await shipper();
  const batch = times(1000, i =>
    shipment(brt, `n${i}`, { relatedShipments: times(50, j => ({ trackingNumber: `r${i}-${j}`, type: 'child' })) }),
  );
  expect(await upsertShipments(caller, batch)).toMatchObject({ created: 1000, rejected: 0 });
});

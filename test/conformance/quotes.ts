import { deepEqual, equal, ok } from 'node:assert/strict';
import { type Chapter, given, hasFields, isInvalid, isProblem, type Trial } from './statement.ts';

const ITEM = [
  ...['carrierCompanyId', 'carrierCode', 'carrierName', 'chargeableWeight', 'realWeight', 'volumetricWeight'],
  ...['basePrice', 'fuelPrice', 'surchargesPrice', 'optionsPrice', 'codPrice', 'insurancePrice'],
  ...['carrierOptionsDetail', 'totalPrice', 'vatRate', 'vatAmount', 'totalPriceWithVat', 'currency'],
  'estimatedDeliveryDays',
];
const COMPONENTS = ['basePrice', 'fuelPrice', 'surchargesPrice', 'optionsPrice', 'codPrice', 'insurancePrice'];
const ROMA = { country: 'IT', postalCode: '00185', city: 'Roma', province: 'RM' };
const PARCEL = { weight: 4, length: 40, width: 30, height: 30 };

type Item = Readonly<Record<string, number>> & {
  readonly carrierOptionsDetail: readonly { readonly code: string; readonly price: number }[];
};

const cents = (euros: number): number => Math.round(euros * 100);
const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);

/** A quote of a shipment from a warehouse in Milano; `fields` replace and add. */
async function quote({ call, platform }: Trial, fields: object = {}) {
  const warehouseId = await given(platform).warehouse();
  await given(platform).connection();
  return call('POST', '/shipments/quote', {
    body: { warehouseId, destination: ROMA, parcels: [PARCEL], ...fields },
  });
}

async function items(trial: Trial, fields: object = {}): Promise<readonly Item[]> {
  const { status, body } = await quote(trial, fields);
  ok(status === 200 && Array.isArray(body) && body.length > 0, `no items: ${JSON.stringify(body)}`);
  return body;
}

export const quotes: Chapter = {
  title: 'Quotes',
  statements: [
    {
      id: 'Q1',
      promise: 'A quote is 200 with a bare array of items, each with nineteen fields and no others.',
      source: 'specification',
      needs: ['platform'],
      holds: async trial => {
        for (const item of await items(trial, { options: ['sponda'] })) {
          hasFields(item, ITEM);
          for (const option of item.carrierOptionsDetail)
            hasFields(option, ['code', 'price', 'calculated', 'description']);
          equal(item.currency, 'EUR');
        }
      },
    },
    {
      id: 'Q2',
      promise: 'Items are sorted by `totalPriceWithVat`, then `totalPrice`, then `carrierCompanyId`.',
      source: 'specification',
      needs: ['platform'],
      holds: async trial => {
        const found = await items(trial);
        const sorted = found.toSorted(
          (a, b) =>
            Number(a.totalPriceWithVat) - Number(b.totalPriceWithVat) ||
            Number(a.totalPrice) - Number(b.totalPrice) ||
            Number(a.carrierCompanyId) - Number(b.carrierCompanyId),
        );
        deepEqual(found, sorted);
      },
    },
    {
      id: 'Q3',
      promise:
        'To the cent, the six components add up to `totalPrice`, and `totalPrice` and `vatAmount` to `totalPriceWithVat`.',
      source: 'decision',
      needs: ['platform'],
      holds: async trial => {
        const options = ['sponda', 'appuntamento'];
        for (const item of await items(trial, { options, codAmount: 150.55, insuranceAmount: 900 })) {
          equal(sum(COMPONENTS.map(name => cents(Number(item[name])))), cents(Number(item.totalPrice)));
          equal(cents(Number(item.totalPrice)) + cents(Number(item.vatAmount)), cents(Number(item.totalPriceWithVat)));
        }
      },
    },
    {
      id: 'Q4',
      promise: 'The prices of `carrierOptionsDetail` add up to `optionsPrice`, and are sorted by `code`.',
      source: 'decision',
      needs: ['platform'],
      holds: async trial => {
        for (const item of await items(trial, { options: ['sponda', 'appuntamento'] })) {
          const detail = item.carrierOptionsDetail;
          equal(sum(detail.map(({ price }) => cents(price))), cents(Number(item.optionsPrice)));
          deepEqual(
            detail.map(({ code }) => code),
            ['appuntamento', 'sponda'],
          );
        }
      },
    },
    {
      id: 'Q5',
      promise:
        'A tariff that is worked out by hand: 10.8 kg by volume costs 8.90, and with 8.5 % fuel and 2.9 % surcharge 9.92 before VAT and 12.10 with it.',
      source: 'decision',
      needs: ['platform'],
      holds: async trial => {
        const carrierCompanyIds = [await given(trial.platform).connection()];
        const [item] = await items(trial, { carrierCompanyIds });
        const { basePrice, fuelPrice, surchargesPrice, totalPrice, vatRate, vatAmount, totalPriceWithVat } =
          item as Item;
        deepEqual(
          {
            weight: item?.chargeableWeight,
            basePrice,
            fuelPrice,
            surchargesPrice,
            totalPrice,
            vatRate,
            vatAmount,
            totalPriceWithVat,
          },
          {
            weight: 10.8,
            basePrice: 8.9,
            fuelPrice: 0.76,
            surchargesPrice: 0.26,
            totalPrice: 9.92,
            vatRate: 22,
            vatAmount: 2.18,
            totalPriceWithVat: 12.1,
          },
        );
      },
    },
    {
      id: 'Q6',
      promise: 'The upper limit of a weight band belongs to the band.',
      source: 'decision',
      needs: ['platform'],
      holds: async trial => {
        const carrierCompanyIds = [await given(trial.platform).connection()];
        const baseOf = async (weight: number) =>
          (await items(trial, { carrierCompanyIds, parcels: [{ weight, length: 10, width: 10, height: 10 }] }))[0]
            ?.basePrice;
        deepEqual([await baseOf(10), await baseOf(10.01)], [5.35, 8.9]);
      },
    },
    {
      id: 'Q7',
      promise: 'The same request returns the same bytes.',
      source: 'decision',
      needs: ['platform'],
      holds: async trial => equal((await quote(trial)).text, (await quote(trial)).text),
    },
    {
      id: 'Q8',
      promise: 'Totals stand in the place of parcels. Both, neither, or an order and a warehouse together are 422.',
      source: 'decision',
      needs: ['platform'],
      holds: async trial => {
        const totals = { totalWeight: 4, totalVolume: 36_000 };
        await items(trial, { parcels: undefined, ...totals });
        for (const fields of [totals, { parcels: undefined }, { orderId: 1 }]) {
          isProblem(await quote(trial, fields), 422, 'validation_failed');
        }
      },
    },
    {
      id: 'Q9',
      promise:
        'A quote of an order takes warehouse, destination, parcels and cash on delivery from it; `codAmount` replaces its own.',
      source: 'specification',
      needs: ['platform'],
      holds: async trial => {
        const { call, platform } = trial;
        const [warehouseId, carrierCompanyId] = [await given(platform).warehouse(), await given(platform).connection()];
        const parcels = [{ ...PARCEL, quantity: 1 }];
        const orderId = await given(platform).order({
          orderNumber: 'QUOTED-1',
          warehouseId,
          parcels,
          codAmount: '100',
        });
        const of = async (fields: object) => {
          const body = { orderId, carrierCompanyIds: [carrierCompanyId], ...fields };
          return (await call('POST', '/shipments/quote', { body })).body[0]?.codPrice;
        };
        // 3 euros and 1.2 %, at least 4.50.
        deepEqual([await of({}), await of({ codAmount: 500 })], [4.5, 9]);
      },
    },
    {
      id: 'Q10',
      promise: 'An order that lacks a warehouse or parcels is 422; one that does not exist is 404 `order_not_found`.',
      source: 'decision',
      needs: ['platform'],
      holds: async ({ call, platform }) => {
        const orderId = await given(platform).order({ orderNumber: 'QUOTED-2' });
        isProblem(await call('POST', '/shipments/quote', { body: { orderId } }), 422, 'validation_failed');
        const none = await call('POST', '/shipments/quote', { body: { orderId: 2_147_483_647 } });
        isProblem(none, 404, 'order_not_found');
      },
    },
    {
      id: 'Q11',
      promise: 'A warehouse that does not exist is 404 `warehouse_not_found`.',
      source: 'decision',
      holds: async ({ call }) => {
        const body = { warehouseId: 2_147_483_647, destination: ROMA, parcels: [PARCEL] };
        isProblem(await call('POST', '/shipments/quote', { body }), 404, 'warehouse_not_found');
      },
    },
    {
      id: 'Q12',
      promise:
        'If no carrier applies, the response is 200 with one warning object: `warning`, `code`, `message` and `details`.',
      source: 'specification',
      needs: ['platform'],
      holds: async trial => {
        const carrierCompanyIds = [await given(trial.platform).connection()];
        const destination = { country: 'JP', postalCode: '100-0001', city: 'Tokyo' };
        const reasons = [
          [{ destination }, 'DESTINATION_NOT_SERVED'],
          [{ parcels: [{ ...PARCEL, weight: 500 }] }, 'WEIGHT_OUT_OF_RANGE'],
          [{ codAmount: 5_000 }, 'COD_NOT_SUPPORTED'],
          [{ options: ['no_such_option'] }, 'OPTION_NOT_SUPPORTED'],
          [{ shipmentDate: '2019-12-31' }, 'NO_TARIFF_IN_FORCE'],
        ] as const;
        for (const [fields, code] of reasons) {
          const { status, body } = await quote(trial, { carrierCompanyIds, ...fields });
          equal(status, 200, JSON.stringify(body));
          hasFields(body, ['warning', 'code', 'message', 'details']);
          deepEqual([body.warning, body.code], [true, code]);
          for (const detail of body.details) hasFields(detail, ['carrierCompanyId', 'carrierName', 'code', 'message']);
        }
      },
    },
    {
      id: 'Q13',
      promise: '`carrierCompanyIds` limits the quote to these connections.',
      source: 'decision',
      needs: ['platform'],
      holds: async trial => {
        const id = await given(trial.platform).connection();
        const found = await items(trial, { carrierCompanyIds: [id] });
        deepEqual(
          found.map(({ carrierCompanyId }) => carrierCompanyId),
          [id],
        );
      },
    },
    {
      id: 'Q14',
      promise: 'Amounts have at most two decimals and are numbers; parcels have positive weights and sides.',
      source: 'decision',
      needs: ['platform'],
      holds: async trial => {
        isInvalid(await quote(trial, { codAmount: 1.005 }), '/codAmount');
        isInvalid(await quote(trial, { insuranceAmount: '100' }), '/insuranceAmount');
        isInvalid(await quote(trial, { parcels: [{ ...PARCEL, weight: 0 }] }), '/parcels/0/weight');
        isInvalid(await quote(trial, { parcels: [{ ...PARCEL, length: -1 }] }), '/parcels/0/length');
      },
    },
  ],
};

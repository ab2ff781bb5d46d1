import { readFileSync } from 'node:fs';
import fastify from 'fastify';
import pg from 'pg';
import { dayInItaly } from '../../../src/domain/common/date-time.rules.ts';
import { originAt, PLAIN_TERMS } from '../../../src/domain/pricing/quotes/price/shipment.rules.ts';
import { quoteBody, quoteOfBody } from '../../../src/domain/pricing/quotes/quote-body.input.ts';
import { quoteRequest } from '../../../src/domain/pricing/quotes/quote-request.rules.ts';
import { compileTariff } from '../../../src/domain/pricing/tariffs/compile/compile.rules.ts';
import { price } from '../../../src/domain/pricing/tariffs/engine/quote.rules.ts';
import type { Tariff } from '../../../src/domain/pricing/tariffs/format/tariff.format.rules.ts';
import type { Price } from '../../../src/domain/pricing/tariffs/price.rules.ts';
import { carrierOf } from '../../../src/domain/shipping/carriers/carriers.catalog.ts';
import { readInput } from '../../../src/platform/input.ts';
import { companyOf } from './record.ts';

// Quotes written by hand: Fastify and pg, one prepared statement, the same engine; no logging, no metrics.

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 16 });
const app = fastify();

const WAREHOUSE =
  'select country, postal_code as "postalCode", city, state from warehouse where company_id = $1 and id = $2';
const loaded = JSON.parse(readFileSync(process.env.TARIFFS ?? '', 'utf8')) as {
  id: number;
  carrierCode: string;
  tariff: Tariff;
}[];
const connections = loaded.map(({ id, carrierCode, tariff }) => ({
  id,
  carrierCode,
  carrierName: carrierOf(carrierCode).name,
  tariff: compileTariff(tariff),
}));

app.post('/api/v1/integrations/shipments/quote', async (request, reply) => {
  const company = await companyOf(pool, String(request.headers['x-api-key']));
  if (!company) return reply.code(401).send({ code: 'invalid_api_key' });
  const quote = quoteRequest(quoteOfBody(readInput(quoteBody, request.body)), dayInItaly(new Date()));
  if (quote.mode !== 'manual') return reply.code(422).send({ code: 'validation_failed' });
  const found = await pool.query({ name: 'warehouse', text: WAREHOUSE, values: [company, quote.warehouseId] });
  const warehouse = found.rows[0];
  if (!warehouse) return reply.code(404).send({ code: 'warehouse_not_found' });
  const { load, destinations, codCents = 0, insuredCents = 0, options, date } = quote;
  const shipment = {
    ...load,
    origin: originAt(quote.warehouseId, warehouse),
    ...PLAIN_TERMS,
    destination: destinations[0],
    codCents,
    insuredCents,
    options,
    date,
  };
  const items: object[] = [];
  const priced: { connection: (typeof connections)[number]; is: Price }[] = [];
  for (const connection of connections) {
    const is = price(connection.tariff, shipment);
    if (is.ok) priced.push({ connection, is });
  }
  priced.sort(
    (a, b) =>
      a.is.grossCents - b.is.grossCents || a.is.totalCents - b.is.totalCents || a.connection.id - b.connection.id,
  );
  for (const { connection, is } of priced) {
    const { components, version } = is;
    items.push({
      carrierCompanyId: connection.id,
      carrierCode: connection.carrierCode,
      carrierName: connection.carrierName,
      chargeableWeight: is.chargeableGrams / 1000,
      realWeight: is.realGrams / 1000,
      volumetricWeight: is.volumetricGrams / 1000,
      basePrice: components.base / 100,
      fuelPrice: components.fuel / 100,
      surchargesPrice: components.surcharges / 100,
      optionsPrice: components.options / 100,
      codPrice: components.cod / 100,
      insurancePrice: components.insurance / 100,
      carrierOptionsDetail: version.lines.flatMap(({ component, code, calculated, description }, position) => {
        const amount = is.amounts[position] ?? -1;
        return component === 'options' && amount >= 0 ? [{ code, price: amount / 100, calculated, description }] : [];
      }),
      totalPrice: is.totalCents / 100,
      vatRate: is.vatPpm / 10_000,
      vatAmount: is.vatCents / 100,
      totalPriceWithVat: is.grossCents / 100,
      currency: 'EUR',
      estimatedDeliveryDays: is.zone.deliveryDays,
    });
  }
  return items;
});

await app.listen({ port: 0, host: '127.0.0.1' });
process.stdout.write(`listening on ${app.listeningOrigin}\n`);
process.on('SIGTERM', () => process.exit(0));

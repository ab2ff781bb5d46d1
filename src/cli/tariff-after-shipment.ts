import { tenantOfConnection } from '../domain/carriers/connection-admin.service.ts';
import { money, percent, quoteAfterShipment, WORDS } from '../domain/quotes/after-shipment/after-shipment.service.ts';
import { readQuoteBody } from '../domain/quotes/quote.service.ts';
import { uncachedTariffs } from '../domain/tariffs/tariff-book.service.ts';
import { Fault } from '../platform/fault.ts';
import { StartupError } from '../platform/startup-error.ts';
import { readJson } from './files.ts';
import { RejectedFile } from './rejected-file.ts';
import { withDatabase } from './session.ts';

export interface AfterShipmentOptions {
  readonly connection: number;
  readonly event: 'storage' | 'redelivery' | 'return' | 'address_change' | 'waiting';
  readonly service?: string;
  readonly storageDays?: number;
  readonly waitingMinutes?: number;
}

/** Prices an event after the shipment by the tariff of a connection, for a shipment in a file. */
export async function chargeAfterShipment(
  file: string,
  { connection, event: kind, service, storageDays, waitingMinutes }: AfterShipmentOptions,
): Promise<object> {
  const source = await readJson(file);
  if (typeof source.value !== 'object' || source.value === null) throw new RejectedFile([`${file} must be an object`]);
  const { terms, ...sent } = source.value as { terms?: object };
  const termed = service === undefined ? terms : { ...terms, service };
  const quote = source.within(() => readQuoteBody({ ...sent, carrierCompanyIds: [connection] }, termed));
  return withDatabase(async ({ database }) => {
    const tenant = await tenantOfConnection(database, connection);
    const { items, excluded } = await quoteAfterShipment(tenant, uncachedTariffs, quote, [
      { kind, storageDays, waitingMinutes },
    ]).catch((error: unknown) => {
      // An issue of the shipment is shown with its line and column.
      if (!(error instanceof Fault)) throw error;
      return source.within(() => {
        throw error;
      });
    });
    const [item] = items;
    if (!item) {
      const why = excluded[0]?.exclusion.code ?? 'the connection is not active';
      throw new StartupError(`The shipment has no price on connection ${connection}: ${why}.`);
    }
    const [charge] = item.charges;
    if (!charge) return { connection, event: kind, code: null, price: money(0) };
    const { code, description, calculation, cents, vatPpm } = charge;
    const price = money(cents);
    return {
      connection,
      event: kind,
      code,
      description,
      price,
      vatRate: percent(vatPpm),
      calculation: calculation(WORDS.en),
    };
  });
}

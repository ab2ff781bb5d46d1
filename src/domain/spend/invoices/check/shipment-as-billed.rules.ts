import { priceIn } from '../../../pricing/quotes/price/province.rules.ts';
import type { CompiledTariff } from '../../../pricing/tariffs/compile/compiled-tariff.rules.ts';
import { asOffered, servicesAt, versionAt } from '../../../pricing/tariffs/engine/quote.rules.ts';
import type { Shipment } from '../../../pricing/tariffs/shipment-terms.rules.ts';
import { isPriceable, type NotPriceable, type Shipped } from '../../shipped.rules.ts';
import type { BilledLine } from '../billed-line.rules.ts';
import type { StatedTerms } from '../stated-terms.rules.ts';
import { dueFor } from './billed-parts.rules.ts';
import { type TermedShipment, withTerms } from './terms.rules.ts';

/** Completes a shipment by data that only the invoice has, and matches lines with shipments. */

/** The shipment as it is priced, and the terms that are missing. */
export function shipmentOf(
  line: BilledLine,
  shipped: Shipped,
  tariff: CompiledTariff,
  ofInvoice: StatedTerms,
): TermedShipment {
  const { orderNumber } = shipped;
  const { shipment, unknown } = withTerms(shipped, line, ofInvoice);
  // For a shipment without an order, only the invoice has the collected and insured amounts.
  const values =
    orderNumber === null
      ? {
          codCents: shipment.codCents || (line.codCents ?? 0),
          insuredCents: shipment.insuredCents || (line.insuredCents ?? 0),
        }
      : {};
  const offered = { ...asOffered(tariff, shipment), ...values };
  const known = { ...offered, service: offered.service ?? serviceOf(line, shipped, offered, tariff) };
  const options = known.options.length > 0 ? known.options : optionsOf(line, shipped, known, tariff);
  return { shipment: { ...known, options }, unknown };
}

/**
 * A shipment whose order and quote ask for no service goes by the one that the invoice names, or by one whose base price
 * was billed. Undefined for the cheapest that fits.
 */
function serviceOf(line: BilledLine, shipped: Shipped, shipment: Shipment, tariff: CompiledTariff): string | undefined {
  const services = servicesAt(tariff.versions, shipment.date).flatMap(({ service }) => service ?? []);
  const named = services.find(service => isCalled(service, line.service));
  if (named) return named.code;
  const cents = line.charges.reduce((sum, one) => sum + (one.kinds.join() === 'base' ? one.cents : 0), 0);
  return services.find(({ code }) => {
    const priced = priceIn(tariff, { ...shipment, service: code }, shipped.destinations);
    return priced.ok && priced.base.cents === cents;
  })?.code;
}

/** Whether a service or a zone has a code or a name, in anyone's spelling. */
export function isCalled({ code, name }: { readonly code: string; readonly name: string }, text: string | null) {
  const sought = text?.trim().toLowerCase();
  return code.toLowerCase() === sought || name.toLowerCase() === sought;
}

/**
 * Options are not stored with shipments: billed options count as ordered, by the codes of the mapping, or by one or two
 * whose prices equal the billed amount.
 */
function optionsOf(line: BilledLine, shipped: Shipped, shipment: Shipment, tariff: CompiledTariff): readonly string[] {
  const version = versionAt(tariff.versions, shipment.date);
  const charges = line.charges.filter(({ cents }) => cents !== 0);
  const offered = [...(version?.optionPositions.keys() ?? [])];
  const named = offered.filter(code => charges.some(({ lines }) => lines.includes(code)));
  const cents = charges.reduce((sum, one) => sum + (one.kinds.join() === 'options' ? one.cents : 0), 0);
  if (cents === 0) return named;
  const others = offered.filter(code => !named.includes(code));
  const pairs = others.flatMap((code, i) => [[code], ...others.slice(i + 1).map(other => [code, other])]);
  for (const codes of pairs.toSorted((a, b) => a.length - b.length)) {
    const priced = priceIn(tariff, { ...shipment, options: [...named, ...codes] }, shipped.destinations);
    const positions = codes.map(code => version?.optionPositions.get(code) ?? 0);
    if (priced.ok && dueFor({ positions }, priced) === cents) return [...named, ...codes];
  }
  return named;
}

/** The shipment of a line; several if nothing distinguishes them. */
export function matched(
  line: BilledLine,
  found: readonly (Shipped | NotPriceable)[],
): readonly (Shipped | NotPriceable)[] {
  if (found.length < 2 || line.date === null) return found;
  const ofDay = found.filter(one => isPriceable(one) && one.shipment.date === line.date);
  return ofDay.length > 0 ? ofDay : found;
}

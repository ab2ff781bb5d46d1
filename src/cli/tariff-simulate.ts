import { InvalidArgumentError } from 'commander';
import { tenantOfCompany } from '../domain/access/access.service.ts';
import { simulateTariffsInput } from '../domain/spend/simulations/simulation.input.ts';
import { accountCents, runSimulation } from '../domain/spend/simulations/simulation.service.ts';
import { shipmentFilter } from '../domain/tracking/lists/shipment-filter.input.ts';
import { readInput } from '../platform/input.ts';
import { openForWriting, readJson } from './files.ts';
import { FileNames } from './import-columns.ts';
import { Progress } from './progress.ts';
import { withDatabase } from './session.ts';
import { tableOf } from './table.ts';
import { isTable } from './table-files.ts';
import { readTariffFiles } from './tariff-files.ts';

export interface SimulateOptions {
  readonly company: string;
  readonly from: string;
  readonly to: string;
  readonly tariff?: readonly string[];
  readonly carrier?: readonly string[];
  readonly pricedOn?: string;
  readonly service?: string;
  readonly filter?: string;
  readonly csv?: string;
}

type Simulated = Awaited<ReturnType<typeof runSimulation>>;

/** Prices the shipments of a period by other tariffs, in this process, and stores nothing. */
export function simulateTariffs(options: SimulateOptions): Promise<object> {
  return withDatabase(async ({ database }) => {
    const input = readInput(simulateTariffsInput, await inputOf(options));
    const tenant = await tenantOfCompany(database, options.company);
    const file = options.csv === undefined ? undefined : await openForWriting(options.csv, 'w');
    const progress = new Progress('shipments');
    try {
      const simulated = await runSimulation(tenant, input, async (page, { tally, progress: share }) => {
        progress.update(tally.shipments, share);
        await file?.appendFile(page.csv);
      });
      return answerOf(simulated);
    } finally {
      progress.end();
      await file?.close();
    }
  });
}

async function inputOf({ from, to, tariff: tariffs = [], carrier: carriers, ...others }: SimulateOptions) {
  const { pricedOn, service } = others;
  if (tariffs.length === 0 && (pricedOn !== undefined || service !== undefined))
    throw new InvalidArgumentError('--priced-on and --service apply to the tariffs of --tariff: give one.');
  const sent: object[] = [];
  for (const one of tariffs) sent.push({ ...(await tariffOf(one)), pricingDate: pricedOn, service });
  return { period: { from, to }, tariffs: sent, filter: filterOf(others.filter), ...(carriers && { carriers }) };
}

/** `17` is a revision or a draft, `8=gls.json` or `8=gls.xlsx` a file for connection 8. */
async function tariffOf(text: string): Promise<object> {
  const [, id, file] = /^(\d{1,9})(?:=(.+))?$/.exec(text) ?? [];
  if (id === undefined) {
    throw new InvalidArgumentError(
      '--tariff is the number of a revision, or a connection and a file such as 8=gls.json.',
    );
  }
  if (file === undefined) return { tariff: { tariffRevisionId: Number(id) } };
  const tariff = isTable(file) ? (await readTariffFiles(file, {})).tariff : (await readJson(file)).value;
  if (tariff === undefined) throw new InvalidArgumentError(`${file} is a grid of bands: give a whole tariff.`);
  return { tariff: { document: { carrierConnectionId: Number(id), tariff } } };
}

function filterOf(text: string | undefined): unknown {
  if (text === undefined) return null;
  try {
    return new FileNames(shipmentFilter).input(JSON.parse(text));
  } catch {
    throw new InvalidArgumentError('--filter must be JSON, such as {"provinces":["PA"]}.');
  }
}

const eur = (cents: number) => (cents / 100).toFixed(2);

function answerOf({ plan, tally }: Simulated) {
  const booked = Object.entries(tally.booked).map(([id, { shipments, netCents, account }]) => ({
    carrierCompanyId: Number(id),
    shipments,
    total: eur(netCents),
    account: eur(accountCents(account)),
  }));
  const tariffs = tally.tariffs.map((of, i) => ({
    number: i + 1,
    carrier: plan.tariffs[i]?.carrierCode ?? '',
    name: plan.tariffs[i]?.name ?? '',
    shipments: of.all.shipments,
    total: eur(of.all.netCents),
    account: eur(accountCents(of.account)),
    bonus: eur(of.account.bonus?.cents ?? 0),
    before: eur(of.compared.beforeCents),
    after: eur(of.compared.afterCents),
    difference: eur(of.compared.afterCents - of.compared.beforeCents),
    cheapestFor: of.cheapest.shipments,
    notPriced: countsOf(of.notPriced),
    zones: Object.values(of.zones).map(({ code, shipments, netCents }) => ({
      code,
      shipments,
      basePrice: eur(netCents),
    })),
    accountCharges: of.account.charges.map(({ code, months, cents }) => ({
      code,
      months,
      amount: eur(cents),
    })),
    lines: Object.entries(of.lines).map(([code, { shipments, netCents }]) => ({
      code,
      shipments,
      amount: eur(netCents),
    })),
  }));
  const { all, compared } = tally.mix;
  return {
    period: plan.period,
    shipments: tally.shipments,
    asShipped: { byConnection: booked, notPriced: countsOf(tally.bookedNotPriced) },
    tariffs,
    cheapestMix: {
      shipments: all.shipments,
      total: eur(all.netCents),
      before: eur(compared.beforeCents),
      after: eur(compared.afterCents),
      difference: eur(compared.afterCents - compared.beforeCents),
    },
    notPriceable: countsOf(tally.notPriceable),
  };
}

function countsOf(counts: Simulated['tally']['notPriceable']): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).map(([reason, { shipments }]) => [reason, shipments]));
}

/** A simulation for people. */
export async function inWords(answer: object): Promise<string> {
  const { shipments, tariffs, cheapestMix, notPriceable } = answer as ReturnType<typeof answerOf>;
  const hasAccounts = tariffs.some(({ account, bonus }) => account !== eur(0) || bonus !== eur(0));
  const rows = tariffs.map(({ zones: _, lines: __, accountCharges: ___, account, bonus, notPriced, ...shown }) => ({
    ...shown,
    ...(hasAccounts && { account, bonus }),
    notPriced: Object.values(notPriced).reduce((sum, count) => sum + count, 0),
  }));
  const missing = Object.entries(notPriceable).map(([reason, count]) => `${count} ${reason}`);
  return [
    `${shipments} shipments; prices in EUR before VAT. "before" and "after" are of shipments that have both prices.`,
    await tableOf(rows, {}),
    ...(hasAccounts ? ['"account" is charged for the account, beside "total". "bonus" is a projection.'] : []),
    `Cheapest of these for each shipment: ${cheapestMix.total} for ${cheapestMix.shipments} shipments, ${cheapestMix.difference} against what they cost.`,
    ...(missing.length > 0 ? [`Can't be priced: ${missing.join(', ')}`] : []),
  ].join('\n');
}

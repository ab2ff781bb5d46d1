import { builder } from '../../../graphql/builder.ts';
import type { RequestContext } from '../../../graphql/context.ts';
import { TariffRevisionRef } from '../../pricing/tariffs/revisions/revisions.graphql.ts';
import {
  CarrierConnectionRef,
  carrierConnectionOf,
  recordIdOfConnection,
} from '../../shipping/carriers/carriers.graphql.ts';
import { accountCents } from './account-sums.rules.ts';
import type { SimulationRow } from './simulation.repository.ts';
import type { AboutSimulation } from './simulation.rules.ts';
import { revisionById, SimulatedPrices } from './simulation.service.ts';
import {
  AccountRef,
  type Comparison,
  ComparisonRef,
  LineRef,
  NotPricedRef,
  reasonsOf,
  ServiceRef,
  ZoneRef,
} from './simulation-sums.graphql.ts';
import type { TariffTally } from './tally.rules.ts';

/** One tariff of a simulation, with the price of all shipments. */

interface OfTariff {
  readonly row: SimulationRow;
  readonly position: number;
}

const aboutOf = ({ row, position }: OfTariff) => row.about.tariffs[position] as AboutSimulation['tariffs'][number];
const tallyOf = ({ row, position }: OfTariff) => row.tally.tariffs[position] as TariffTally;

const rowPrices = new WeakMap<SimulationRow, SimulatedPrices>();

/** The data that explain the prices of a simulation, read once. */
export function comparisonOf(
  row: SimulationRow,
  compared: Comparison['compared'],
  { tenant }: RequestContext,
): Comparison {
  const prices = () => {
    const known = rowPrices.get(row) ?? new SimulatedPrices(tenant, row.id);
    rowPrices.set(row, known);
    return known;
  };
  return { compared, prices };
}

export const SimulatedTariffRef = builder.objectRef<OfTariff>('SimulatedTariff').implement({
  description: 'What all shipments of a simulation would have cost on one tariff. EUR before VAT, unless it says so.',
  fields: t => ({
    number: t.int({ description: 'Counts the tariffs of the simulation from 1.', resolve: of => of.position + 1 }),
    name: t.string({ description: 'Name of the tariff.', resolve: of => aboutOf(of).name }),
    carrierConnectionId: t.id({
      description: 'Id of its carrier connection.',
      resolve: of => recordIdOfConnection(aboutOf(of).carrierCompanyId),
    }),
    carrierConnection: t.field({
      type: CarrierConnectionRef,
      nullable: true,
      description: 'The carrier connection, even if it was disconnected.',
      authScopes: { scope: 'carriers:read' },
      resolve: (of, _args, context) => carrierConnectionOf(context, aboutOf(of).carrierCompanyId),
    }),
    revision: t.nullable(
      TariffRevisionRef,
      'The revision or draft. Null for a tariff that was sent, and for a draft that is gone.',
      async (of, _args, { tenant }) => {
        const { revisionId } = aboutOf(of);
        return revisionId === null ? null : revisionById(tenant, revisionId);
      },
    ),
    isInForce: t.value('Boolean', 'Whether quotes used it when the simulation began.', of => aboutOf(of).isInForce),
    pricingDate: t.nullable(
      'Date',
      'The day on which all shipments are assumed to have left. Null for the day of each.',
      of => aboutOf(of).pricedOn,
    ),
    service: t.string({
      nullable: true,
      description: 'Code of the service by which all shipments are priced. Null for the service of each.',
      resolve: of => aboutOf(of).service,
    }),
    shipments: t.int({ description: 'Number of shipments that it prices.', resolve: of => tallyOf(of).all.shipments }),
    total: t.money('The total of these shipments.', of => tallyOf(of).all.netCents),
    totalWithVat: t.money('The total with VAT.', of => tallyOf(of).all.grossCents),
    account: t.field({
      type: AccountRef,
      description: 'The charges for the account, which are not part of `total`.',
      resolve: of => tallyOf(of).account,
    }),
    totalWithAccount: t.money(
      '`total` and the charges of the account, without a bonus.',
      of => tallyOf(of).all.netCents + accountCents(tallyOf(of).account),
    ),
    comparison: t.field({
      type: ComparisonRef,
      description: 'The comparison with the actual prices of the shipments.',
      resolve: (of, _args, context) => comparisonOf(of.row, tallyOf(of).compared, context),
    }),
    zones: t.field({
      type: [ZoneRef],
      description: 'Its zones that have shipments, by code.',
      resolve: of => Object.values(tallyOf(of).zones).toSorted((one, other) => (one.code < other.code ? -1 : 1)),
    }),
    services: t.value(
      [ServiceRef],
      'Its services that have shipments. A shipment goes by the service of its order or its quote if the tariff has that, or else by the cheapest that fits. They add up to `total`; none if the tariff has no services.',
      of => Object.entries(tallyOf(of).services),
    ),
    lines: t.field({
      type: [LineRef],
      description: 'Its lines that were charged. They add up to `total`.',
      resolve: of => Object.entries(tallyOf(of).lines),
    }),
    notPriced: t.field({
      type: [NotPricedRef],
      description: 'Shipments that it does not price, by the reason.',
      resolve: of => reasonsOf(tallyOf(of).notPriced),
    }),
    cheapestShipments: t.int({
      description: 'Number of shipments for which it is the cheapest.',
      resolve: of => tallyOf(of).cheapest.shipments,
    }),
    cheapestTotal: t.money('The total of these shipments on the tariff.', of => tallyOf(of).cheapest.netCents),
  }),
});

import { builder } from '../../../graphql/builder.ts';
import { TARIFF_IMPORT } from '../../../graphql/costs.ts';
import { enumType } from '../../../graphql/enum-type.ts';
import { connectionOf, PAGE_ARGS, pageById, pageCost } from '../../../graphql/lists.ts';
import { mutation, numberId } from '../../../graphql/mutation.ts';
import { numberSought } from '../../../graphql/node-id.ts';
import { numberedNode } from '../../../graphql/nodes.ts';
import { idArg, lookUp, query } from '../../../graphql/query.ts';
import {
  CarrierConnectionRef,
  carrierConnectionOf,
  recordIdOfConnection,
} from '../../shipping/carriers/carriers.graphql.ts';
import { accountCents } from './account-sums.rules.ts';
import { comparisonOf, SimulatedTariffRef } from './simulated-tariff.graphql.ts';
import { simulateTariffsInput } from './simulation.input.ts';
import { countSimulations, type SimulationRow, simulationById, simulationsPage } from './simulation.repository.ts';
import type { AboutSimulation } from './simulation.rules.ts';
import { deleteSimulation, KEPT_DAYS, simulation, startSimulation } from './simulation.service.ts';
import { AccountRef, ComparisonRef, NotPricedRef, reasonsOf } from './simulation-sums.graphql.ts';
import type { BookedSum } from './tally.rules.ts';

const scope = 'carriers:manage';
const authScopes = { scope } as const;
const DAY_MS = 24 * 3_600_000;

const StateEnum = enumType('TariffSimulationState', 'How far a simulation is.', {
  running: 'A worker prices the shipments; the sums are of those that it has priced.',
  done: 'All shipments are priced.',
  failed: 'It failed; `problem` says why.',
});

const PeriodRef = builder.objectRef<AboutSimulation['period']>('SimulatedPeriod').implement({
  description: 'Days in Italy on which shipments left.',
  fields: t => t.columns('Date', { from: 'The first day.', to: 'The last day.' }),
});

const MixRef = builder.objectRef<SimulationRow>('CheapestMix').implement({
  description:
    'Each shipment on the cheapest of the tariffs, by the price with VAT, then without, then the number of the tariff. `cheapestShipments` of each tariff is the number of its shipments.',
  fields: t => ({
    shipments: t.int({
      description: 'Number of shipments that at least one tariff prices.',
      resolve: ({ tally }) => tally.mix.all.shipments,
    }),
    total: t.money('Their total, EUR before VAT.', ({ tally }) => tally.mix.all.netCents),
    totalWithVat: t.money('The total with VAT.', ({ tally }) => tally.mix.all.grossCents),
    comparison: t.field({
      type: ComparisonRef,
      description: 'The comparison with the actual prices of the shipments.',
      resolve: (row, _args, context) => comparisonOf(row, row.tally.mix.compared, context),
    }),
  }),
});

type BookedEntry = readonly [carrierConnectionId: number, sum: BookedSum];

const BookedCarrierRef = builder.objectRef<BookedEntry>('ShippedOnConnection').implement({
  description: 'What the shipments of one carrier connection cost on its tariff in force.',
  fields: t => ({
    carrierConnectionId: t.value('ID', 'Id of the carrier connection.', ([id]) => recordIdOfConnection(id)),
    carrierConnection: t.field({
      type: CarrierConnectionRef,
      nullable: true,
      description: 'The carrier connection, even if it was disconnected.',
      authScopes: { scope: 'carriers:read' },
      resolve: ([id], _args, context) => carrierConnectionOf(context, id),
    }),
    shipments: t.int({ description: 'Number of shipments.', resolve: ([, { shipments }]) => shipments }),
    total: t.money('EUR before VAT.', ([, { netCents }]) => netCents),
    totalWithVat: t.money('EUR with VAT.', ([, { grossCents }]) => grossCents),
    account: t.field({
      type: AccountRef,
      description: 'What the tariff charges for the account, which is not part of `total`.',
      resolve: ([, { account }]) => account,
    }),
  }),
});

const bookedOf = ({ tally }: SimulationRow): BookedEntry[] =>
  Object.entries(tally.booked).map(([id, sum]) => [Number(id), sum]);

const AsShippedRef = builder.objectRef<SimulationRow>('ShippedAsBooked').implement({
  description: 'What the shipments cost as they were shipped: on the tariffs in force of their own connections.',
  fields: t => ({
    shipments: t.int({
      description: 'Number of shipments that have a price.',
      resolve: row => bookedOf(row).reduce((sum, [, { shipments }]) => sum + shipments, 0),
    }),
    total: t.money('Their total, EUR before VAT.', row =>
      bookedOf(row).reduce((sum, [, { netCents }]) => sum + netCents, 0),
    ),
    totalWithAccount: t.money('`total` and the charges of the accounts of these connections, without bonuses.', row =>
      bookedOf(row).reduce((sum, [, { netCents, account }]) => sum + netCents + accountCents(account), 0),
    ),
    byConnection: t.value([BookedCarrierRef], 'By carrier connection.', bookedOf),
    notPriced: t.field({
      type: [NotPricedRef],
      description: 'Shipments that have no price on the tariff of their own connection, by the reason.',
      resolve: ({ tally }) => reasonsOf(tally.bookedNotPriced),
    }),
  }),
});

export const SimulationRef = builder.objectRef<SimulationRow>('TariffSimulation').implement({
  description: 'What the shipments of a period would have cost on other tariffs. It is kept for 30 days.',
  fields: t => ({
    databaseId: t.exposeInt('id', { description: 'Number of the simulation.' }),
    state: t.expose('state', { type: StateEnum, description: 'How far it is.' }),
    problem: t.exposeString('problem', { nullable: true, description: 'Why it failed.' }),
    progress: t.exposeFloat('progress', {
      description: 'About how much is done, from 0 to 1, by the times at which the shipments were created.',
    }),
    period: t.field({ type: PeriodRef, description: 'When the shipments left.', resolve: ({ about }) => about.period }),
    shipments: t.value('Int', 'Number of shipments that were processed so far.', ({ tally }) => tally.shipments),
    asShipped: t.value(AsShippedRef, 'The prices of the shipments as they were shipped.', row => row),
    tariffs: t.field({
      type: [SimulatedTariffRef],
      description: 'The prices on each tariff, in the order of the request.',
      resolve: row => row.about.tariffs.map((_, position) => ({ row, position })),
    }),
    cheapestMix: t.value(MixRef, 'Each shipment on the cheapest of the tariffs.', row => row),
    notPriceable: t.field({
      type: [NotPricedRef],
      description: 'Shipments that lack what every price needs, by the reason.',
      resolve: ({ tally }) => reasonsOf(tally.notPriceable),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it began.' }),
    ...t.nullableColumns('DateTime', { finishedAt: 'When it ended. Null while it runs.' }),
    expiresAt: t.field({
      type: 'DateTime',
      description: 'When it will be deleted.',
      resolve: ({ createdAt }) => new Date(createdAt.getTime() + KEPT_DAYS * DAY_MS),
    }),
  }),
});

numberedNode(SimulationRef, scope, simulationById);

query('tariffSimulations', {
  type: connectionOf(SimulationRef),
  description: "The company's simulations of tariffs, the newest first; at most 100 are kept.",
  authScopes,
  args: PAGE_ARGS,
  complexity: pageCost,
  resolve: (_root, args, { tenant }) =>
    pageById(
      args,
      () => countSimulations(tenant),
      page => simulationsPage(tenant, page),
    ),
});

query('tariffSimulation', {
  type: SimulationRef,
  nullable: true,
  description: 'One simulation. Null if the company has none with this id.',
  authScopes,
  args: idArg('Global id of the simulation, or its `databaseId`.'),
  resolve: (_root, { id }, context) =>
    lookUp(context, () => simulation(context.tenant, numberSought('TariffSimulation', id))),
});

mutation('simulateTariffs', {
  description:
    'Prices the shipments of a period on other tariffs. For up to 1,000 shipments the result is there at once. For more, a worker continues, and `tariffSimulation` shows the progress. No tariff and no shipment is changed.',
  scope,
  fields: simulateTariffsInput,
  payload: { simulation: { type: SimulationRef, description: 'The simulation.' } },
  complexity: TARIFF_IMPORT,
  resolve: async (input, { tenant, jobs }) => ({ simulation: await startSimulation(tenant, jobs, input) }),
});

mutation('deleteTariffSimulation', {
  description: 'Deletes a simulation, and stops it if it runs.',
  scope,
  ids: { id: numberId('TariffSimulation', 'The simulation.') },
  payload: { simulation: { type: SimulationRef, description: 'The simulation as it was.' } },
  resolve: async ({ id }, { tenant }) => ({ simulation: await deleteSimulation(tenant, id) }),
});

import { defineEntity, p } from '@mikro-orm/core';
import { foreignKeys, ofCompany } from '../../../platform/database/tenancy/company-entity.ts';
import type { AboutSimulation, SimulationPlan } from './simulation.rules.ts';
import type { Tally } from './tally.rules.ts';

/** Shipments of a period, priced on other tariffs. */
export const TariffSimulationEntity = defineEntity({
  name: 'TariffSimulation',
  tableName: 'tariff_simulation',
  ...ofCompany,
  properties: {
    id: p.integer().primary().autoincrement().generated('by default as identity'),
    companyId: p.uuid().primary(),
    state: p.enum(['running', 'done', 'failed']),
    problem: p.text().nullable(),
    about: p.json<AboutSimulation>(),
    plan: p.json<SimulationPlan>(),
    tally: p.json<Tally>().columnType('json'),
    positionKey: p.double().nullable(),
    positionId: p.integer().nullable(),
    progress: p.double().default(0).check("progress >= '0' and progress <= '1'"),
    batches: p.integer().default(0),
    attempts: p.integer().default(0),
    createdAt: p.datetime(3).defaultRaw('now()'),
    finishedAt: p.datetime(3).nullable(),
  },
  checks: [{ name: 'tariff_simulation_check', expression: "(state = 'running') = (finished_at is null)" }],
  indexes: [{ name: 'tariff_simulation_by_age', properties: ['createdAt'] }],
  ...foreignKeys({ columns: ['company_id'], references: 'company' }),
});

/** A part of the CSV of a simulation. */
export const TariffSimulationPageEntity = defineEntity({
  name: 'TariffSimulationPage',
  tableName: 'tariff_simulation_page',
  ...ofCompany,
  properties: {
    companyId: p.uuid().primary(),
    simulationId: p.integer().primary(),
    number: p.integer().primary().check('number > 0'),
    shipments: p.integer(),
    csv: p.text(),
  },
  ...foreignKeys({ columns: ['company_id', 'simulation_id'], references: 'tariff_simulation', onDelete: 'cascade' }),
});

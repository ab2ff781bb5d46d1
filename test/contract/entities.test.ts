import { type AnyEntity, defineEntity, type EntitySchema, MikroORM, p } from '@mikro-orm/postgresql';
import { describe, expect, inject, test } from 'vitest';
import { databaseOptions } from '../../mikro-orm.config.ts';
import { urlOf } from '../support/databases.ts';

/**
 * Migrations alone change the database; entities only describe the columns that the unit of work writes. These are the
 * statements by which MikroORM would make the database what the entities say, each with the reason why they need not say
 * it. None adds a column, or changes a type or whether it may be null: there, an entity would be wrong.
 */
const EXPECTED: readonly { readonly statement: RegExp; readonly because: string }[] = [
  {
    statement:
      /^drop table if exists "(audit_entry|audit_head|carrier_call|carrier_invoice|carrier_invoice_line|carrier_invoice_finding|carrier_reference|carrier_tariff_revision|erased_company|old_shipment_walk|saved_quote|tariff_simulation|tariff_simulation_page|tariff|tariff_version|tariff_zone|tariff_place|tariff_band|tracking_event|tracking_poll|shipment_estimate|tracking_change|tracking_change_count|shipment_promise|promise|promise_cell|promise_accuracy|suspended_job|webhook_event|webhook_delivery|webhook_attempt|webhook_endpoint_count|idempotent_request|rate_use|secrets_key)" cascade$/,
    because:
      'These tables have no entity: they are read and written by statements of their repositories, many rows at once.',
  },
  {
    statement:
      /^drop (trigger if exists "(audit_entry|audit_head|erased_company)_is_kept"|function if exists "(audit_entry_audit_entry|audit_head_audit_head|erased_company_erased_company)_is_kept_fn")/,
    because: 'The triggers that keep the audit trail and the proofs of erasures are SQL of migrations.',
  },
  {
    statement: /^alter table "api_key" drop column "expiry_told_at"$/,
    because: 'Only the statement that finds keys to tell of writes it.',
  },
  {
    statement: /^alter table "carrier_connection" drop column "follow_after"$/,
    because: 'Only the statements that choose what to poll read and write it.',
  },
  {
    statement:
      /^alter table "shipment"( drop column "(event_sequence|delay_told_at|stall_told_at|carrier_expected_at|carrier_estimate_told_at)",?)+$/,
    because:
      'Only the statements of the webhook fan-out and of polling write them; a unit of work would write back what is old.',
  },
  {
    statement: /^alter table "\w+" drop constraint "\w+"$/,
    because:
      'Checks, unique constraints and foreign keys with company_id are SQL of the migrations. The entities have no relations, so that nothing is loaded past its company.',
  },
  {
    statement: /^drop index "\w+"$/,
    because: 'Indexes are SQL of the migrations: most are partial, and some are built concurrently.',
  },
  {
    statement: /^alter table "\w+" alter column "\w+" drop default$/,
    because: 'Defaults serve statements and earlier versions that name no value; the unit of work always sends one.',
  },
];

/** By which statements MikroORM would change a migrated database. */
async function differences(entities?: readonly EntitySchema<AnyEntity>[]): Promise<string[]> {
  const options = databaseOptions(urlOf(inject('serverUrl'), inject('template')), 1);
  const orm = new MikroORM({ ...options, ...(entities && { entities: [...entities] }) });
  try {
    const sql = await orm.schema.getUpdateSchemaSQL({ wrap: false });
    return sql.split(/;\s*/).filter(statement => statement !== '');
  } finally {
    await orm.close(true);
  }
}

const unexpected = (statements: readonly string[]) =>
  statements.filter(one => !EXPECTED.some(({ statement }) => statement.test(one)));

describe('entities and migrations', () => {
  test('describe the same columns, save for what is listed', async () => {
    const statements = await differences();
    expect(unexpected(statements)).toEqual([]);
    const unused = EXPECTED.filter(({ statement }) => !statements.some(one => statement.test(one)));
    expect(unused).toEqual([]);
  });

  const others = {
    companyId: p.uuid().primary(),
    id: p.integer().primary().autoincrement().generated('by default as identity'),
    name: p.text(),
    typeId: p.smallint(),
    address: p.text(),
    postalCode: p.text(),
    city: p.text(),
    country: p.text(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  };
  const faults: [fault: string, properties: object, found: string][] = [
    ['a column without a property', others, 'alter table "warehouse" drop column "state"'],
    [
      'a property without a column',
      { ...others, state: p.text(), zone: p.text() },
      'alter table "warehouse" add "zone" text not null',
    ],
    [
      'another type',
      { ...others, state: p.integer() },
      'alter table "warehouse" alter column "state" type int using ("state"::int)',
    ],
    [
      'null where the column takes none',
      { ...others, state: p.text().nullable() },
      'alter table "warehouse" alter column "state" drop not null',
    ],
  ];
  test.each(faults)('%s is found', async (_, properties, found) => {
    const faulty = defineEntity({ name: 'Warehouse', tableName: 'warehouse', properties });
    expect(unexpected(await differences([faulty as EntitySchema<AnyEntity>]))).toContain(found);
  });
});

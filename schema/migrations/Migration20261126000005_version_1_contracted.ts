import { Migration } from '@mikro-orm/migrations';

const SANDBOX_COLUMNS = ['api_key', 'webhook_endpoint', 'tariff_simulation'];

/** Validates what the migrations before have filled, and drops what version 1.0 does not read. */
export default class Migration20261126000005_version_1_contracted extends Migration {
  readonly contracts = [
    ...['promise_cell', 'shipment.carrier_estimate_told_at'],
    ...SANDBOX_COLUMNS.map(table => `${table}.environment`),
  ];

  override up(): void {
    this.addSql('alter table company validate constraint company_sandbox_of_fkey');
    this.addSql('alter table tariff validate constraint tariff_is_revision');
    this.addSql('alter table tariff validate constraint tariff_company_id_revision_id_fkey');
    this.addSql('alter table tariff alter column revision_id set not null');
    this.addSql('alter table tariff drop constraint tariff_is_revision');
    this.addSql('alter table carrier_tariff_revision validate constraint carrier_tariff_revision_published');
    this.addSql('alter table tariff_simulation validate constraint tariff_simulation_progress_check');
    // The environment of a key, an endpoint and a simulation is that of its company.
    for (const table of SANDBOX_COLUMNS) this.addSql(`alter table ${table} drop column environment`);
    // `shipment_by_number` does the work of both.
    this.addSql('alter table shipment drop constraint shipment_once');
    this.addSql('drop index shipment_by_tracking_key');
    // `shipment_estimate` has the time of each estimate.
    this.addSql('alter table shipment drop column carrier_estimate_told_at');
    // Rows of 0.2 have three durations, which do not say what remains once a part of the deliveries has come.
    this.addSql('drop table promise_cell');
    this.addSql(`
      create table promise_cell (
        company_id uuid not null,
        carrier_connection_id integer not null,
        level smallint not null check (level between 0 and 3),
        destination text not null,
        kind text not null,
        deliveries integer not null,
        longest integer not null,
        times integer[] not null,
        primary key (company_id, carrier_connection_id, level, destination, kind)
      )`);
    this.addSql(
      'alter table promise_cell add foreign key (company_id, carrier_connection_id) references carrier_connection (company_id, id)',
    );
  }
}

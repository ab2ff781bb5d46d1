import { Migration } from '@mikro-orm/migrations';

/** Codes that carriers send and their tables have no row for. */
export default class Migration20261128110000_new_carrier_codes extends Migration {
  override up(): void {
    this.addSql(`
      create table new_carrier_code (
        company_id uuid not null,
        carrier_connection_id integer not null,
        code text not null,
        first_seen_at timestamptz(3) not null default now(),
        last_seen_at timestamptz(3) not null default now(),
        primary key (company_id, carrier_connection_id, code)
      )`);
    this.addSql('create index new_carrier_code_by_age on new_carrier_code (last_seen_at)');
    this.addSql(`
      alter table new_carrier_code add foreign key (company_id, carrier_connection_id)
        references carrier_connection (company_id, id)`);
  }
}

import { Migration } from '@mikro-orm/migrations';

/** Carriers' own interfaces: a connection's credentials, sealed, and where they are used. */
export default class Migration20261121110000_carrier_accounts extends Migration {
  override up(): void {
    this.addSql(`alter table carrier_connection
      add column environment text not null default 'live',
      add column base_url text,
      add column credentials bytea,
      add column disconnected_at timestamptz(3),
      add constraint carrier_connection_environment_check check (environment in ('live', 'sandbox')) not valid,
      add constraint carrier_connection_base_url_check check (char_length(base_url) <= 2048) not valid,
      add constraint carrier_connection_check
        check (disconnected_at is null or (credentials is null and not is_active)) not valid`);
  }
}

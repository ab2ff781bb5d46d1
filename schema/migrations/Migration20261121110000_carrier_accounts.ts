import { Migration } from '@mikro-orm/migrations';

/** Carriers' own interfaces: a connection's credentials, sealed, and where they are used. */
export default class Migration20261121110000_carrier_accounts extends Migration {
  override up(): void {
    this.addSql(`alter table carrier_connection
      add column environment text not null default 'live' check (environment in ('live', 'sandbox')),
      add column base_url text check (char_length(base_url) <= 2048),
      add column credentials bytea,
      add column disconnected_at timestamptz(3),
      add check (disconnected_at is null or (credentials is null and not is_active))`);
  }
}

import { Migration } from '@mikro-orm/migrations';

/** The ids of the keys with which something in the database may be encrypted. A process without one of them does not start. */
export default class Migration20261124010000_secrets_keys extends Migration {
  override up(): void {
    this.addSql(
      'create table secrets_key (id bytea primary key check (octet_length(id) = 4), registered_at timestamptz not null default now())',
    );
  }
}

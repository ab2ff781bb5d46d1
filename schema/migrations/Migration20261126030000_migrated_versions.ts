import { Migration } from '@mikro-orm/migrations';

/** The versions of the service that migrated the database, so that a process of an older one can stop. */
export default class Migration20261126030000_migrated_versions extends Migration {
  override up(): void {
    this.addSql(`create table migrated_version (version text primary key, oldest_beside text not null,
      migrated_at timestamptz not null default now())`);
  }
}

import { Migration } from '@mikro-orm/migrations';

/** Rates of keys, what they have used of them, and answers kept for requests that are sent again. */
export default class Migration20261121130000_limits extends Migration {
  override up(): void {
    this.addSql('alter table api_key add column rates jsonb');
    this.addSql('drop trigger api_key_changed on api_key');
    this.addSql(`
      create trigger api_key_changed after update of secret_hash, label, scopes, expires_at, revoked_at, rates or delete
      on api_key for each row execute function notify_api_key_changed()`);

    // Counts of one minute, which nobody misses after a crash. One row for a key and a class, overwritten by every minute.
    this.addSql(`
      create unlogged table rate_use (
        company_id uuid not null,
        api_key_id uuid not null,
        rate_class text not null,
        time_window integer not null,
        used integer not null,
        primary key (company_id, api_key_id, rate_class)
      ) with (fillfactor = 50)`);

    this.addSql(`
      create table idempotent_request (
        company_id uuid not null,
        api_key_id uuid not null,
        route text not null,
        idempotency_key text not null check (char_length(idempotency_key) between 1 and 255),
        claim uuid not null,
        request bytea not null,
        claimed_at timestamptz(3) not null default now(),
        took_effect boolean not null default false,
        answer bytea,
        primary key (company_id, api_key_id, route, idempotency_key),
        foreign key (company_id, api_key_id) references api_key (company_id, id) on delete cascade
      )`);
    this.addSql('create index idempotent_request_claimed on idempotent_request (claimed_at)');
  }
}

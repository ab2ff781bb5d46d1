import { Migration } from '@mikro-orm/migrations';

/**
 * Proofs that companies were erased, which are all that is left of them. A row is written when the erasure begins, for a
 * suspended company alone; it is finished once, and neither changed after that nor deleted. While it is not finished, entries
 * of the company's audit trail can be deleted: nobody can do so without leaving the proof.
 */
export default class Migration20261123090001_company_erasure extends Migration {
  override up(): void {
    this.addSql(`
      create table erased_company (
        id uuid not null,
        began_at timestamptz(3) not null default now(),
        finished_at timestamptz(3),
        erased_by text not null check (char_length(erased_by) between 1 and 200),
        audit_entries bigint not null,
        audit_hash bytea not null,
        counts jsonb not null default '{}',
        primary key (id, began_at)
      )`);
    this.addSql('create unique index erased_company_unfinished on erased_company (id) where finished_at is null');
    this.addSql(`
      create function refuse_change_of_erasure() returns trigger language plpgsql as $$ begin
        if tg_op = 'INSERT' then
          if exists (select from company where id = new.id and suspended_at is not null) and new.finished_at is null then
            return new;
          end if;
          raise exception 'Only a suspended company is erased' using errcode = 'insufficient_privilege';
        end if;
        if tg_op = 'UPDATE' and old.finished_at is null
            and (new.id, new.began_at, new.erased_by, new.audit_entries, new.audit_hash)
              = (old.id, old.began_at, old.erased_by, old.audit_entries, old.audit_hash) then
          return new;
        end if;
        raise exception 'The proof of an erasure is not changed' using errcode = 'insufficient_privilege';
      end $$`);
    this.addSql(`
      create or replace function refuse_change_of_audit() returns trigger language plpgsql as $$ begin
        if tg_op = 'DELETE' and exists (select from erased_company where id = old.company_id and finished_at is null) then
          return old;
        end if;
        raise exception 'Entries of the audit trail are not changed' using errcode = 'insufficient_privilege';
      end $$`);
    this.addSql(`
      create trigger erased_company_is_kept before insert or update or delete on erased_company
        for each row execute function refuse_change_of_erasure()`);
    this.addSql(`
      create trigger erasures_are_kept before truncate on erased_company
        for each statement execute function refuse_change_of_erasure()`);
  }
}

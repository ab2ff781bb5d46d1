import { Migration } from '@mikro-orm/migrations';

/**
 * The head of an audit trail is kept as its entries are: without it, nothing would show that all of them are gone. It is deleted
 * with a company that is being erased. Otherwise it only moves on, by one entry at a time, as an entry is written; a first entry
 * makes it.
 */
export default class Migration20261123120000_audit_head_kept extends Migration {
  override up(): void {
    this.addSql(`
      create function refuse_change_of_audit_head() returns trigger language plpgsql as $$ begin
        if tg_op = 'UPDATE' and new.company_id = old.company_id and new.last = old.last + 1 then
          return new;
        end if;
        if tg_op = 'DELETE' and exists (select from erased_company where id = old.company_id and finished_at is null) then
          return old;
        end if;
        raise exception 'The head of the audit trail is not changed' using errcode = 'insufficient_privilege';
      end $$`);
    this.addSql(`
      create trigger audit_head_is_kept before update or delete on audit_head
        for each row execute function refuse_change_of_audit_head()`);
    this.addSql(`
      create trigger audit_heads_are_kept before truncate on audit_head
        for each statement execute function refuse_change_of_audit_head()`);
  }
}

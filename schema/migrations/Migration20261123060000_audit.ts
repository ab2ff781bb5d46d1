import { Migration } from '@mikro-orm/migrations';

/**
 * Who did what in a company. An entry is written in the transaction of its act and never changed. Its hash covers its content
 * and the hash of the entry before it, so that an entry that was changed or removed past the trigger shows. Content is `json`,
 * which keeps the text that was hashed. `audit_head` has the number and the hash of the last entry.
 */
export default class Migration20261123060000_audit extends Migration {
  override up(): void {
    this.addSql(`
      create table audit_head (
        company_id uuid not null primary key,
        last bigint not null,
        hash bytea not null
      )`);
    this.addSql(`
      create table audit_entry (
        company_id uuid not null,
        number bigint not null,
        content json not null,
        action text not null generated always as (content ->> 'action') stored,
        hash bytea not null,
        primary key (company_id, number)
      )`);
    this.addSql('create index audit_entry_by_action on audit_entry (company_id, action, number)');
    this.addSql(`
      create function refuse_change_of_audit() returns trigger language plpgsql as $$ begin
        raise exception 'Entries of the audit trail are not changed' using errcode = 'insufficient_privilege';
      end $$`);
    this.addSql(`
      create trigger audit_entry_is_kept before update or delete on audit_entry
        for each row execute function refuse_change_of_audit()`);
    this.addSql(`
      create trigger audit_is_kept before truncate on audit_entry
        for each statement execute function refuse_change_of_audit()`);
    this.addSql('alter table audit_head add foreign key (company_id) references company (id)');
  }
}

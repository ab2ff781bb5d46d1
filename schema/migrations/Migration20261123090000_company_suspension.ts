import { Migration } from '@mikro-orm/migrations';

/**
 * When a company was suspended, and the jobs that were put aside since. They are not left in pg-boss' tables: every fetch
 * would have to step over them, and pg-boss deletes what waits for longer than its queue allows.
 */
export default class Migration20261123090000_company_suspension extends Migration {
  override up(): void {
    this.addSql('alter table company add column suspended_at timestamptz(3)');
    this.addSql(`
      create table suspended_job (
        company_id uuid not null,
        id uuid not null,
        queue text not null,
        data jsonb not null,
        group_id text,
        singleton_key text,
        primary key (company_id, id)
      )`);
    this.addSql('alter table suspended_job add foreign key (company_id) references company (id)');
  }
}

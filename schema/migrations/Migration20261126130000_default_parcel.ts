import { Migration } from '@mikro-orm/migrations';

/** The parcel of a company that quotes take where sides or a volume are missing. */
export default class Migration20261126130000_default_parcel extends Migration {
  override up(): void {
    this.addSql(`
      create table default_parcel (
        company_id uuid not null,
        weight numeric check (weight > 0),
        length numeric not null check (length > 0),
        width numeric not null check (width > 0),
        height numeric not null check (height > 0),
        primary key (company_id)
      )`);
    this.addSql('alter table default_parcel add foreign key (company_id) references company (id)');
  }
}

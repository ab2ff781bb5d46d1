import { Migration } from '@mikro-orm/migrations';

/** Which revision is the tariff of a connection, and the versions of it that lists show. */
export default class Migration20261126010000_tariff_in_force extends Migration {
  override up(): void {
    this.addSql('alter table tariff add column revision_id integer');
    this.addSql("alter table tariff add column versions jsonb not null default '[]'");
    this.addSql(`alter table tariff add foreign key (company_id, revision_id)
      references carrier_tariff_revision (company_id, id) not valid`);
    this.addSql('alter table tariff add constraint tariff_is_revision check (revision_id is not null) not valid');
  }
}

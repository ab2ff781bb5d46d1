import { Migration } from '@mikro-orm/migrations';

/** Every tariff is a revision. */
export default class Migration20261126010002_tariff_in_force_checked extends Migration {
  override up(): void {
    this.addSql('alter table tariff validate constraint tariff_is_revision');
    this.addSql('alter table tariff validate constraint tariff_company_id_revision_id_fkey');
    this.addSql('alter table carrier_tariff_revision validate constraint carrier_tariff_revision_published');
    this.addSql('alter table tariff alter column revision_id set not null');
    this.addSql('alter table tariff drop constraint tariff_is_revision');
  }
}

import { Migration } from '@mikro-orm/migrations';

/**
 * The second format of tariffs. What its zones and bands have beside the columns of before is in one document each. A place
 * may be in a zone for each of several origins.
 */
export default class Migration20261123020000_tariff_format extends Migration {
  override up(): void {
    this.addSql('alter table tariff add column format smallint not null default 1');
    this.addSql('alter table tariff_zone add column rules jsonb');
    this.addSql('alter table tariff_band add column rules jsonb');
    this.addSql("alter table tariff_place add column origins text not null default ''");
    this.addSql('alter table tariff add constraint tariff_format check (format in (1, 2)) not valid');
    this.addSql(
      "alter table tariff_zone add constraint tariff_zone_rules check (jsonb_typeof(rules) = 'object') not valid",
    );
    this.addSql(
      "alter table tariff_band add constraint tariff_band_rules check (jsonb_typeof(rules) = 'object') not valid",
    );
  }
}

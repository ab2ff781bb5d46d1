import { Migration } from '@mikro-orm/migrations';

/**
 * The second format of tariffs. What its zones and bands have beside the columns of before is in one document each. Zones for
 * different origins may name the same place.
 */
export default class Migration20261123010000_tariff_format extends Migration {
  override up(): void {
    this.addSql('alter table tariff add column format smallint not null default 1 check (format in (1, 2))');
    this.addSql("alter table tariff_zone add column rules jsonb check (jsonb_typeof(rules) = 'object')");
    this.addSql("alter table tariff_band add column rules jsonb check (jsonb_typeof(rules) = 'object')");
    this.addSql("alter table tariff_place add column origins text not null default ''");
    this.addSql('alter table tariff_place drop constraint tariff_place_once');
    this.addSql(`
      alter table tariff_place add constraint tariff_place_once
        unique (company_id, tariff_id, valid_from, kind, place, origins)`);
  }
}

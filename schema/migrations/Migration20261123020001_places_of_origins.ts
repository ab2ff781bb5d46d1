import { Migration } from '@mikro-orm/migrations';

/** A place once in the zones for the same origins; made while tariffs are imported. */
export default class Migration20261123020001_places_of_origins extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    // A build that failed leaves an index that is not valid.
    this.addSql('drop index concurrently if exists tariff_place_of_origins');
    this.addSql(`
      create unique index concurrently tariff_place_of_origins
        on tariff_place (company_id, tariff_id, valid_from, kind, place, origins)`);
  }
}

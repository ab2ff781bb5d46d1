import { Migration } from '@mikro-orm/migrations';

/** The bounds of the progress hold for the simulations from before them too. */
export default class Migration20261125000001_simulation_progress_checked extends Migration {
  override up(): void {
    this.addSql('alter table tariff_simulation validate constraint tariff_simulation_progress_check');
  }
}

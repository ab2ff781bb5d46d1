import { Migration } from '@mikro-orm/migrations';

/**
 * The bounds of a simulation's progress are literals of its own type. PostgreSQL kept the ones before as casts of two
 * words, which MikroORM misreads, so that it saw a difference between the database and the entity.
 */
export default class Migration20261125000000_simulation_progress extends Migration {
  override up(): void {
    this.addSql(`
      alter table tariff_simulation drop constraint if exists tariff_simulation_progress_check,
        add constraint tariff_simulation_progress_check check (progress >= '0' and progress <= '1') not valid`);
  }
}

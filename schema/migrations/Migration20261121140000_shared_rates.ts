import { Migration } from '@mikro-orm/migrations';

/** In whose counters a key counts, where they are not its own: a key with low rates gives those that it issues no more. */
export default class Migration20261121140000_shared_rates extends Migration {
  override up(): void {
    // Without a foreign key: the counters go on when the key that gave them their name is forgotten.
    this.addSql('alter table api_key add column rate_key_id uuid');
  }
}

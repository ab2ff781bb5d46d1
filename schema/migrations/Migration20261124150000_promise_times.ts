import { Migration } from '@mikro-orm/migrations';

/** How long the deliveries of a group take, by more shares than three: what remains once a part of them has come. */
export default class Migration20261124150000_promise_times extends Migration {
  override up(): void {
    this.addSql('alter table promise_cell add column longest integer, add column times integer[]');
  }
}

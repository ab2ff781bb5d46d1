import { Migration } from '@mikro-orm/migrations';

/** A shipment that the service finds late or silent is a change of its own. */
export default class Migration20261128100000_delays extends Migration {
  override up(): void {
    this.addSql('alter table tracking_change drop constraint tracking_change_kind_check');
    this.addSql(`
      alter table tracking_change add constraint tracking_change_kind_check
        check (kind in ('created', 'updated', 'status', 'event', 'estimate', 'related', 'delayed')) not valid`);
  }
}

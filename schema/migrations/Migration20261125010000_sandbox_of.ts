import { Migration } from '@mikro-orm/migrations';

/**
 * The company whose sandbox a company is. `sealed_for` is the company that its secrets are sealed for where that is another one:
 * the secrets of a sandbox that was a part of its company before.
 */
export default class Migration20261125010000_sandbox_of extends Migration {
  override up(): void {
    this.addSql('alter table company add column sandbox_of uuid, add column sealed_for uuid');
    this.addSql(
      'alter table company add constraint company_sandbox_of_fkey foreign key (sandbox_of) references company (id) not valid',
    );
  }
}

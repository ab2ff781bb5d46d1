import { Migration } from '@mikro-orm/migrations';

/** A company has one sandbox. */
export default class Migration20261125010001_one_sandbox extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql('drop index concurrently if exists company_sandbox_of');
    this.addSql('create unique index concurrently company_sandbox_of on company (sandbox_of)');
  }
}

import { Migration } from '@mikro-orm/migrations';
import type { LegacyTariff } from '../../src/domain/tariffs/legacy/legacy.format.rules.ts';
import { isLegacy, translated } from '../../src/domain/tariffs/legacy/legacy.rules.ts';

interface StoredRevision {
  readonly companyId: string;
  readonly id: number;
}

interface SimulatedTariff {
  readonly document: LegacyTariff | object | null;
}

interface StoredSimulation extends StoredRevision {
  readonly plan: { readonly tariffs: readonly SimulatedTariff[] };
}

const REVISIONS = `select company_id as "companyId", id from carrier_tariff_revision where document -> 'format' is null`;
const DOCUMENT = 'select document from carrier_tariff_revision where company_id = ?::uuid and id = ?';
const REPLACE = 'update carrier_tariff_revision set document = ?::jsonb where company_id = ?::uuid and id = ?';

const SIMULATIONS = `select company_id as "companyId", id, plan from tariff_simulation s
  where exists (select from jsonb_array_elements(s.plan -> 'tariffs') t
    where jsonb_typeof(t -> 'document') = 'object' and t -> 'document' -> 'format' is null)`;
const REPLAN = 'update tariff_simulation set plan = ?::jsonb where company_id = ?::uuid and id = ?';

function inFormat(one: SimulatedTariff): SimulatedTariff {
  const { document } = one;
  return document && isLegacy(document) ? { ...one, document: translated(document as LegacyTariff) } : one;
}

/** Translates tariffs of the format of version 0.1, which nothing but the import knows any more. They price the same. */
export default class Migration20261126020000_tariff_format extends Migration {
  readonly contracts = ['tariff.format'];

  override async up(): Promise<void> {
    for (const { companyId, id } of (await this.execute(REVISIONS)) as StoredRevision[]) {
      const [stored] = (await this.execute(DOCUMENT, [companyId, id])) as [{ document: LegacyTariff }];
      await this.execute(REPLACE, [JSON.stringify(translated(stored.document)), companyId, id]);
    }
    for (const { companyId, id, plan } of (await this.execute(SIMULATIONS)) as StoredSimulation[]) {
      const next = { ...plan, tariffs: plan.tariffs.map(inFormat) };
      await this.execute(REPLAN, [JSON.stringify(next), companyId, id]);
    }
    this.addSql('alter table tariff drop column format');
  }
}

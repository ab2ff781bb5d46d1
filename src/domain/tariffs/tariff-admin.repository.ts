import type { Database } from '../../platform/database/database.ts';
import { serviceStatement } from '../../platform/database/statements/statements.ts';

// Over all companies: for operators alone, who name a connection by its id.

/** A connection of any company with its tariff, as operators list them. */
export interface ConnectionTariffRow {
  readonly connectionId: number;
  readonly companyId: string;
  readonly carrier: string;
  readonly label: string;
  readonly isActive: boolean;
  readonly tariff: string | null;
  /** First days of its versions. */
  readonly versions: readonly string[] | null;
  readonly validUntil: string | null;
  readonly updatedAt: Date | null;
}

const CONNECTION_TARIFFS = serviceStatement(
  'connection-tariffs',
  `select c.id as "connectionId", c.company_id as "companyId", c.carrier_code as carrier, c.label, c.is_active as "isActive",
      t.name as tariff, (select array_agg(v ->> 'validFrom' order by v ->> 'validFrom')
        from jsonb_array_elements(t.versions) v) as versions,
      t.valid_until::text as "validUntil", t.updated_at as "updatedAt"
    from carrier_connection c left join tariff t on t.company_id = c.company_id and t.carrier_connection_id = c.id
    where c.disconnected_at is null and ($1::text is null or c.company_id::text = $1) order by c.id`,
);
export function connectionTariffs(database: Database, companyId: string | null): Promise<ConnectionTariffRow[]> {
  return database.rows<ConnectionTariffRow>(CONNECTION_TARIFFS, [companyId]);
}

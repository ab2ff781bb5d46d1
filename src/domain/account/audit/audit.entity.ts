import { defineEntity, p } from '@mikro-orm/core';
import { foreignKeys, ofCompany } from '../../../platform/database/tenancy/company-entity.ts';
import type { AuditContent } from './audit.rules.ts';

/** An act in the audit trail, chained to the entry before by its hash. Triggers prevent changes. */
export const AuditEntryEntity = defineEntity({
  name: 'AuditEntry',
  tableName: 'audit_entry',
  ...ofCompany,
  properties: {
    companyId: p.uuid().primary(),
    number: p.bigint('number').primary(),
    content: p.json<AuditContent>().columnType('json'),
    action: p.text().generated("(content ->> 'action') stored"),
    hash: p.blob(),
  },
  indexes: [{ name: 'audit_entry_by_action', properties: ['companyId', 'action', 'number'] }],
});

/** The number and the hash of a company's last entry. */
export const AuditHeadEntity = defineEntity({
  name: 'AuditHead',
  tableName: 'audit_head',
  ...ofCompany,
  properties: {
    companyId: p.uuid().primary(),
    last: p.bigint('number'),
    hash: p.blob(),
  },
  ...foreignKeys({ columns: ['company_id'], references: 'company' }),
});

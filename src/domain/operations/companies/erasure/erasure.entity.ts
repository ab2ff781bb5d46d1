import { defineEntity, p } from '@mikro-orm/core';

/** The proof that a company was erased. It outlives the company, and triggers prevent changes. */
export const ErasedCompanyEntity = defineEntity({
  name: 'ErasedCompany',
  tableName: 'erased_company',
  properties: {
    id: p.uuid().primary(),
    beganAt: p.datetime(3).primary().defaultRaw('now()'),
    finishedAt: p.datetime(3).nullable(),
    erasedBy: p.text().check('char_length(erased_by) >= 1 and char_length(erased_by) <= 200'),
    auditEntries: p.bigint('number'),
    auditHash: p.blob(),
    counts: p.json<object>().defaultRaw("'{}'"),
  },
  uniques: [{ name: 'erased_company_unfinished', properties: ['id'], where: 'finished_at is null' }],
});

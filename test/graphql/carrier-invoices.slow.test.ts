import { expect, test, vi } from 'vitest';
import { ask } from '../support/platform-side.ts';
import { CLAIMS_CSV, imported, useInvoices } from './invoice-calls.ts';

const { company } = useInvoices({ ROLE: 'all' });

test('The CSV file with the claims of a long invoice comes in parts', async () => {
  const { caller, connectionId } = await company();
  const rows = Array.from({ length: 1_200 }, (_, i) => `N${i};5,00`);
  const csv = ['tracking_number;base', ...rows].join('\n');
  const { id } = await imported(caller, { carrierConnectionId: connectionId, number: '1', date: '2026-11-30', csv });
  const state = () => ask<{ state: string }>(caller, 'query ($id: ID!) { carrierInvoice(id: $id) { state } }', { id });
  await vi.waitFor(async () => expect((await state()).state).toBe('checked'), { timeout: 20_000 });
  type Part = { csv: string; endCursor: string | null };
  const part = (after: string | null) => ask<Part>(caller, CLAIMS_CSV, { id, after });
  const first = await part(null);
  const last = await part(first.endCursor);
  const lines = (first.csv + last.csv).trimEnd().split('\r\n');
  expect(last.endCursor).toBeNull();
  expect(lines[0]).toMatch(/^fattura;data_fattura;riga;numero;/);
  expect(lines).toHaveLength(1_201);
  expect(new Set(lines.slice(1).map(line => line.split(';')[3])).size).toBe(1_200);
});

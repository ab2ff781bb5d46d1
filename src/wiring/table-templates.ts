import { exampleTariffs, sheetsBeside } from '../domain/pricing/tariffs/workbook/workbook.service.ts';
import { orderTemplate } from '../domain/shipping/orders/import/order-template.rules.ts';
import type { CompanyId } from '../platform/database/tenancy/company-id.ts';
import { writeTable } from '../platform/tables/write-table.ts';
import type { WrittenSheet } from '../platform/tables/write-workbook.ts';

/** Workbooks that people begin with: a table of orders, and the example price lists. */

/** Templates belong to no company, so their threads have a share of their own, like a company's. */
const READERS = { companyId: 'readers of templates' as CompanyId };
const ORDERS = 'orders';

const made = new Map<string, Promise<Uint8Array>>();

/** A template by its name, such as `orders` or `brt-like`, made once; undefined for an unknown name. */
export async function tableTemplate(name: string): Promise<Uint8Array | undefined> {
  const known = made.get(name);
  if (known) return known;
  const sheets = await sheetsOf(name);
  if (sheets === undefined) return undefined;
  const making = made.get(name) ?? writeTable(READERS, sheets);
  made.set(name, making);
  making.catch(() => made.delete(name));
  return making;
}

async function sheetsOf(name: string): Promise<WrittenSheet[] | undefined> {
  if (name === ORDERS) return orderTemplate();
  const examples = await exampleTariffs();
  const tariff = examples.get(name);
  return tariff && sheetsBeside(examples, tariff);
}

import { WAREHOUSE_TYPES } from '../../domain/warehouses/warehouses.rules.ts';
import { code, table } from './markdown.ts';

export function warehouseTypes(): string {
  const rows = Object.entries(WAREHOUSE_TYPES).map(([id, name]) => [code(id), name]);
  return table(['`typeId`', '`warehouseType.name`'], rows);
}

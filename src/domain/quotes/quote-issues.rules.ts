import type { Fault, Issue } from '../../platform/fault.ts';

/** Faults of a quote as issues of its input. */

/** The issues of missing records that an input names. */
const MISSING = {
  order_not_found: { field: 'orderId', message: 'must be the id of an order of the company' },
  warehouse_not_found: { field: 'warehouseId', message: 'must be the id of a warehouse of the company' },
} as const;

/** The issues of an input that a fault is about; undefined for any other fault. */
export function issuesOfInput(
  { code, options }: Fault,
  place: (path: Issue['path']) => Issue['path'] = path => path,
): readonly Issue[] | undefined {
  if (options.issues) return options.issues;
  if (code !== 'order_not_found' && code !== 'warehouse_not_found') return undefined;
  const { field, message } = MISSING[code];
  return [{ path: place([field]), code, message }];
}

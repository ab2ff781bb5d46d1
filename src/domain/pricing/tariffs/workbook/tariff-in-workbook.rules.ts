import { Fault, invalid } from '../../../../platform/fault.ts';
import type { Table } from '../../../../platform/tables/sent-table.ts';
import { readTariff } from '../check/tariff.check.rules.ts';
import type { Tariff } from '../format/tariff.format.rules.ts';
import type { Path } from '../format/tariff-document.rules.ts';
import type { References } from '../references/references.rules.ts';
import { isTariffWorkbook, tariffOfWorkbook } from './read-workbook.rules.ts';
import { VERSIONS_SHEET } from './workbook-sheets.rules.ts';

/**
 * The tariff in a workbook, once it is checked.
 *
 * @param base path of the workbook in the request
 * @param references undefined where nothing is known of the carrier
 * @throws Fault `validation_failed`; the path of an issue is its sheet, row and column
 */
export function tariffInWorkbook(table: Table, base: Path = [], references?: References): Tariff {
  try {
    if (!isTariffWorkbook(table)) {
      const message = `must be the workbook of a tariff, with a sheet "${VERSIONS_SHEET.name}": begin with a template`;
      throw invalid([{ path: [], code: 'invalid_text', message }]);
    }
    const { tariff, placeOf } = tariffOfWorkbook(table);
    return placed(() => readTariff(tariff, [], { references }), placeOf);
  } catch (error) {
    throw moved(error, path => [...base, ...path]);
  }
}

function placed<Result>(act: () => Result, placeOf: (path: Path) => Path): Result {
  try {
    return act();
  } catch (error) {
    throw moved(error, placeOf);
  }
}

function moved(error: unknown, to: (path: Path) => Path): unknown {
  const { issues } = error instanceof Fault ? error.options : {};
  return issues ? invalid(issues.map(issue => ({ ...issue, path: to(issue.path) }))) : error;
}

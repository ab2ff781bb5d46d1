import { type Issue, invalid, MAX_ISSUES } from '../../../../platform/fault.ts';
import { findOversize, formIssues, type Path } from '../format/tariff-document.rules.ts';
import { areaProblems } from './area-table.rules.ts';
import { type PlaceList, placeListFormat } from './place.format.rules.ts';

/**
 * Reads and checks a list of places that a caller sent.
 *
 * @param base path of the list in the request
 * @throws Fault `validation_failed` for places that can't be read, or that a tariff could not have
 */
export function readPlaceList(value: unknown, base: Path): PlaceList {
  const rejection = (issues: readonly Issue[]) =>
    invalid(issues.map(issue => ({ ...issue, path: [...base, ...issue.path] })));
  const oversize = findOversize(value);
  if (oversize) throw rejection([oversize]);
  const form = placeListFormat.safeParse(value);
  if (!form.success) throw rejection(formIssues(form.error.issues.slice(0, MAX_ISSUES), value));
  const issues = areaProblems([form.data]).map(({ rule, code, message }) => ({
    path: rule.path,
    code,
    message: `(${rule.text}) ${message}`,
  }));
  if (issues.length > 0) throw rejection(issues.slice(0, MAX_ISSUES));
  return form.data;
}

import { trackingKey } from '../../common/number.rules.ts';
import type { BilledLine } from './billed-line.rules.ts';
import { billsBase } from './check/billed-parts.rules.ts';
import { joinedPackages } from './reading/invoice-lines.rules.ts';

/** Joins the lines of packages of one shipment, which some carriers bill one by one. */

/** The number of the package that a line bills the transport of; undefined for another line, such as a correction. */
export function packageOf(line: BilledLine): string | undefined {
  if (line.trackingNumber === null || line.isCorrection || !billsBase(line)) return undefined;
  return trackingKey(line.trackingNumber);
}

/**
 * Lines of different packages of a shipment as one line. The second line of a package is left alone: it may be billed
 * twice.
 *
 * @param shipmentOf the shipment of a package
 */
export function withPackagesJoined(
  lines: readonly BilledLine[],
  shipmentOf: ReadonlyMap<string, number>,
): readonly BilledLine[] {
  const joined: BilledLine[] = [];
  const open = new Map<number, { readonly at: number; readonly packages: Set<string> }>();
  for (const line of lines) {
    const packageNumber = packageOf(line);
    const shipment = packageNumber === undefined ? undefined : shipmentOf.get(packageNumber);
    const before = shipment === undefined ? undefined : open.get(shipment);
    if (packageNumber === undefined || shipment === undefined || before?.packages.has(packageNumber)) {
      joined.push(line);
    } else if (before === undefined) {
      open.set(shipment, { at: joined.length, packages: new Set([packageNumber]) });
      joined.push(line);
    } else {
      before.packages.add(packageNumber);
      const other = { ...line, packages: [...(line.packages ?? []), line.trackingNumber ?? packageNumber] };
      joined[before.at] = joinedPackages(joined[before.at] as BilledLine, other);
    }
  }
  return joined;
}

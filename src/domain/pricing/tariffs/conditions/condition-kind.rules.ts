import type { z } from 'zod';
import type { IssueCode } from '../../../../platform/issue-codes.ts';
import type { AreaTables } from '../areas/area-table.rules.ts';
import { knownNames, type TariffIssues } from '../check/check-issues.rules.ts';
import type { Path } from '../format/tariff-document.rules.ts';
import type { References } from '../references/references.rules.ts';
import type { Situation } from '../shipment-terms.rules.ts';

/** The codes that conditions of a version may name. */
export interface KnownCodes {
  readonly zones: ReadonlySet<string>;
  readonly origins: ReadonlySet<string>;
  readonly options: ReadonlySet<string>;
  readonly services: ReadonlySet<string>;
  /** Whether the line is charged after the shipment, and may depend on what happened to it. */
  readonly isLate?: boolean;
}

/** The meaning of the names in conditions of a version. */
export interface Names {
  readonly zones: ReadonlyMap<string, number>;
  readonly origins: ReadonlyMap<string, number>;
  /** The service that is compiled; undefined in a version without services. */
  readonly service: string | undefined;
  readonly references: References;
  readonly tables: AreaTables;
}

type Given<Shape extends z.ZodRawShape> = z.infer<z.ZodObject<Shape>>;

/**
 * A condition with all its parts: form, check, engine and guide. A file in this folder that exports one is in the
 * format, the engine and the guide: `npm run schema:write` adds it to `condition-kinds.rules.ts`.
 */
interface ConditionKind<Shape extends z.ZodRawShape, Compiled> {
  /** Its fields in `when`. */
  readonly form: Shape;
  /** Whether it is known before the weight, so that the weight can depend on it. */
  readonly isEarly: boolean;
  /** Whether its check takes long, so that it follows the others. */
  readonly isCostly: boolean;
  /** Its row in the guide: its field, and when it holds. */
  readonly guide: readonly [fields: string, holdsWhen: string];
  /** The words for its fields in a comparison of two tariffs. */
  readonly words: Readonly<Record<string, string>>;
  /** Reports errors that the form cannot express. */
  readonly check: (issues: TariffIssues, path: Path, given: Given<Shape>, known: KnownCodes) => void;
  /** The form for the engine; undefined if no field is given. */
  readonly compile: (given: Given<Shape>, names: Names) => Compiled | undefined;
  readonly holds: (compiled: Compiled, situation: Situation) => boolean;
}

export function conditionKind<Shape extends z.ZodRawShape, Compiled>(
  kind: ConditionKind<Shape, Compiled>,
): ConditionKind<Shape, Compiled> {
  return kind;
}

/** The compiled form of a condition of this kind. */
export type CompiledConditionOf<Kind> =
  Kind extends ConditionKind<infer _Shape, infer Compiled> ? Compiled | undefined : never;

/** Reports codes that name nothing. */
export function rejectUnknown(
  issues: TariffIssues,
  path: Path,
  codes: readonly string[] | undefined,
  { all, code }: { readonly all: ReadonlySet<string>; readonly code: IssueCode },
): void {
  for (const [i, one] of (codes ?? []).entries()) {
    if (!all.has(one)) issues.add([...path, i], code, `names "${one}": ${knownNames(all)}`);
  }
}

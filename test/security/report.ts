import { styleText } from 'node:util';
import Table from 'cli-table3';

/** One line of the table at the end. */
export interface Finding {
  readonly part: string;
  readonly name: string;
  /** The measured or counted values. */
  readonly figures: string;
  /** The required values. */
  readonly bound: string;
  /** The failures; none if the case passed. */
  readonly failures: readonly string[];
  /** Whether it was not tried, for a reason that the values state. */
  readonly isSkipped?: boolean;
}

/** How many failures of one case are printed; one cause has many. */
const PRINTED = 20;

const print = (text: string) => process.stdout.write(`${text}\n`);

/** Collects what the parts found, prints each finding as it comes, and all of them as a table at the end. */
export class Report {
  readonly #findings: Finding[] = [];

  get hasFailed(): boolean {
    return this.#findings.some(({ failures }) => failures.length > 0);
  }

  add(finding: Finding): void {
    this.#findings.push(finding);
    print(`${verdict(finding)}  ${finding.part}: ${finding.name}: ${finding.figures}`);
    for (const failure of finding.failures.slice(0, PRINTED)) print(`      ${failure}`);
    if (finding.failures.length > PRINTED) print(`      and ${finding.failures.length - PRINTED} more`);
  }

  print(): void {
    const table = new Table({
      head: ['part', 'case', 'figures', 'bound', ''],
      colWidths: [11, 34, 62, 42, 6],
      wordWrap: true,
      style: { head: [], border: [] },
    });
    for (const finding of this.#findings) {
      table.push([finding.part, finding.name, finding.figures, finding.bound, verdict(finding)]);
    }
    const failed = this.#findings.filter(({ failures }) => failures.length > 0).length;
    print(`\n${table.toString()}\n`);
    const skipped = this.#findings.filter(({ isSkipped }) => isSkipped).length;
    if (failed > 0) print(`${failed} of ${this.#findings.length} cases failed.`);
    else print(`All cases passed${skipped > 0 ? ` that could be tried here; not tried: ${skipped}` : ''}.`);
  }
}

function verdict({ failures, isSkipped }: Finding): string {
  if (failures.length > 0) return styleText('red', 'FAIL');
  return isSkipped ? styleText('yellow', 'skip') : styleText('green', 'pass');
}

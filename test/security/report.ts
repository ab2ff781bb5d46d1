import { styleText } from 'node:util';
import Table from 'cli-table3';

/** One line of the table at the end. */
export interface Finding {
  readonly part: string;
  readonly name: string;
  /** What was measured or counted. */
  readonly figures: string;
  /** What the figures must be. */
  readonly bound: string;
  /** What is wrong; none where the case passed. */
  readonly failures: readonly string[];
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
    print(failed > 0 ? `${failed} of ${this.#findings.length} cases failed.` : 'All cases passed.');
  }
}

function verdict({ failures }: Finding): string {
  return failures.length > 0 ? styleText('red', 'FAIL') : styleText('green', 'pass');
}

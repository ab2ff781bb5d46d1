/** The errors of a file, one line for each place. */
export class RejectedFile extends Error {
  constructor(lines: readonly string[]) {
    super(lines.join('\n'));
    this.name = 'RejectedFile';
  }
}

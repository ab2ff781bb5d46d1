/** What is wrong with a file, a line for each place. */
export class RefusedFile extends Error {
  constructor(lines: readonly string[]) {
    super(lines.join('\n'));
    this.name = 'RefusedFile';
  }
}

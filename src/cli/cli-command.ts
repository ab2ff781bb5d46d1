import { Command } from 'commander';
import { commandName } from '../platform/command-name.ts';

/** The place of a value in an input, and what sets it on the command line. */
export interface TypedPlace {
  readonly place: readonly PropertyKey[];
  readonly shown: string;
}

/** A command with examples, which its help and the guide show. */
export class CliCommand extends Command {
  /** Messages about a value name the option or the argument that set it. */
  places: readonly TypedPlace[] = [];
  #examples: readonly string[] = [];

  constructor(name?: string) {
    super(name);
    this.addHelpText('after', () => {
      const lines = this.#examples.map(example => `  ${commandName()} ${example}`);
      return lines.length === 0 ? '' : `\n${lines.length === 1 ? 'Example' : 'Examples'}:\n${lines.join('\n')}`;
    });
  }

  override createCommand(name?: string): CliCommand {
    return new CliCommand(name);
  }

  get examples(): readonly string[] {
    return this.#examples;
  }

  /** @param lines the words after the name of the program */
  example(...lines: readonly string[]): this {
    this.#examples = lines;
    return this;
  }
}

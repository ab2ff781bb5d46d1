import type { Command, Option } from 'commander';
import { CliCommand } from '../../cli/cli-command.ts';
import { createProgram } from '../../cli/program.ts';
import { code } from './markdown.ts';

const program = await createProgram();

/** Every command with its arguments and options, as its own `--help` has them. */
export function commands(): string {
  // `complete` is for the scripts of shells, which `completion` prints.
  const groups = program.commands
    .filter(group => group.name() !== 'complete')
    .map(group => {
      const leaves = group.commands.length > 0 ? group.commands : [group];
      const about = group.commands.length > 0 ? [sentence(group.description())] : [];
      return [`### ${group.name()}`, ...about, ...leaves.map(leaf => section(leaf, group))].join('\n\n');
    });
  return `\n${groups.join('\n\n')}\n`;
}

function section(command: Command, group: Command): string {
  const name = command === group ? command.name() : `${group.name()} ${command.name()}`;
  const usage = [name, ...command.registeredArguments.map(argument => `<${argument.name()}>`)];
  const rows = [
    ...command.registeredArguments.map(argument => [code(`<${argument.name()}>`), argument.description]),
    ...command.options.map(option => [code(option.flags), described(option)]),
  ];
  const options = rows.length === 0 ? [] : [rows.map(row => `- ${row.join(': ')}`).join('\n')];
  const examples = command instanceof CliCommand ? command.examples.map(example => `shipping ${example}`) : [];
  const shown = examples.length === 0 ? [] : [['```sh', ...examples, '```'].join('\n')];
  return [`**${code(usage.join(' '))}** – ${command.description()}`, ...options, ...shown].join('\n\n');
}

function described({ description, mandatory, defaultValue, argChoices }: Option): string {
  const notes = [
    mandatory && 'required',
    argChoices && `one of ${argChoices.join(', ')}`,
    defaultValue !== undefined && `default ${String(defaultValue)}`,
  ].filter(Boolean);
  return notes.length === 0 ? description : `${description} (${notes.join('; ')})`;
}

const sentence = (text: string) => (text.endsWith('.') ? text : `${text}.`);

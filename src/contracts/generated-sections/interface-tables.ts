import type { Command, Option } from 'commander';
import { CliCommand } from '../../cli/cli-command.ts';
import { createProgram } from '../../cli/program.ts';
import { guideGroups, readSourcePages, type SourcePage } from '../../http/docs/source-pages.ts';
import { TOOLS } from '../../http/mcp/tools.ts';
import { BASE_PATH, ENDPOINTS } from '../../http/rest/endpoints.ts';
import { FAULTS } from '../../platform/fault.ts';
import { ISSUE_CODES } from '../../platform/issue-codes.ts';
import { SCOPES } from '../../platform/scopes.ts';
import { code, table } from './markdown.ts';

/** The REST endpoints, in the order of the table that makes them. */
export function endpoints(): string {
  return table(
    ['Method', 'Path', 'Scope', 'Operation', 'Status', 'What for'],
    ENDPOINTS.map(({ method, path, scope, operation, status, summary }) => [
      method,
      code(BASE_PATH + path),
      code(scope),
      operation,
      String(status),
      summary,
    ]),
  );
}

/** Every scope that a key can have, with the REST operations that need it. */
export function scopes(): string {
  const rows = Object.entries(SCOPES).map(([scope, purpose]) => {
    const operations = ENDPOINTS.filter(endpoint => endpoint.scope === scope).map(({ operation }) => operation);
    return [code(scope), purpose, operations.length > 0 ? operations.join(', ') : 'GraphQL only'];
  });
  return table(['Scope', 'Lets a key', 'REST operations'], rows);
}

/** Every code of a rejected request, by its HTTP status. */
export function errorCodes(): string {
  const rows = Object.entries(FAULTS)
    .toSorted(([, a], [, b]) => a.status - b.status)
    .map(([name, { status, help }]) => [String(status), code(name), help]);
  return table(['Status', 'Code', 'Meaning, and what to do'], rows);
}

/** Every code of an invalid field. */
export function issueCodes(): string {
  return table(
    ['Code', 'Meaning'],
    Object.entries(ISSUE_CODES).map(([name, meaning]) => [code(name), meaning]),
  );
}

/** The tools of assistants. */
export function assistantTools(): string {
  return table(
    ['Tool', 'Scope', 'What it does'],
    TOOLS.map(({ name, scope, description }) => [code(name), code(scope), description]),
  );
}

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

/** The guides by reader, as the navigation of the documentation lists them. */
export function guides(): string {
  const links = (pages: readonly SourcePage[]) => pages.map(({ title, file }) => `[${title}](${file})`).join(' · ');
  return table(
    ['Reader', 'Guides'],
    guideGroups(readSourcePages('')).map(({ title, guides: first, more }) => [
      title,
      first.length === 0 ? links(more) : `${links(first)}<br>Later: ${links(more)}`,
    ]),
  );
}

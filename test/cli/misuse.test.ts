import { access, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { CliCommand } from '../../src/cli/cli-command.ts';
import { createProgram } from '../../src/cli/program.ts';
import { freePort } from '../support/ports.ts';
import { few } from '../support/property-runs.ts';
import { inProcess } from './in-process.ts';
import { type Env, expectSentence, useProcesses } from './processes.ts';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

const processes = useProcesses();
let settings: Env;
let companyId: string;
beforeAll(async () => {
  settings = { DATA_DIR: await processes.dataDir(), DATABASE_URL: await processes.database('migrated') };
  const { stdout } = await run(['company', 'create', '--name', 'Accanto', '--json']);
  ({ companyId } = JSON.parse(stdout));
});

const run = (args: readonly string[], env: Env = {}) => inProcess(args, { ...settings, ...env });

const whole = await createProgram();

describe.concurrent('Help', () => {
  const commands = walk(whole);

  test.each(few(commands, 4))('exists for $name, and opens no database', async ({ words, command }) => {
    const folder = await processes.dataDir();
    const { code, stdout, stderr } = await run([...words, '--help'], { DATA_DIR: folder, DATABASE_URL: '' });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`Usage: ${['npm run -s cli --', ...words].join(' ')} `);
    const text = stdout.replace(/\s+/g, ' ');
    expect(command.description()).not.toBe('');
    expect(text).toContain(command.description());
    for (const { long, description } of command.options) {
      expect(text).toContain(long);
      expect(text).toContain(description);
    }
    for (const { name } of walk(command).slice(1)) expect(text).toContain(` ${name.split(' ')[0]} `);
    await expect(access(folder)).rejects.toThrow('ENOENT');
  });

  const leaves = commands.filter(({ command }) => command.commands.length === 0);
  test.each(few(leaves, 12))('has examples for $name that can be typed', async ({ words, command }) => {
    const examples = command instanceof CliCommand ? command.examples : [];
    expect(examples).not.toEqual([]);
    for (const example of examples) {
      // Without what a shell does with its output.
      const [typed = ''] = example.split(' >');
      const args =
        typed.match(/"[^"]*"|\S+/g)?.map(word => word.replaceAll('"', '').replace('$API_KEY', 'sk_live_x')) ?? [];
      expect(args.slice(0, words.length)).toEqual(words);
      const program = await createProgram();
      const parsed: string[] = [];
      const leaf = walk(program).find(({ name }) => name === words.join(' '))?.command;
      leaf?.action(() => void parsed.push(example));
      await program.parseAsync(args, { from: 'user' });
      expect(parsed).toEqual([example]);
    }
  });

  test('is the same by `help COMMAND`', async () => {
    const [asked, option] = await Promise.all([run(['help', 'key']), run(['key', '--help'])]);
    expect(asked).toEqual(option);
    expect(asked.code).toBe(0);
  });
});

describe.concurrent('A misuse of a command exits with 2, and one line names the error and the help:', () => {
  const create = ['company', 'create'];
  const key = (options: Record<string, string>) => {
    const all = { '--company': 'COMPANY', '--label': 'L', '--scopes': 'all', ...options };
    return ['key', 'create', ...Object.entries(all).flat()];
  };
  const listen = (options: Record<string, string>) => {
    return ['webhook', 'listen', ...Object.entries({ '--key': 'sk_live_x', ...options }).flat()];
  };
  const invoice = (...options: string[]) => {
    const given = ['--connection', '1', '--number', '7', ...(options[0] === '--date' ? [] : ['--date', '2026-11-30'])];
    return ['invoice', 'import', import.meta.filename, '--company', 'COMPANY', ...given, ...options];
  };
  const simulation = (...options: string[]) => {
    const given = [
      '--company',
      'COMPANY',
      '--to',
      '2026-10-31',
      ...(options[0] === '--from' ? [] : ['--from', '2026-10-01']),
    ];
    return ['tariff', 'simulate', ...given, ...options];
  };
  const imported = (file: string, ...options: string[]) => ['import', 'orders', file, '--company', 'C', ...options];
  const cases: { name: string; args: string[]; names: string[] }[] = [
    { name: 'no command', args: [], names: ['Usage: npm run -s cli -- '] },
    { name: 'half a command', args: ['key'], names: ['name a command: create, list, update, rotate, revoke.'] },
    { name: 'an unknown command', args: ['launch'], names: ['launch'] },
    { name: 'an unknown subcommand', args: ['company', 'launch'], names: ['launch'] },
    { name: 'an unknown option', args: ['company', 'list', '--colour'], names: ['--colour'] },
    { name: 'one word too many', args: [...create, '--name', 'A', 'extra'], names: ['extra'] },
    { name: 'a company without --name', args: create, names: ['--name', 'company create --help'] },
    { name: 'almost a command', args: ['company', 'lst'], names: ['Did you mean list?'] },
    { name: '--name without a name', args: [...create, '--name'], names: ['--name'] },
    { name: 'an empty name', args: [...create, '--name', ''], names: ['--name', 'empty'] },
    { name: 'a name of 201 characters', args: [...create, '--name', 'x'.repeat(201)], names: ['--name', '200'] },
    { name: 'a name with a control character', args: [...create, '--name', 'A\u0007B'], names: ['--name', 'control'] },
    {
      name: 'a key without --label',
      args: ['key', 'create', '--company', 'C', '--scopes', 'all'],
      names: ['--label'],
    },
    {
      name: 'a key without --scopes',
      args: ['key', 'create', '--company', 'C', '--label', 'L'],
      names: ['--scopes'],
    },
    { name: 'an empty label', args: key({ '--label': '' }), names: ['--label'] },
    {
      name: 'a scope that is none',
      args: key({ '--scopes': 'health:read,fly' }),
      names: ['--scopes', 'fly', 'HEALTH_READ'],
    },
    { name: 'no scope', args: key({ '--scopes': '' }), names: ['--scopes'] },
    { name: 'all and another scope', args: key({ '--scopes': 'all,health:read' }), names: ['--scopes'] },
    { name: 'an expiry long past', args: key({ '--expires': '2020-01-01' }), names: ['--expires', 'future'] },
    { name: 'an expiry on no day', args: key({ '--expires': '2098-02-30' }), names: ['--expires'] },
    { name: 'a list without --company', args: ['webhook', 'list'], names: ['--company'] },
    { name: 'a revocation without --key', args: ['key', 'revoke', '--company', 'C'], names: ['--key'] },
    { name: 'a count in words', args: ['demo', '--shipments', 'many'], names: ['--shipments'] },
    { name: 'a negative count', args: ['demo', '--shipments', '-1'], names: ['--shipments'] },
    { name: 'a broken count', args: ['demo', '--shipments', '1.5'], names: ['--shipments'] },
    {
      name: 'a count beyond all measure',
      args: ['demo', '--shipments', '10000001'],
      names: ['--shipments', '10000000'],
    },
    { name: 'a listener without --key', args: ['webhook', 'listen'], names: ['--key'] },
    { name: 'a listener with no key at all', args: listen({ '--key': 'a key' }), names: ['--key', 'key create'] },
    { name: 'a listener to what is no URL', args: listen({ '--url': 'localhost:3000' }), names: ['--url', 'http'] },
    { name: 'a listener on no port', args: listen({ '--port': '65536' }), names: ['--port', '65535'] },
    { name: 'a rotation without --key', args: ['key', 'rotate', '--company', 'C'], names: ['--key'] },
    {
      name: 'an overlap of more than 30 days',
      args: ['key', 'rotate', '--company', 'COMPANY', '--key', UNKNOWN, '--overlap-hours', '721'],
      names: ['--overlap-hours', '720'],
    },
    { name: 'an import of nothing', args: ['import', 'orders', '--company', 'C'], names: ['file'] },
    { name: 'an import for nobody', args: ['import', 'events', 'a.csv'], names: ['--company'] },
    { name: 'standard input of no format', args: imported('-'), names: ['--format csv', 'ndjson'] },
    { name: 'a format that is none', args: imported('a.csv', '--format', 'xml'), names: ['--format', 'ndjson'] },
    { name: 'a batch of too many', args: imported('a.csv', '--batch', '1001'), names: ['--batch', '1000'] },
    { name: 'an import from row 0', args: imported('a.csv', '--from-row', '0'), names: ['--from-row', '1'] },
    { name: 'a redrive of no queue', args: ['queue', 'redrive'], names: ['--queue'] },
    { name: 'a redrive of none', args: ['queue', 'redrive', '--queue', 'q', '--limit', '0'], names: ['--limit'] },
    { name: 'a queue without dead letters', args: ['queue', 'redrive', '--queue', 'q'], names: ['webhooks.dead'] },
    { name: 'retention of no days', args: ['retention', 'run', '--days', '0'], names: ['--days', '3650'] },
    { name: 'a doctor with words', args: ['doctor', 'all'], names: ['all'] },
    {
      name: 'deliveries of a status that is none',
      args: ['webhook', 'deliveries', '--company', 'C', '--endpoint', 'E', '--statuses', 'lost'],
      names: ['--statuses', 'PENDING'],
    },
    {
      name: 'actions that are none',
      args: ['audit', '--company', 'COMPANY', '--actions', 'fly'],
      names: ['--actions', 'KEY_ISSUED'],
    },
    {
      name: 'calls for an id with a control character',
      args: ['carrier', 'calls', '--company', 'COMPANY', '--request', 'a\u0007b'],
      names: ['--request'],
    },
    { name: 'an invoice of no day', args: invoice('--date', '2026-02-30'), names: ['--date'] },
    { name: 'an invoice paid in kind', args: invoice('--cod-payment', 'wine'), names: ['--cod-payment', 'CASH'] },
    { name: 'an invoice of goods worth much', args: invoice('--goods-value', '1e9'), names: ['--goods-value'] },
    { name: 'a simulation of no day', args: simulation('--from', 'June'), names: ['--from', '2026-06-30'] },
    {
      name: 'a simulation of a carrier that is none',
      args: simulation('--carriers', 'X'),
      names: ['--carriers', 'BRT'],
    },
    {
      name: 'changes to a status that is none',
      args: ['changes', 'list', '--company', 'COMPANY', '--statuses', 'delivered,{"x"}'],
      names: ['--statuses', 'out_for_delivery'],
    },
    { name: 'redriving none', args: ['webhook', 'redrive', '--limit', '0'], names: ['--limit', '1'] },
    { name: 'redriving in words', args: ['webhook', 'redrive', '--limit', 'all'], names: ['--limit'] },
  ];
  test.each(cases)('$name', async ({ args, names }) => {
    const { code, stdout, stderr } = await run([
      '--json',
      ...args.map(word => (word === 'COMPANY' ? companyId : word)),
    ]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    for (const name of names) expect(stderr).toContain(name);
    if (args.length === 0) return;
    expectSentence(stderr);
    expect(stderr).toMatch(/^error: .*[.?] See `npm run -s cli -- .*--help`\.\n$/);
  });
});

describe.concurrent('A failure of a command exits with 1, and one line prints the reason:', () => {
  const key = (company: string) => ['key', 'create', '--company', company, '--label', 'L', '--scopes', 'all'];
  const nowhere = async () => ({ DATABASE_URL: `postgres://me:pass-word@127.0.0.1:${await freePort()}/x` });
  const cases: { name: string; args: string[]; env?: () => Promise<Env>; says: RegExp }[] = [
    { name: 'a key for an unknown company', args: key(UNKNOWN), says: /company/ },
    { name: 'a key for what is no id', args: key('Accanto'), says: /company/ },
    { name: 'the keys of what is no id', args: ['key', 'list', '--company', 'Accanto'], says: /company/ },
    { name: 'an unknown key', args: ['key', 'revoke', '--company', 'COMPANY', '--yes', '--key', UNKNOWN], says: /key/ },
    {
      name: 'a file that is missing',
      args: ['tariff', 'import', 'none.json', '--company', 'COMPANY', '--yes', '--connection', '1'],
      says: /none\.json does not exist/,
    },
    { name: 'the webhooks of what is no id', args: ['webhook', 'list', '--company', 'Accanto'], says: /company/ },
    { name: 'a database out of reach', args: ['company', 'list'], env: nowhere, says: /listens/ },
    {
      name: 'a database that is missing',
      args: ['company', 'list'],
      env: async () => ({ DATABASE_URL: processes.missingDatabase() }),
      says: /exist/,
    },
    {
      name: 'a wrong setting',
      args: ['company', 'list'],
      env: async () => ({ DATABASE_POOL_SIZE: 'x' }),
      says: /DATABASE_POOL_SIZE/,
    },
  ];
  test.each(cases)('$name', async ({ args, env, says }) => {
    const words = args.map(word => (word === 'COMPANY' ? companyId : word));
    const { code, stdout, stderr } = await run(['--json', ...words], await env?.());
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expectSentence(stderr);
    expect(stderr).toMatch(says);
    expect(stderr).not.toContain('pass-word');
  });
});

test('An import whose report has no room on the disk ends with the reason, and with the row to continue from', async () => {
  const report = ['--company', companyId, '--report', '/dev/full'];
  const { code, stderr } = await run(['import', 'events', import.meta.filename, '--format', 'ndjson', ...report]);
  expect([code, stderr]).toEqual([
    1,
    "Nothing was imported: continue with --from-row 1.\nThe output can't be written (ENOSPC).\n",
  ]);
});

describe('A JSON file of another form is rejected with the place and the allowed form, for', () => {
  const cases: { name: string; args: string[]; says: string }[] = [
    {
      name: 'a shipment',
      args: ['tariff', 'after-shipment', 'FILE', '--company', 'COMPANY', '--event', 'storage'],
      says: 'null.json:1:1 must not be null',
    },
    { name: 'a tariff', args: ['tariff', 'check', 'FILE'], says: ':1:1 must be a value of type object' },
    {
      name: 'new ids',
      args: ['import', 'orders', 'o.csv', '--company', 'C', '--ids', 'FILE'],
      says: ':1:1 must be a value of type object; allowed are warehouses, carriers',
    },
  ];
  test.each(cases)('$name', async ({ args, says }) => {
    const file = join(settings.DATA_DIR ?? '', '..', 'null.json');
    await writeFile(file, 'null');
    const values: Env = { FILE: file, COMPANY: companyId };
    const { code, stderr } = await run(args.map(word => values[word] ?? word));
    expect([code, stderr]).toEqual([1, expect.stringContaining(says)]);
    expect(stderr).not.toMatch(/^ +at |Invalid input/m);
  });
});

test('An erasure needs `--by` where the machine has no name for the user, as in some containers', async () => {
  const userInfo = vi.spyOn(os, 'userInfo').mockImplementation(() => {
    throw Object.assign(new Error('uv_os_get_passwd returned ENOENT'), { code: 'ERR_SYSTEM_ERROR' });
  });
  syncBuiltinESMExports();
  try {
    const { code, stderr } = await run(['company', 'erase', '--company', companyId, '--name', 'Accanto']);
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/^error: .*give --by\. See `.*company erase --help`\.\n$/),
    ]);
  } finally {
    userInfo.mockRestore();
    syncBuiltinESMExports();
  }
});

test('No misuse or failure has changed anything', async () => {
  const database = await processes.connect(settings.DATABASE_URL ?? '');
  expect((await database.query('select name from company')).rows).toEqual([{ name: 'Accanto' }]);
  expect((await database.query('select from api_key')).rowCount).toBe(0);
});

interface NamedCommand {
  readonly name: string;
  readonly words: readonly string[];
  readonly command: Command;
}

/** A command and all below it. */
function walk(command: Command, words: readonly string[] = []): NamedCommand[] {
  // Shells call `complete`, and no person does.
  const shown = command.commands.filter(subcommand => subcommand.name() !== 'complete');
  const below = shown.flatMap(subcommand => walk(subcommand, [...words, subcommand.name()]));
  return [{ name: words.join(' ') || command.name(), words, command }, ...below];
}

import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import type { ServiceStatus } from '../domain/operations/status/service-status.service.ts';
import type { CliCommand } from './cli-command.ts';
import { stopCalled, wantsJson, wholeNumber } from './options.ts';

/** Moves the cursor to the upper left corner; the screen below is cleared afterwards. */
const HOME = '\u001b[H';
const CLEAR_LINE = '\u001b[K';
const CLEAR_BELOW = '\u001b[J';
const EVERY_SECONDS = 2;

/** `status`: the state of the service for an operator. */
export function addStatusCommand(program: CliCommand): void {
  program
    .command('status')
    .description(
      'print what the service does: processes, webhook endpoints, the backlog of companies, carrier connections, late shipments and jobs',
    )
    .option(
      '--watch [seconds]',
      'print it again every so many seconds (default: 2), until Ctrl-C',
      wholeNumber(1, 3600),
    )
    .example('status', 'status --watch 5')
    .action(show);
}

async function show({ watch }: { watch?: number | true }, command: Command): Promise<void> {
  const stopped = stopCalled();
  const { serviceStatus } = await import('../domain/operations/status/service-status.service.ts');
  const { withDatabase } = await import('./session.ts');
  const isJson = wantsJson(command);
  const present = isJson ? async (status: ServiceStatus) => JSON.stringify(status) : inWords;
  if (watch === undefined) {
    await withDatabase(async ({ database }) => {
      process.stdout.write(`${await present(await serviceStatus(database))}\n`);
    });
    return;
  }
  const everyMs = (watch === true ? EVERY_SECONDS : watch) * 1000;
  const isScreen = process.stdout.isTTY && !isJson;
  await withDatabase(
    async ({ database }) => {
      let isOver = false;
      const over = stopped.then(() => {
        isOver = true;
      });
      if (isScreen) process.stdout.write(`${HOME}${CLEAR_BELOW}`);
      while (!isOver) {
        // The database may be down for a while, which is when somebody watches.
        const text = await serviceStatus(database).then(present, error => problem(error, isJson));
        process.stdout.write(isScreen ? onScreen(text) : `${text}\n`);
        await Promise.race([over, pause(everyMs, undefined, { ref: false })]);
      }
    },
    { endsItself: true },
  );
}

function problem(error: unknown, isJson: boolean): string {
  const { message } = error as Error;
  return isJson
    ? JSON.stringify({ at: new Date().toISOString(), error: message })
    : `The status cannot be read: ${message}`;
}

/** Prints as many lines as fit, over the previous screen. */
function onScreen(text: string): string {
  const lines = text.split('\n').slice(0, Math.max(1, (process.stdout.rows ?? 50) - 1));
  return `${HOME}${lines.map(line => `${line}${CLEAR_LINE}\n`).join('')}${CLEAR_BELOW}`;
}

async function inWords(status: ServiceStatus): Promise<string> {
  const { statusSections } = await import('../domain/operations/status/status-report.service.ts');
  const { tableOf } = await import('./table.ts');
  const layout = process.stdout.isTTY ? { columns: process.stdout.columns ?? 80 } : {};
  const sections = await Promise.all(
    statusSections(status).map(async ({ title, summary, isAlarming, rows }) =>
      [
        `${isAlarming ? '! ' : ''}${title}: ${summary}`,
        ...(rows.length === 0 ? [] : [await tableOf(rows, layout)]),
      ].join('\n'),
    ),
  );
  return [`Status at ${status.at}`, ...sections].join('\n\n');
}

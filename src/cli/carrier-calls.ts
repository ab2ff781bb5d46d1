import { Option } from 'commander';
import { CALL_OUTCOMES, type CallOutcome } from '../domain/carriers/calls/call-purposes.rules.ts';
import type { CarrierCallSummary } from '../domain/carriers/calls/carrier-calls.service.ts';
import type { CliCommand } from './cli-command.ts';
import { startOfDay, wholeNumber } from './options.ts';
import type { Answering } from './output.ts';

const MAX_CALLS = 10_000;

interface CallsOptions {
  readonly company: string;
  readonly connection?: number;
  readonly request?: string;
  readonly outcome?: CallOutcome;
  readonly from?: string;
  readonly to?: string;
  readonly max: number;
}

/** `carrier calls`: recorded requests to carriers and their responses. */
export function addCarrierCallsCommand(carrier: CliCommand, answering: Answering): void {
  carrier
    .command('calls')
    .description(
      'list requests to carriers of the last days, newest first, without credentials, names and streets; with --json also headers and bodies',
    )
    .requiredOption('--company <id>', 'company id')
    .option('--connection <id>', 'only those on this carrier connection', wholeNumber(1, 2_147_483_647))
    .option('--request <id>', 'only those for the request with this X-Request-Id')
    .addOption(new Option('--outcome <outcome>', 'only those with this outcome').choices(Object.keys(CALL_OUTCOMES)))
    .option('--from <time>', 'only those from this date (UTC) or ISO 8601 time on')
    .option('--to <time>', 'only those before it')
    .option('--max <number>', 'how many at most', wholeNumber(1, MAX_CALLS), 50)
    .example(
      'carrier calls --company 2612779b-5144-4cdf-b16b-6695e8d40383 --outcome refused',
      'carrier calls --company 2612779b-5144-4cdf-b16b-6695e8d40383 --request 5b2f7c3e-7f0d-4f0e-9a51-0d9a4f1b2c3d --json',
    )
    .action(answering(list, { inWords: calls => calls.map(inWords) }));
}

async function list({ company, connection, request, outcome, from, to, max }: CallsOptions) {
  const { checkInput } = await import('../platform/input.ts');
  const { requireNone } = await import('../platform/fault.ts');
  const { carrierCallFilter } = await import('../domain/carriers/calls/carrier-call-filter.input.ts');
  const { data, issues } = checkInput(carrierCallFilter, {
    carrierConnectionId: connection ?? null,
    requestId: request ?? null,
    outcomes: outcome === undefined ? null : [outcome],
    startedAt: { from: from === undefined ? null : startOfDay(from), to: to === undefined ? null : startOfDay(to) },
  });
  requireNone(issues);
  const { tenantOfCompany } = await import('../domain/access/access.service.ts');
  const { newestCalls } = await import('../domain/carriers/calls/carrier-calls.service.ts');
  const { withDatabase } = await import('./session.ts');
  return withDatabase(async ({ database }) => newestCalls(await tenantOfCompany(database, company), data ?? {}, max));
}

function inWords(call: CarrierCallSummary) {
  const {
    at,
    carrierCompanyId: connection,
    purpose,
    isTokenRequest,
    method,
    address,
    outcome,
    durationMs,
    requestId,
  } = call;
  return {
    at,
    connection,
    purpose: isTokenRequest ? `${purpose} (token)` : purpose,
    request: `${method} ${address}`,
    outcome,
    came: String(call.status ?? call.failure),
    ms: durationMs,
    requestId: requestId ?? '',
  };
}

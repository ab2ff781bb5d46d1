import { randomUUID } from 'node:crypto';
import { tenantOfCompany } from '../domain/account/access/access.service.ts';
import { operatorAt } from '../domain/account/access/keys.service.ts';
import { TariffBook } from '../domain/pricing/tariffs/tariff-book.service.ts';
import { Accounts } from '../domain/shipping/carriers/accounts.service.ts';
import type { CarrierPort } from '../domain/shipping/carriers/carrier.port.ts';
import { PromiseBook } from '../domain/shipping/promise/promise-book.service.ts';
import type { RequestContext } from '../graphql/context.ts';
import { faultOf } from '../graphql/errors.ts';
import { createGraphQLServer } from '../graphql/graphql-server.ts';
import { schema } from '../graphql/schema.ts';
import { Notifications } from '../platform/database/connections/notifications.ts';
import { OPERATOR } from '../platform/database/tenancy/actor.ts';
import { Tenant } from '../platform/database/tenancy/tenancy.ts';
import { Fault } from '../platform/fault.ts';
import { Work } from '../platform/limits/work.ts';
import type { SecretBox } from '../platform/secrets/secret-box.ts';
import { openSecrets } from '../wiring/service-secrets.ts';
import { type Session, withJobs } from './session.ts';

/** Runs one operation of the graph. @throws Fault */
type RunOperation = (query: string, variables: Readonly<Record<string, unknown>>) => Promise<unknown>;

/** An operator waits for no other company, and has no limit on a response. */
const UNLIMITED = { units: 2 ** 50, characters: 2 ** 50 };

interface OperatorAt {
  readonly companyId: string;
  readonly opensSecrets?: boolean | undefined;
}

const NO_SECRETS = new Proxy({} as SecretBox, {
  get() {
    throw new Error('The command has not said that it opens secrets');
  },
});

/**
 * Runs operations of the graph for an operator: with all rights in one company, by the executor of the service, and with
 * the operator as the actor of the audit trail.
 *
 * @throws Fault `validation_failed` if no company has this id
 */
export function withGraph<Result>(
  { companyId, opensSecrets }: OperatorAt,
  work: (run: RunOperation) => Promise<Result>,
): Promise<Result> {
  return withJobs(async session => {
    const { config, database, databaseUrl, log, metrics, announcer } = session;
    const { jobs, publicUrl } = announcer;
    const company = await tenantOfCompany(database, companyId);
    const { companyId: id } = company;
    // Not started: a command is too short for its caches to become outdated.
    const notifications = new Notifications(databaseUrl, log);
    const promiseBook = new PromiseBook(notifications, metrics);
    const box = opensSecrets ? await openSecrets(database, config) : NO_SECRETS;
    const server = createGraphQLServer(schema, { maxCost: UNLIMITED.units, timeoutMs: 0 }, metrics);
    const principal = await operatorAt(company);
    const carriers = lazyCarriers(session);
    const hasSandbox = config.demo || config.carrierSandboxUrl !== undefined;
    const shared = {
      principal,
      authScheme: 'bearer',
      place: { reserve: () => undefined, outside: result => result() },
      tariffs: new TariffBook(notifications, metrics),
      promiseBook,
      carriers: { port: carriers.port, accounts: new Accounts(box, log), box, hasSandbox },
      jobs,
      webhooks: { policy: config.webhookPolicy, box },
      serviceRates: config.rateLimits,
      caps: config.caps,
      publicUrl,
      log,
      metrics,
    } satisfies Partial<RequestContext>;
    try {
      return await work(async (query, variables) => {
        const allowance = new Work(id, UNLIMITED, () => new Fault('request_too_expensive'));
        const tenant = new Tenant(id, database, { work: allowance, actor: OPERATOR });
        const promises = promiseBook.of(tenant);
        const context: RequestContext = { ...shared, tenant, work: allowance, promises, requestId: randomUUID() };
        const { data, errors } = await server.run({ query, variables }, context);
        if (errors?.[0]) throw faultOf(errors[0]);
        if (context.missing) throw context.missing;
        return data;
      });
    } finally {
      await carriers.close();
    }
  });
}

/** The carriers, opened by the first request to one; the command starts stand-ins if the settings name none. */
function lazyCarriers({ config, database, log, metrics }: Session) {
  const open = async () => {
    const { openCallRecorder } = await import('../domain/shipping/carriers/calls/call-recorder.service.ts');
    const { startDemoSandbox } = await import('../demo/demo-sandbox.ts');
    const { Carriers } = await import('../upstream/carriers.ts');
    const sandbox = await startDemoSandbox(config);
    const calls = openCallRecorder(database, config.retention, metrics, log);
    const port = new Carriers(config.carrierSandboxUrl ?? sandbox?.url, metrics, log, calls);
    const close = async () => {
      await port.close();
      await calls?.close();
      await sandbox?.close();
    };
    return { port, close };
  };
  let opened: ReturnType<typeof open> | undefined;
  const opening = () => {
    opened ??= open();
    return opened;
  };
  const port: CarrierPort = {
    checkAddress: async (...asked) => (await opening()).port.checkAddress(...asked),
    track: async (...asked) => (await opening()).port.track(...asked),
    numbersPerMinute: () => Number.POSITIVE_INFINITY,
  };
  return { port, close: async () => (await opened)?.close() };
}

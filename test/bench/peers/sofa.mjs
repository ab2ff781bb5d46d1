import { createServer } from 'node:http';
import { MapperKind, mapSchema, pruneSchema } from '@graphql-tools/utils';
import { useSofa } from '@graphql-yoga/plugin-sofa';
import { GraphQLObjectType, getNamedType, parse, TypeInfo, visit, visitWithTypeInfo } from 'graphql';
import { createYoga } from 'graphql-yoga';
import { databaseOptions } from '../../../mikro-orm.config.ts';
import { Authenticator } from '../../../src/domain/account/access/authenticate.service.ts';
import { PromiseBook } from '../../../src/domain/shipping/promise/promise-book.service.ts';
import { schema } from '../../../src/graphql/schema.ts';
import { BASE_PATH, ENDPOINTS } from '../../../src/http/rest/endpoints.ts';
import { OPERATIONS } from '../../../src/http/rest/operations.ts';
import { Notifications } from '../../../src/platform/database/connections/notifications.ts';
import { Database } from '../../../src/platform/database/database.ts';
import { Tenant } from '../../../src/platform/database/tenancy/tenancy.ts';
import { Fault } from '../../../src/platform/fault.ts';
import { Jobs } from '../../../src/platform/jobs/jobs.ts';
import { Work } from '../../../src/platform/limits/work.ts';
import { createLog } from '../../../src/platform/telemetry/log.ts';
import { createMetrics } from '../../../src/platform/telemetry/metrics.ts';
import { READS } from '../five-reads.ts';

// Five reads of the REST contract, made by SOFA of the very schema that the service has, on Yoga as it is: the same keys,
// resolvers and statements; no limits, no metrics, no log.

const log = createLog('silent');
const metrics = createMetrics();
const database = await Database.connect(databaseOptions(process.env.DATABASE_URL, 16), metrics, log);
const notifications = new Notifications(process.env.DATABASE_URL, log);
const jobs = await Jobs.start(database, log, { worker: false });
const authenticator = new Authenticator(database, notifications, jobs, metrics, log);
const promiseBook = new PromiseBook(notifications, metrics);
await notifications.start();

/**
 * SOFA selects every field that it finds, down to the depths of the graph. So it is given a schema with the fields alone
 * that the service's own operations select, and reads the same of the database.
 */
function onlyWhatIsRead(operations) {
  const used = new Set();
  for (const operation of operations) {
    const info = new TypeInfo(schema);
    const enter = () => {
      used.add(`${getNamedType(info.getParentType()).name}.${info.getFieldDef().name}`);
    };
    visit(parse(OPERATIONS[operation]), visitWithTypeInfo(info, { Field: { enter } }));
  }
  const isUsed = (field, type) => used.has(`${type}.${field}`);
  const mapped = mapSchema(schema, {
    [MapperKind.OBJECT_FIELD]: (config, field, type) => (isUsed(field, type) ? config : null),
    [MapperKind.ROOT_FIELD]: (config, field, type) => (isUsed(field, type) ? config : null),
    [MapperKind.MUTATION]: () => null,
    // A type whose `id` is left out no longer has what `Node` asks for.
    [MapperKind.INTERFACE_TYPE]: () => null,
    [MapperKind.OBJECT_TYPE]: type => new GraphQLObjectType({ ...type.toConfig(), interfaces: [] }),
  });
  return pruneSchema(mapped);
}

const allowance = { units: 200_000, characters: 5_000_000 };
const tooMuch = () => new Fault('request_too_expensive');
/** Nobody waits for a place. */
const place = { reserve: () => undefined, outside: result => result() };
let url = '';

const endpoints = ENDPOINTS.filter(({ operation }) => READS.includes(operation));
const rootField = operation => parse(OPERATIONS[operation]).definitions[0].selectionSet.selections[0].name.value;

const yoga = createYoga({
  schema: onlyWhatIsRead(READS),
  logging: false,
  graphiql: false,
  landingPage: false,
  cors: false,
  context: async ({ req }) => {
    const principal = await authenticator.authenticate(req.headers['x-api-key']);
    const work = new Work(principal.companyId, allowance, tooMuch);
    const tenant = new Tenant(principal.companyId, database, { work });
    const promises = promiseBook.of(tenant);
    return {
      principal,
      authScheme: 'x-api-key',
      tenant,
      work,
      place,
      promiseBook,
      promises,
      publicUrl: url,
      log,
      metrics,
    };
  },
  plugins: [
    useSofa({
      basePath: BASE_PATH,
      // Each at the path that it has in the contract.
      routes: Object.fromEntries(
        endpoints.map(({ operation, path }) => [
          `Query.${rootField(operation)}`,
          { method: 'GET', path: path.replaceAll(/\{(\w+)\}/g, ':$1') },
        ]),
      ),
    }),
  ],
});

const server = createServer(yoga);
server.listen(0, '127.0.0.1', () => {
  url = `http://127.0.0.1:${server.address().port}`;
  process.stdout.write(`listening on ${url}\n`);
});
process.on('SIGTERM', () => process.exit(0));

import { fuzzEach } from '../fuzz/each.ts';
import { fuzzGraphQL } from '../fuzz/graphql.ts';
import { fuzzRaw } from '../fuzz/raw.ts';
import { fuzzRest } from '../fuzz/rest.ts';
import type { Report } from '../report.ts';
import type { SecurityOptions } from '../security.ts';
import type { Cases } from '../support/cases.ts';
import { furnishAll } from '../support/furnish.ts';
import { startReceiver } from '../support/receiver.ts';
import { callerOf, type SecurityWorld, UNLIMITED } from '../support/world.ts';

const PART = 'fuzz';
const BOUND = 'no 5xx, no internal_error, every failure with code and X-Request-Id, no connection lost';
const REQUESTS = { rest: 6_000, graphql: 4_000 };
const LONG = 10;
const LEAST = 10_000;
const LEAST_LONG = 100_000;
const FITS = 'data fits schema.graphql';

/** Requests that nobody would send: by the OpenAPI document, by the SDL, and by hand. */
export async function run(world: SecurityWorld, report: Report, { seed, isLong }: SecurityOptions): Promise<void> {
  const receiver = await startReceiver();
  const service = await world.start(UNLIMITED);
  try {
    const caller = callerOf(await world.company('Fuzz'), service);
    const ids = await furnishAll(world, caller, receiver.url);
    // A key of its own: the one that asks must not be revoked by what it asks for.
    const target = { url: service.url, apiKey: caller.apiKey, ids, seed };
    const times = isLong ? LONG : 1;
    let total = 0;
    const add = (name: string, { count, failed, failures }: Cases, bound: string, carriedOut?: number) => {
      total += count;
      const ended = service.isAlive ? [] : ['the process ended'];
      const share = carriedOut === undefined ? '' : ` (${carriedOut} carried out)`;
      const figures = `${count} requests${share}, ${failed} failed, seed ${seed}`;
      report.add({ part: PART, name, figures, bound, failures: [...ended, ...failures] });
    };
    add('raw HTTP', await fuzzRaw(target), BOUND);
    const rest = await fuzzRest(target, times * REQUESTS.rest);
    add('REST by openapi.json', rest.cases, `${BOUND}; fits openapi.json`, rest.carriedOut);
    const graphql = await fuzzGraphQL(target, times * REQUESTS.graphql);
    add('GraphQL by schema.graphql', graphql.cases, `${BOUND}; ${FITS}`, graphql.carriedOut);
    const each = await fuzzEach(target, isLong);
    add(`each of ${each.places} inputs of the SDL`, each.cases, `${BOUND}; ${FITS}`, each.carriedOut);
    const least = isLong ? LEAST_LONG : LEAST;
    report.add({
      part: PART,
      name: 'requests in all',
      figures: String(total),
      bound: `at least ${least}`,
      failures: total < least ? [`only ${total} were sent`] : [],
    });
  } finally {
    await service.stop();
    receiver.close();
  }
}

import { serverAudits } from 'graphql-http';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Caller, useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();
let caller: Caller;
beforeAll(async () => {
  caller = await world.company();
});

/** Each promise of GraphQL over HTTP; MAY is what a server may leave out. */
const audits = serverAudits({
  url: () => `${world.app.url}/graphql`,
  fetchFn: (url: string, init: RequestInit) =>
    fetch(url, { ...init, headers: { ...init.headers, 'x-api-key': caller.apiKey } }),
});

describe('A server of GraphQL over HTTP', () => {
  test.each(audits.filter(({ name }) => !name.startsWith('MAY')).map(audit => [audit.name, audit] as const))(
    '%s',
    async (_name, audit) => {
      const result = await audit.fn();
      if (result.status !== 'ok') {
        const { status, headers } = result.response;
        expect.fail(`${result.reason}: ${status} ${headers.get('content-type')}`);
      }
    },
  );
});

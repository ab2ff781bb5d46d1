import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expireCursors } from '../../src/domain/tracking/changes/change-retention.service.ts';
import { appendChanges } from '../../src/domain/tracking/changes/changes.repository.ts';
import type { CompanyId } from '../../src/platform/database/tenancy/company-id.ts';
import { Tenant } from '../../src/platform/database/tenancy/tenancy.ts';
import {
  CHANGES_WITH_DETAILS,
  hashOfChanges,
  type PolledChange,
  type PolledPage,
  START_HASH,
} from '../support/change-consumer.ts';
import { globalId } from '../support/global-id.ts';
import {
  ask,
  connectCarrier,
  type Item,
  recordEvents,
  refusal,
  shipment,
  times,
  upsertShipments,
} from '../support/platform-side.ts';
import { removeOld } from '../support/retention.ts';
import { type Caller, useSharedWorld } from '../support/world.ts';

// The proof that a consumer's copy of the change log is complete, and the fate of cursors when a database is restored.

const world = useSharedWorld();
const PROOF = `query ($from: Int!, $to: Int!, $previous: String) {
  changesProof(from: $from, to: $to, previous: $previous) {
    ... on ChangesProof { count hash }
    ... on ChangeCursorExpired { code oldest message }
  }
}`;
const LOG = '{ changeLog { oldest latest cursor } }';

interface Proof {
  readonly count: number;
  readonly hash: string;
}

const prove = (caller: Caller, from: number, to: number, previous?: string) =>
  ask<Proof>(caller, PROOF, { from, to, previous });
/** As a consumer sends it: our client shows enums as the database has them. */
async function poll({ apiKey }: Caller, variables: Item = {}): Promise<PolledPage> {
  const response = await fetch(`${world.app.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
    body: JSON.stringify({ query: CHANGES_WITH_DETAILS, variables }),
  });
  return ((await response.json()) as { data: { changes: PolledPage } }).data.changes;
}
const minute = (n: number) => new Date(Date.UTC(2026, 10, 20) + n * 60_000).toISOString();

/** A company with two changes of each kind, and what a consumer gets of them by polling. */
async function companyWithEveryKind(): Promise<{ caller: Caller; polled: readonly PolledChange[] }> {
  const caller = await world.company();
  const connection = await connectCarrier(caller);
  const { results } = await upsertShipments(caller, [shipment(connection, 'A'), shipment(connection, 'B')]);
  await upsertShipments(caller, [
    shipment(connection, 'A', { weight: '2', reference: 'r' }),
    shipment(connection, 'B', { weight: '3' }),
  ]);
  await recordEvents(caller, [
    { trackingNumber: 'A', occurredAt: minute(20), statusCode: 'in_transit' },
    { trackingNumber: 'A', occurredAt: minute(10), statusCode: 'shipped' },
  ]);
  await recordEvents(caller, [
    { trackingNumber: 'A', occurredAt: minute(15), statusCode: 'at_depot' },
    { trackingNumber: 'A', occurredAt: minute(16), statusCode: 'at_depot' },
  ]);
  // Carriers say these.
  const shipmentId = Number(results[0]?.databaseId);
  const [first, second] = [minute(60), minute(90)];
  await new Tenant(caller.companyId as CompanyId, world.app.database).transaction(tx =>
    appendChanges(tx, [
      { kind: 'estimate', shipmentId, detail: { expectedAt: first, previousExpectedAt: null } },
      { kind: 'estimate', shipmentId, detail: { expectedAt: second, previousExpectedAt: first } },
      { kind: 'related', shipmentId, detail: { type: 'return', relatedKey: 'R1' } },
      { kind: 'related', shipmentId, detail: { type: 'forward', relatedKey: 'F1' } },
      // The service finds these; the proof of a kind that came after 1.0 needs no row in a reader's table.
      { kind: 'delayed', shipmentId, detail: { reason: 'late', since: first } },
      { kind: 'delayed', shipmentId, detail: { reason: 'silent', since: second } },
    ]),
  );
  return { caller, polled: (await poll(caller)).nodes };
}

describe('The proof', () => {
  test('is the hash that a consumer calculates from what it has polled, for every range and kind of change', async () => {
    const { caller, polled } = await companyWithEveryKind();
    expect(Object.keys(Object.groupBy(polled, ({ __typename }) => __typename))).toHaveLength(7);
    for (const from of [1, 2, 7]) {
      for (const to of [from, 9, polled.length]) {
        const range = polled.slice(from - 1, to);
        expect(await prove(caller, from, to)).toEqual({ count: range.length, hash: hashOfChanges(range) });
      }
    }
  });

  test('of neighbouring ranges equals the proof of both in one', async () => {
    const { caller, polled } = await companyWithEveryKind();
    const { hash } = await prove(caller, 1, polled.length);
    for (const middle of times(polled.length - 1, i => i + 1)) {
      const first = await prove(caller, 1, middle);
      expect((await prove(caller, middle + 1, polled.length, first.hash)).hash).toBe(hash);
    }
  });

  test('differs for every copy in which a change is altered, lost, swapped or twice', async () => {
    const { caller, polled } = await companyWithEveryKind();
    const { hash } = await prove(caller, 1, polled.length);
    const place = fc.nat(polled.length - 1);
    const damage = fc.oneof(
      place.map(i => polled.toSpliced(i, 1)),
      place.map(i => polled.toSpliced(i, 0, polled[i] as PolledChange)),
      fc
        .tuple(place, place)
        .map(([i, j]) => polled.with(i, polled[j] as PolledChange).with(j, polled[i] as PolledChange)),
      fc.tuple(place, fc.string({ minLength: 1, maxLength: 3 }), fc.nat()).map(([i, text, n]) => {
        const change = polled[i] as PolledChange & Item;
        const names = Object.keys(change).filter(name => change[name] !== null);
        const name = names[n % names.length] as string;
        return polled.with(i, { ...change, [name]: alter(change[name], text) } as unknown as PolledChange);
      }),
    );
    const whole = JSON.stringify(polled);
    fc.assert(
      fc.property(damage, copy => {
        fc.pre(JSON.stringify(copy) !== whole);
        expect(hashOfChanges(copy)).not.toBe(hash);
      }),
    );
  });

  test('of the longest range takes more than one read', async () => {
    const caller = await world.company();
    const connection = await connectCarrier(caller);
    for (const part of [0, 1, 2]) {
      const batch = times(1_000, i => shipment(connection, `L${part}-${i}`));
      await upsertShipments(caller, batch.slice(0, part === 2 ? 500 : 1_000));
    }
    let polled: readonly PolledChange[] = [];
    for (let page = await poll(caller, { first: 1_000 }); ; ) {
      polled = [...polled, ...page.nodes];
      if (!page.pageInfo.hasNextPage) break;
      page = await poll(caller, { first: 1_000, after: page.pageInfo.endCursor });
    }
    expect(await prove(caller, 1, 2_500)).toEqual({ count: 2_500, hash: hashOfChanges(polled) });
    expect(await prove(caller, 1_001, 100_000)).toEqual({ count: 1_500, hash: hashOfChanges(polled.slice(1_000)) });
  });

  test('says how many changes there are where the log ends before the range', async () => {
    const { caller, polled } = await companyWithEveryKind();
    const all = { count: polled.length, hash: hashOfChanges(polled) };
    expect(await prove(caller, 1, polled.length + 50)).toEqual(all);
    expect(await prove(caller, polled.length + 1, polled.length + 9, all.hash)).toEqual({ count: 0, hash: all.hash });
    expect(await prove(caller, polled.length + 5, polled.length + 9)).toEqual({ count: 0, hash: START_HASH });
    expect(await prove(await world.company(), 1, 10)).toEqual({ count: 0, hash: START_HASH });
  });

  test('of changes that are no longer kept is an expired cursor', async () => {
    const { caller, polled } = await companyWithEveryKind();
    await world.pool.query(
      "update tracking_change set at = now() - interval '91 days' where company_id = $1 and number <= 3",
      [caller.companyId],
    );
    await removeOld(world, { table: 'tracking_change' });
    const expired = { code: 'cursor_expired', oldest: 4, message: expect.stringContaining('no longer kept') };
    expect(await prove(caller, 3, 9)).toEqual(expired);
    expect(await prove(caller, 4, 9)).toEqual({ count: 6, hash: hashOfChanges(polled.slice(3, 9)) });
  });

  test('needs the right to track, and a range and a hash that can be read', async () => {
    const { caller } = await companyWithEveryKind();
    const quotesOnly = await world.key(caller.companyId, ['shipments:quote']);
    expect(await refusal(quotesOnly, PROOF, { from: 1, to: 2 })).toBe('insufficient_scope');
    const wrong = (variables: Item) => refusal(caller, PROOF, variables);
    expect(await wrong({ from: 0, to: 2 })).toBe('validation_failed: /from out_of_range');
    expect(await wrong({ from: 2, to: 1 })).toBe('validation_failed: /to out_of_range');
    expect(await wrong({ from: 2, to: 100_002 })).toBe('validation_failed: /to out_of_range');
    expect(await wrong({ from: 1, to: 2, previous: 'x' })).toBe('validation_failed: /previous invalid_hash');
    expect((await prove(caller, 2, 100_001)).count).toBeGreaterThan(0);
  });

  test('costs as much as the changes that it covers', async () => {
    const { caller } = await companyWithEveryKind();
    const aliases = (count: number) =>
      `{ ${times(count, i => `p${i}: changesProof(from: 1, to: 100000) { __typename }`).join(' ')} }`;
    expect((await caller.graphql(aliases(1))).errors).toBeUndefined();
    expect(await refusal(caller, aliases(3))).toBe('graphql_too_complex');
  });

  test('of another company shows nothing of this one', async () => {
    const { polled } = await companyWithEveryKind();
    const other = await companyWithEveryKind();
    const { hash } = await prove(other.caller, 1, polled.length);
    expect(hash).toBe(hashOfChanges(other.polled));
    expect(hash).not.toBe(hashOfChanges(polled));
  });

  test('is calculated by the commands of the guide as well', async () => {
    const guide = await readFile(new URL('../../src/docs/changes-proof.md', import.meta.url), 'utf8');
    const [, commands = '', printed] = /```sh\n(printf[\s\S]*?)```\s+It prints `(\w+)`/.exec(guide) ?? [];
    const { stdout } = await promisify(execFile)('bash', ['-c', commands.replaceAll('changes.txt', '"$FILE"')], {
      env: { ...process.env, FILE: `${process.env.TMPDIR ?? '/tmp'}/changes-${process.pid}.txt` },
    });
    expect(stdout.trim()).toBe(printed);
    const at = (hour: string) => `2026-11-20T${hour}:00.000Z`;
    const shipmentId = globalId('Shipment', 7);
    expect(printed).toBe(
      hashOfChanges([
        { __typename: 'ShipmentCreated', number: 1, recordedAt: at('09:30'), shipmentId },
        {
          __typename: 'ShipmentStatusChanged',
          number: 2,
          recordedAt: at('10:00'),
          shipmentId,
          eventId: globalId('TrackingEvent', 31),
          statusCode: 'SHIPPED',
          previousStatusCode: 'CREATED',
        },
      ]),
    );
  });
});

/** Another value of the same kind. */
function alter(value: unknown, text: string): unknown {
  if (typeof value === 'number') return value + text.length;
  if (Array.isArray(value)) return [...value, text];
  return `${value}${text}`;
}

describe('After the database was restored to an earlier time', () => {
  /** The count after the log has lost the changes behind a number. */
  async function restore({ companyId }: Caller, last: number): Promise<void> {
    await world.pool.query('delete from tracking_change where company_id = $1 and number > $2', [companyId, last]);
    await world.pool.query('update tracking_change_count set last = $2 where company_id = $1', [companyId, last]);
  }

  test('a cursor behind the end of the log has expired at once', async () => {
    const { caller, polled } = await companyWithEveryKind();
    const [early, late] = [await poll(caller, { first: 3 }), await poll(caller)];
    await restore(caller, 5);
    expect(await poll(caller, { after: late.pageInfo.endCursor })).toMatchObject({ nodes: [], hasGap: true });
    expect((await poll(caller, { after: early.pageInfo.endCursor })).nodes).toEqual(polled.slice(3, 5));
  });

  test('every cursor of before expires by the command, also where there is no change left, and new ones work', async () => {
    const { caller, polled } = await companyWithEveryKind();
    const late = await poll(caller);
    const fresh = await world.company();
    const { cursor: ofNone } = await ask<{ cursor: string }>(fresh, LOG);
    await restore(caller, 5);
    const companies = [caller, fresh].map(({ companyId }) => companyId as CompanyId);
    await expireCursors(world.app.database, companies, new Date());
    // As many again as were lost: by the number alone the cursor would fit.
    const tenant = new Tenant(caller.companyId as CompanyId, world.app.database);
    const again = times(polled.length - 5, () => ({ kind: 'created', shipmentId: 1 }) as const);
    await tenant.transaction(tx => appendChanges(tx, again));
    expect((await poll(caller, { after: late.pageInfo.endCursor })).hasGap).toBe(true);
    expect((await poll(fresh, { after: ofNone })).hasGap).toBe(true);
    const { cursor } = await ask<{ cursor: string }>(caller, LOG);
    await tenant.transaction(tx => appendChanges(tx, [{ kind: 'created', shipmentId: 2 }]));
    expect((await poll(caller, { after: cursor })).nodes).toEqual([
      expect.objectContaining({ number: polled.length + 1, shipmentId: globalId('Shipment', 2) }),
    ]);
    expect((await poll(caller)).nodes).toHaveLength(polled.length + 1);
    const { cursor: ofFresh } = await ask<{ cursor: string }>(fresh, LOG);
    expect((await poll(fresh, { after: ofFresh })).nodes).toEqual([]);
  });
});

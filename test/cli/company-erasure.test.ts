import { writeFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { createNoticeEndpoint } from '../jobs/notice-calls.ts';
import { runSchedule } from '../jobs/webhooks.ts';
import { furnishAll } from '../security/support/furnish.ts';
import { connectCarrier } from '../support/platform-side.ts';
import { useReceiver } from '../support/receiver.ts';
import type { Caller } from '../support/world.ts';
import { useErasures } from './erasure-calls.ts';
import { inProcess } from './in-process.ts';
import type { Json } from './processes.ts';

// `company erase`: nothing is left of a company but the proof, and nobody else notices.

const receiver = useReceiver();
const erasures = useErasures();
const { world, run, json, suspend, erase, rowsOf, nameOf, found } = erasures;

/** How many rows each table has of a company. */
async function counted(companyId: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const own = await rowsOf<{ name: string }>(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'company_id'
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition order by 1`,
  );
  for (const { name } of own) {
    const [row] = await rowsOf(`select count(*)::integer as count from ${name} where company_id = $1`, companyId);
    if (row.count > 0) counts[name] = row.count;
  }
  return counts;
}

/** The sandbox of a company, with one of everything. */
async function furnished(mark: string): Promise<Caller & { liveId: string }> {
  const { companyId: liveId } = await world.company();
  const caller = await world.key(liveId, ['all'], undefined, 'sandbox');
  await furnishAll({ database: world.app.database }, caller, receiver.url, mark);
  const { companyId } = caller;
  await world.pool.query(
    `insert into shipment_estimate (company_id, shipment_id, told_at, expected_at)
        select company_id, id, now(), now() from shipment where company_id = '${companyId}' limit 1;
      insert into suspended_job (company_id, id, queue, data) values ('${companyId}', gen_random_uuid(), 'q', '{}');
      insert into carrier_reference (company_id, carrier_code, kind, name, content)
        values ('${companyId}', 'BRT', 'list', 'isole', '{"places":["${mark}"]}');
      insert into default_parcel (company_id, length, width, height) values ('${companyId}', 40, 30, 20)`,
  );
  return { ...caller, liveId };
}

describe('An erased company', () => {
  let erased: Caller & { liveId: string };
  let other: Caller;
  let before: { own: Record<string, number>; others: Record<string, number>; head: Json };
  let proof: Json;
  let proofOfLive: Json;
  beforeAll(async () => {
    [erased, other] = [await furnished('Cancellato'), await furnished('Rimasto')];
    const { companyId, liveId } = erased;
    await suspend(liveId);
    // Jobs under way end, and a worker puts off the ones that are due soon.
    await vi.waitFor(
      async () => {
        const open = await rowsOf(
          `select 1 from pgboss.job where data ->> 'companyId' = $1 and (state = 'active'
            or state in ('created', 'retry') and start_after < now() + interval '5 seconds')`,
          companyId,
        );
        expect(open).toEqual([]);
      },
      { timeout: 30_000 },
    );
    const others = await counted(other.companyId);
    before = { own: await counted(companyId), others, head: undefined };
    // The notices of the operator, who receives the notices of all companies.
    await world.pool.query(
      `update webhook_endpoint set topic = 'notices', all_companies = true where company_id = '${other.companyId}';
        insert into webhook_event (company_id, id, type, sequence, body) values ('${other.companyId}', gen_random_uuid(),
          'notice.key_expiring', 0, '{"id":"n","company":{"id":"${companyId}","name":"Cancellato"}}')`,
    );
    before.own.webhook_event = (before.own.webhook_event ?? 0) + 1;
    [proof, proofOfLive] = await erase(liveId, await nameOf(liveId));
  });

  test('leaves nothing but the proof, wherever its id or something that it stored is looked for', async () => {
    expect(await found(erased.companyId)).toEqual({ erased_company: 1 });
    expect(await found(erased.liveId)).toEqual({ erased_company: 1 });
    expect(await found('Cancellato')).toEqual({});
    expect(await found(erased.apiKeyId)).toEqual({});
    expect(Object.keys(await found(other.companyId)).length).toBeGreaterThan(30);
  });

  test('is proved by how many rows of each table were erased, when, by whom, and by the hash of its audit trail', async () => {
    const { 'pgboss.job': jobs, company, ...counts } = proof.counts;
    // The beginning of the erasure is an entry too.
    const audited = { audit_entry: (before.own.audit_entry ?? 0) + 1 };
    // Counters of a minute may come and go meanwhile.
    expect({ ...counts, rate_use: 0 }).toEqual({ ...before.own, ...audited, rate_use: 0 });
    expect([company, jobs]).toEqual([1, expect.any(Number)]);
    expect(proof).toMatchObject({
      companyId: erased.companyId,
      erasedBy: 'Anna Neri',
      auditEntries: audited.audit_entry,
      auditHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      beganAt: expect.any(String),
      finishedAt: expect.any(String),
    });
    expect(await json('company', 'erasures')).toEqual([proofOfLive, proof]);
  });

  test('had rows in every table that there is', async () => {
    const all = await rowsOf<{ name: string }>(
      `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'company_id'
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition order by 1`,
    );
    const never = all.map(({ name }) => name).filter(name => before.own[name] === undefined);
    // Written by jobs that run at night, or by simulations that take long; erased by the same walk.
    expect(
      never.filter(
        name =>
          !/^(carrier_call|new_carrier_code|old_shipment_walk|promise|promise_cell|shipment_promise|tariff_simulation|tariff_simulation_page|webhook_endpoint_count)$/.test(
            name,
          ),
      ),
    ).toEqual([]);
  });

  test('is erased with its sandbox, each with a proof of its own', () => {
    expect(proofOfLive).toMatchObject({ companyId: erased.liveId, counts: { api_key: 1, company: 1 } });
    expect(proof.counts).toMatchObject({ shipment: before.own.shipment, company: 1 });
    expect(proofOfLive.auditHash).not.toBe(proof.auditHash);
  });

  test('takes nothing from another company, whose key and webhooks continue to work', async () => {
    const { rate_use: _, ...now } = await counted(other.companyId);
    const { rate_use: __, ...then } = before.others;
    expect(now).toEqual(then);
    expect((await other.rest('GET', '/health')).status).toBe(200);
  });

  test('has keys that are rejected like keys that never existed', async () => {
    const { status, body } = await erased.rest('GET', '/health');
    expect([status, body.code, body.reason]).toEqual([401, 'invalid_api_key', undefined]);
  });

  test('no longer exists for the doctor, which finds rows that are written afterwards', async () => {
    const finding = async () => {
      const { stdout } = await run('doctor');
      return (JSON.parse(stdout) as Json[]).find(({ check }) => check === 'companies');
    };
    expect(await finding()).toMatchObject({ status: 'ok' });
    await rowsOf(
      `insert into tracking_change (company_id, number, kind, shipment_id) values ($1, 1, 'created', 1)`,
      erased.companyId,
    );
    expect(await finding()).toMatchObject({ status: 'fail', found: expect.stringContaining('tracking_change') });
    await rowsOf('delete from tracking_change where company_id = $1', erased.companyId);
  });

  test('cannot be erased again', async () => {
    const { code, stderr } = await run('company', 'erase', '--company', erased.companyId, '--name', 'Company');
    expect([code, stderr]).toEqual([1, expect.stringContaining('must be the id of a company')]);
  });
});

test('An erasure deletes pending notices to the operator about the company, queued or put aside', async () => {
  const [operator, caller] = [await world.company(), await world.company()];
  const { webhookEndpoint } = await createNoticeEndpoint(operator, receiver.url);
  await rowsOf('update webhook_endpoint set all_companies = true where id = $1', webhookEndpoint.id);
  await suspend(operator.companyId);
  await rowsOf(
    `update api_key set label = 'Cancellando', created_at = now() - interval '9 days', expires_at = now() + interval '3 days'
      where id = $1`,
    caller.apiKeyId,
  );
  await runSchedule(world, 'webhooks.expiries');
  // The worker puts it aside; another one is as where it has not come to it.
  await vi.waitFor(async () => expect(await found('Cancellando')).toMatchObject({ suspended_job: 1 }), 10_000);
  await rowsOf(
    `insert into pgboss.job (name, data, start_after)
      select queue, data, now() + interval '1 day' from suspended_job where company_id = $1`,
    operator.companyId,
  );
  expect(await found('Cancellando')).toMatchObject({ suspended_job: 1, 'pgboss.job_common': expect.any(Number) });
  await suspend(caller.companyId);
  await erase(caller.companyId, await nameOf(caller.companyId));
  expect(await found('Cancellando')).toEqual({});
  expect(await found(caller.companyId)).toEqual({ erased_company: 1 });
  await json('company', 'resume', '--company', operator.companyId);
});

/**
 * A company whose erasure stops before its end, with triggers that keep some of its rows; and the way to continue it.
 */
async function halfErased(
  companyId: string,
): Promise<{ name: string; stopped: Json; unblock: () => Promise<unknown> }> {
  await rowsOf(
    `insert into tracking_change (company_id, number, kind, shipment_id) values ($1, 1, 'created', 1)`,
    companyId,
  );
  await rowsOf('create function keep_row() returns trigger language plpgsql as $$ begin return null; end $$');
  for (const table of ['tracking_change', 'carrier_connection', 'api_key']) {
    await rowsOf(`create trigger keep_row before delete on ${table} for each row
      when (old.company_id = '${companyId}') execute function keep_row()`);
  }
  await suspend(companyId);
  const name = await nameOf(companyId);
  const stopped = await run('company', 'erase', '--company', companyId, '--name', name);
  return { name, stopped, unblock: () => rowsOf('drop function keep_row cascade') };
}

test('An erasure is not finished while rows of the company are left, and continues when the command is run again', async () => {
  const { companyId } = await world.company();
  const { name, stopped, unblock } = await halfErased(companyId);
  try {
    expect(stopped).toMatchObject({ code: 2, stderr: expect.stringContaining('tracking_change') });
    const proofs = await json('company', 'erasures');
    expect(proofs.at(-1)).toMatchObject({ companyId, finishedAt: null });
  } finally {
    await unblock();
  }
  expect(await erase(companyId, name)).toMatchObject([{ companyId, counts: { tracking_change: 1 } }]);
  expect(await found(companyId)).toEqual({ erased_company: 1 });
});

test('A company that is half erased can be neither exported nor changed, and its audit trail stays as the proof has it', async () => {
  const caller = await world.company();
  const { companyId, apiKeyId } = caller;
  const connection = await connectCarrier(caller);
  const { name, unblock } = await halfErased(companyId);
  try {
    const company = ['--company', companyId];
    const orders = `${erasures.settings.DATA_DIR}.jsonl`;
    await writeFile(orders, '');
    const commands = [
      ['company', 'export', ...company, '--out', `${erasures.settings.DATA_DIR}.tar.gz`],
      ['import', 'orders', orders, ...company],
      ['carrier', 'connect', ...company, '--carrier', 'GLS', '--label', 'Altro'],
      ['carrier', 'update', ...company, '--connection', String(connection), '--label', 'Altro'],
      ['key', 'create', ...company, '--label', 'Altra', '--scopes', 'all'],
      ['key', 'update', ...company, '--key', apiKeyId, '--label', 'Altra'],
    ];
    for (const command of commands) {
      const { code, stderr } = await run(...command);
      expect([command.slice(0, 2), code, stderr]).toEqual([
        command.slice(0, 2),
        2,
        expect.stringContaining('whose erasure has begun: only `company erase` continues it'),
      ]);
    }
    const [{ count }] = await rowsOf(
      'select count(*)::integer as count from audit_entry where company_id = $1',
      companyId,
    );
    expect(count).toBe(0);
  } finally {
    await unblock();
  }
  await erase(companyId, name);
});

describe('A company is erased only', () => {
  test('with its sandbox, and never the sandbox alone', async () => {
    const { companyId: liveId } = await world.company();
    const { companyId } = await world.key(liveId, ['all'], undefined, 'sandbox');
    for (const command of ['suspend', 'resume', 'erase']) {
      const { code, stderr } = await run(
        'company',
        command,
        '--company',
        companyId,
        ...(command === 'suspend' ? ['--yes'] : []),
      );
      expect([code, stderr]).toEqual([2, expect.stringContaining(`the company is ${liveId}`)]);
    }
  });

  test('once it is suspended', async () => {
    const { companyId } = await world.company();
    const before = await counted(companyId);
    const { code, stderr } = await run('company', 'erase', '--company', companyId, '--name', await nameOf(companyId));
    expect([code, stderr]).toEqual([2, expect.stringContaining('run `company suspend` first')]);
    expect(await counted(companyId)).toEqual(before);
  });

  test('if its name is given', async () => {
    const { companyId } = await world.company();
    await suspend(companyId);
    const before = await counted(companyId);
    const other = await run('company', 'erase', '--company', companyId, '--name', 'Altra');
    expect([other.code, other.stderr]).toEqual([1, 'The name does not match. Nothing was changed.\n']);
    const unasked = await run('company', 'erase', '--company', companyId);
    expect([unasked.code, unasked.stderr]).toEqual([2, expect.stringContaining('Give its name by --name')]);
    const command = ['company', 'erase', '--company', companyId];
    const mistyped = await inProcess(command, erasures.settings, { columns: 100, types: 'y' });
    expect([mistyped.code, mistyped.stderr]).toEqual([1, expect.stringContaining('Type its name')]);
    expect(await counted(companyId)).toEqual(before);
    const typed = await inProcess(command, erasures.settings, { columns: 100, types: await nameOf(companyId) });
    expect(typed).toMatchObject({ code: 0, stdout: expect.stringContaining('auditHash') });
  });
});

describe('The audit trail and the proofs', () => {
  const refused = (text: string, ...values: unknown[]) =>
    expect(rowsOf(text, ...values)).rejects.toMatchObject({ code: '42501' });

  test('let nothing be deleted or changed of a company that is not being erased, suspended or not', async () => {
    const { companyId } = await world.company();
    await refused('delete from audit_entry where company_id = $1', companyId);
    await suspend(companyId);
    await refused('delete from audit_entry where company_id = $1', companyId);
    await refused(`update audit_entry set content = '{}' where company_id = $1`, companyId);
    await refused('delete from audit_head where company_id = $1', companyId);
    await refused('update audit_head set last = last - 1 where company_id = $1', companyId);
    await refused('truncate audit_head');
  });

  test('show permanently that rows were erased by hand', async () => {
    const { companyId } = await world.company();
    const insert = `insert into erased_company (id, erased_by, audit_entries, audit_hash) values ($1, 'x', 0, '')`;
    await refused(insert, companyId);
    await suspend(companyId);
    await rowsOf(insert, companyId);
    await rowsOf('delete from audit_entry where company_id = $1 and number = 1', companyId);
    await refused(`update audit_entry set content = '{}' where company_id = $1`, companyId);
    await refused('delete from erased_company where id = $1', companyId);
    await refused(`update erased_company set erased_by = 'y' where id = $1`, companyId);
    await refused('truncate erased_company');
    await rowsOf('update erased_company set finished_at = now() where id = $1', companyId);
    await refused('update erased_company set finished_at = null where id = $1', companyId);
    await refused('delete from audit_entry where company_id = $1', companyId);
  });
});

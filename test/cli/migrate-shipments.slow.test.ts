import { describe, expect, test } from 'vitest';
import { migratedUpTo } from './earlier-database.ts';
import { inProcess } from './in-process.ts';
import { answerOf, useProcesses } from './processes.ts';

const processes = useProcesses();

describe('migrate converts earlier shipments to the new form', () => {
  const STEPS = 'Migration20261122100001_steps_of_before';
  const companyId = '00000000-0000-4000-8000-00000000000a';
  const [LONG, SOON] = ['2098-05-01T08:00:00.000Z', new Date(Date.now() + 23 * 3_600_000).toISOString()];
  const at = (hour: number) => new Date(Date.UTC(2026, 10, 20, hour)).toISOString();
  const recorded = at(15);

  type Event = [at: string, statusCode: string, code?: string, note?: string];
  type After = [
    status: string,
    statusAt: string | null,
    deliveredAt: string | null,
    scan: string | null,
    shipped: string | null,
  ];
  // biome-ignore format: a table reads as rows
  const shipments: Record<string, { was: string; events: Event[]; is: After; timeline?: Event[]; isPolled?: boolean }> = {
    'has none':       { was: 'created', events: [], is: ['created', null, null, null, null] },
    'under way':      { was: 'in_transit', events: [[at(8), 'created'], [at(9), 'shipped'], [at(11), 'in_transit']],
                        is: ['in_transit', at(11), null, at(9), at(9)] },
    'unknown only':   { was: 'unknown', events: [[at(8), 'unknown', '1'], [at(9), 'unknown', '2']],
                        is: ['unknown', at(9), null, null, null] },
    'delivered once': { was: 'unknown', events: [[at(9), 'shipped'], [at(10), 'delivered', '906'], [at(12), 'unknown', '999']],
                        is: ['delivered', at(10), at(10), at(9), at(9)] },
    'a day ahead':    { was: 'held', events: [[SOON, 'held']], is: ['held', SOON, null, SOON, null] },
    'of 2098':        { was: 'delivered', events: [[at(9), 'in_transit'], [LONG, 'delivered', '906', 'Firma']],
                        is: ['in_transit', at(9), null, at(9), null], isPolled: true,
                        timeline: [[at(9), 'in_transit'], [recorded, 'unknown', '906', `Firma · Orario nel futuro: ${LONG}`]] },
    'twice of 2098':  { was: 'held', events: [[LONG, 'held', '3'], ['2098-05-01T09:00:00.000Z', 'held', '3']],
                        is: ['unknown', recorded, null, null, null], isPolled: true,
                        timeline: [['2026-11-20T14:59:59.999Z', 'unknown', '3', `Orario nel futuro: ${LONG}`],
                          [recorded, 'unknown', '3', 'Orario nel futuro: 2098-05-01T09:00:00.000Z']] },
  };

  test('in a run, and in a second one that finds nothing to do', async () => {
    const url = await migratedUpTo(processes, STEPS);
    const database = await processes.connect(url);
    await database.query("insert into company (id, name) values ($1, 'A')", [companyId]);
    await database.query(
      `insert into carrier_connection (company_id, id, carrier_code, label, is_active, credentials)
        values ($1, 7, 'GLS', 'A', true, 'sealed')`,
      [companyId],
    );
    for (const [number, { was, events }] of Object.entries(shipments)) {
      const newest =
        events
          .map(([time]) => time)
          .toSorted()
          .at(-1) ?? null;
      const { rows } = await database.query(
        `insert into shipment (company_id, carrier_connection_id, tracking_number, tracking_key, recipient, parcel_number,
            status_code, status_at, delivered_at)
          values ($1, 7, $2, $2, '{}', 1, $3, $4, case $3 when 'delivered' then $4::timestamptz end) returning id`,
        [companyId, number, was, newest],
      );
      for (const [time, statusCode, code, note] of events) {
        await database.query(
          `insert into tracking_event (company_id, shipment_id, occurred_at, status_code, carrier_status_code, note, recorded_at)
            values ($1, $2, $3, $4, $5, $6, $7)`,
          [companyId, rows[0]?.id, time, statusCode, code, note, recorded],
        );
      }
    }
    const found = async () => {
      const { rows } = await database.query(
        `select s.*, p.shipment_id is not null as "isPolled", (select coalesce(json_agg(e order by e.occurred_at, e.id), '[]')
            from tracking_event e where e.shipment_id = s.id) as timeline
          from shipment s left join tracking_poll p on p.shipment_id = s.id order by s.id`,
      );
      return rows;
    };
    const iso = (time: string | Date | null) => (time === null ? null : new Date(time).toISOString());
    expect(answerOf(await inProcess(['migrate', '--json'], { DATABASE_URL: url })).migrations).toContain(STEPS);
    const rows = await found();
    const after = rows.map(row => [
      row.tracking_number,
      {
        is: [row.status_code, ...[row.status_at, row.delivered_at, row.first_scan_at, row.shipped_at].map(iso)],
        timeline: row.timeline.map((one: Record<string, string | null>) => [
          iso(one.occurred_at ?? null),
          one.status_code,
          one.carrier_status_code ?? undefined,
          one.note ?? undefined,
        ]),
        isPolled: row.isPolled,
      },
    ]);
    const whole = ([time, statusCode, code, note]: Event) => [time, statusCode, code, note];
    expect(Object.fromEntries(after)).toEqual(
      Object.fromEntries(
        Object.entries(shipments).map(([number, { is, events, timeline = events, isPolled = false }]) => [
          number,
          { is, timeline: timeline.map(whole), isPolled },
        ]),
      ),
    );
    // As after one that was stopped.
    await database.query('delete from mikro_orm_migrations where name = $1', [STEPS]);
    expect(answerOf(await inProcess(['migrate', '--json'], { DATABASE_URL: url })).migrations).toEqual([STEPS]);
    expect(await found()).toEqual(rows);
  });
});

import type pg from 'pg';

/** The knowledge of the callers, in a process of its own: each acknowledged record, and its expected state. */

/**
 * Kinds of records, and how they are read: `token` is the caller's own name of a record, `state` the state that was
 * last acknowledged.
 */
const RECORDS = {
  warehouse: 'select name as token, address as state from warehouse where company_id = $1',
  order:
    'select order_number as token, trim_scale(cod_amount)::text as state from customer_order where company_id = $1',
  shipment: 'select tracking_number as token, trim_scale(weight)::text as state from shipment where company_id = $1',
  event: `select s.tracking_number || '@' || (extract(epoch from e.occurred_at) * 1000)::bigint as token, e.status_code as state
    from tracking_event e join shipment s on s.company_id = e.company_id and s.id = e.shipment_id where e.company_id = $1`,
  'API key': `select label as token, case when revoked_at is null then 'active' else 'revoked' end as state
    from api_key where company_id = $1`,
  connection: `select label as token,
      case when disconnected_at is not null then 'disconnected' when is_active then 'active' else 'inactive' end as state
    from carrier_connection where company_id = $1`,
  revision: `select name as token, case when number is null then 'draft' else 'published' end as state
    from carrier_tariff_revision where company_id = $1`,
  invoice: 'select number as token, run::text as state from carrier_invoice where company_id = $1',
  endpoint: `select label as token, case when disabled_at is not null then 'deleted' when paused_at is not null then 'paused'
      else 'active' end as state
    from webhook_endpoint where company_id = $1`,
  reference: `select name as token, kind as state from carrier_reference where company_id = $1`,
  'saved quote': `select 'T' || (request -> 'quote' ->> 'totalVolume') as token, 'saved' as state from saved_quote where company_id = $1`,
  simulation: `select 'T' || (plan -> 'terms' ->> 'monthlyShipments') as token, 'kept' as state from tariff_simulation where company_id = $1`,
} as const satisfies Record<string, string>;

export type RecordKind = keyof typeof RECORDS;

/** Tokens of the load; what the company has besides begins otherwise. */
const OURS = /^t\d/i;

/** States of all rows with one token, sorted; none where there must be no row. */
type States = readonly string[];

interface Entry {
  states: States;
  /** The state that it gets, or has already, while the request has no response. */
  pending?: States | undefined;
}

export interface Discrepancies {
  readonly lost: readonly string[];
  readonly twice: readonly string[];
}

export class Ledger {
  /** Records that were acknowledged, a batch by its items. */
  acknowledged = 0;
  readonly #entries = new Map<RecordKind, Map<string, Entry>>();

  /** Before a request: what the record will be if it is carried out. */
  intend(kind: RecordKind, token: string, ...states: States): void {
    const entries = this.#entries.get(kind) ?? new Map<string, Entry>();
    this.#entries.set(kind, entries);
    const entry = entries.get(token) ?? { states: [] };
    entries.set(token, { ...entry, pending: states.toSorted() });
  }

  /** After the answer to it. */
  acknowledge(kind: RecordKind, token: string): void {
    const entry = this.#entries.get(kind)?.get(token);
    if (!entry?.pending) throw new Error(`Nothing was intended with ${kind} ${token}`);
    entry.states = entry.pending;
    entry.pending = undefined;
    this.acknowledged++;
  }

  /** Acknowledged records that are missing or differ, and records that exist twice or that nobody asked for. */
  async compare(database: pg.Client, companyId: string): Promise<Discrepancies> {
    const lost: string[] = [];
    const twice: string[] = [];
    for (const [kind, text] of Object.entries(RECORDS) as [RecordKind, string][]) {
      const { rows } = await database.query<{ token: string; state: string }>(text, [companyId]);
      const found = new Map<string, string[]>();
      for (const { token, state } of rows) {
        const states = found.get(token);
        if (states) states.push(state);
        else found.set(token, [state]);
      }
      const entries = this.#entries.get(kind) ?? new Map<string, Entry>();
      for (const [token, { states, pending }] of entries) {
        const actual = (found.get(token) ?? []).toSorted();
        found.delete(token);
        const allowed = pending === undefined ? [states] : [states, pending];
        if (allowed.some(one => one.join('|') === actual.join('|'))) continue;
        const most = Math.max(...allowed.map(one => one.length));
        const message = `${kind} ${token}: [${actual}] where [${allowed.join('] or [')}] was acknowledged`;
        (actual.length > most ? twice : lost).push(message);
      }
      for (const token of found.keys()) if (OURS.test(token)) twice.push(`${kind} ${token}: nobody asked for it`);
    }
    return { lost, twice };
  }
}

import { createHash } from 'node:crypto';
import type pg from 'pg';
import { carrierOf, trackingPageOf } from '../../../src/domain/shipping/carriers/carriers.catalog.ts';

// The common parts of both peers: the key check, cached in memory as in the service, and the form of a response.

const keys = new Map<string, string>();

/** Company of a key, or undefined. */
export async function companyOf(pool: pg.Pool, key: string): Promise<string | undefined> {
  const id = key.split('_')[2] ?? '';
  const hash = createHash('sha256').update(key).digest('hex');
  const known = keys.get(hash);
  if (known !== undefined) return known;
  const { rows } = await pool.query({
    name: 'key',
    text: `select company_id from api_key where id = $1::uuid and encode(secret_hash, 'hex') = $2 and revoked_at is null`,
    values: [id, hash],
  });
  if (rows[0]) keys.set(hash, rows[0].company_id);
  return rows[0]?.company_id;
}

export const LABELS: Readonly<Record<string, string>> = {
  created: 'Spedizione registrata',
  shipped: 'Spedita',
  in_transit: 'In transito',
  at_depot: 'Arrivata in filiale',
  out_for_delivery: 'In consegna',
  delivered: 'Consegnata',
};
export const CARRIERS: Readonly<Record<string, string>> = { BRT: 'BRT', GLS: 'GLS Italy', DHL: 'DHL Express' };
/** The carrier's page about a shipment. */
export const pageOf = (carrierCode: string, number: string) => trackingPageOf(carrierOf(carrierCode), number);
export const COUNTRIES = new Intl.DisplayNames('it', { type: 'region' });

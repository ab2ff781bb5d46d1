import fastify from 'fastify';
import pg from 'pg';
import { Pool } from 'undici';
import { companyOf } from './record.ts';

// The address check written by hand for one carrier: Fastify, pg and undici, one prepared statement; no logging, no
// metrics.

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 16 });
const carrier = new Pool(String(process.env.CARRIER_SANDBOX_URL), { connections: 128, pipelining: 1 });
const { CARRIER_USERNAME, CARRIER_PASSWORD } = process.env;
const authorization = `Basic ${Buffer.from(`${CARRIER_USERNAME}:${CARRIER_PASSWORD}`).toString('base64')}`;
const app = fastify();

const CONNECTION = `select is_active from carrier_connection
  where company_id = $1 and id = $2 and carrier_code = 'DHL' and disconnected_at is null`;

interface Body {
  readonly carrierCompanyId: number;
  readonly address: string;
  readonly city: string;
  readonly zip: string;
  readonly provincia?: string;
  readonly country?: string;
}

interface Place {
  readonly countryCode?: string;
  readonly postalCode?: string;
  readonly cityName?: string;
  readonly countyName?: string;
}

const about = {
  carrierCode: 'DHL',
  carrierName: 'DHL Express',
  verificationType: 'postal_validation',
  countryScope: 'international',
};

app.post('/api/v1/integrations/addresses/check-address', async (request, reply) => {
  const company = await companyOf(pool, String(request.headers['x-api-key']));
  if (!company) return reply.code(401).send({ code: 'invalid_api_key' });
  const { carrierCompanyId, address: street, city, zip, provincia, country = 'IT' } = request.body as Body;
  const found = await pool.query({ name: 'connection', text: CONNECTION, values: [company, carrierCompanyId] });
  if (found.rows[0] === undefined) return reply.code(404).send({ code: 'carrier_connection_not_found' });
  if (!found.rows[0].is_active) return outcome('skipped', 'CARRIER_UNAVAILABLE', 'DHL Express non è raggiungibile.');

  const query = new URLSearchParams({
    type: 'delivery',
    countryCode: country,
    postalCode: zip,
    cityName: city,
    ...(provincia && { countyName: provincia }),
    strictValidation: 'true',
  });
  const { statusCode, body } = await carrier.request({
    method: 'GET',
    path: `/dhl/address-validate?${query}`,
    headers: { authorization, accept: 'application/json' },
    headersTimeout: 8_000,
    bodyTimeout: 8_000,
  });
  if (statusCode !== 200) {
    await body.dump();
    if (statusCode === 404) return outcome('warning', 'ADDRESS_NOT_FOUND', 'Indirizzo non trovato da DHL Express.');
    if (statusCode < 500) return outcome('error', 'ADDRESS_INVALID', 'Indirizzo non valido secondo DHL Express.');
    return outcome('skipped', 'CARRIER_UNAVAILABLE', 'DHL Express non è raggiungibile.');
  }
  const { address } = (await body.json()) as { address: readonly Place[] };
  const isSame = address.some(
    ({ postalCode, cityName }) => postalCode === zip && cityName?.toLowerCase() === city.toLowerCase(),
  );
  if (isSame)
    return outcome(
      'success',
      'ADDRESS_VALID',
      'Verificato da DHL Express: CAP e città. Non verificati: via e numero civico.',
    );
  const suggestions = address.map(({ countryCode, postalCode, cityName, countyName }) => ({
    streetLine1: street,
    streetLine2: null,
    city: cityName ?? city,
    zip: postalCode ?? zip,
    province: countyName ?? null,
    country: countryCode ?? null,
    transitTimeHours: null,
  }));
  return outcome('warning', 'ADDRESS_NORMALIZED', "DHL Express suggerisce una correzione dell'indirizzo.", suggestions);
});

function outcome(status: string, code: string, message: string, suggestions: readonly object[] = []) {
  return { status, code, message, ...about, suggestions };
}

await app.listen({ port: 0, host: '127.0.0.1' });
process.stdout.write(`listening on ${app.listeningOrigin}\n`);
process.on('SIGTERM', () => process.exit(0));

import { describe, expect, test } from 'vitest';
import { deriveStatus, STATUS_CODES, type StatusCode } from '../../src/domain/shipping/tracking/status.rules.ts';
import { HANG_MS, useSandboxCalls } from './sandbox-calls.ts';

const { ask } = useSandboxCalls();

const LOGIN = { userID: 'sandbox', password: 'sandbox' };

function routeBrt(consigneeZIPCode: string, other: object = {}, account: unknown = LOGIN, init?: RequestInit) {
  const routingData = {
    departureDepot: 102,
    senderCustomerCode: 1020100,
    deliveryFreightTypeCode: 'DAP',
    consigneeCompanyName: 'DESTINATARIO',
    consigneeAddress: 'Via Dante, 3',
    consigneeZIPCode,
    consigneeCity: 'Milano',
    consigneeProvinceAbbreviation: 'MI',
    consigneeCountryAbbreviationISOAlpha2: 'IT',
    numberOfParcels: 1,
    weightKG: 1,
    ...other,
  };
  const body = JSON.stringify({ account, routingData });
  return ask('/brt/rest/v1/shipments/routing', { method: 'PUT', body, ...init });
}

describe('The routing of BRT in the sandbox', () => {
  test.each([
    ['20121', 0, '20121'],
    ['20190', 4, '20100'],
    ['20191', 4, '20100'],
    ['20192', -63, ''],
    ['20193', -68, ''],
    ['20197', -7, ''],
  ])('answers the CAP %s with the code %i', async (zip, code, found) => {
    const { status, json } = await routeBrt(zip);
    expect(status).toBe(200);
    expect(json.routingResponse).toMatchObject({ executionMessage: { code }, consigneeZIPCode: found });
    expect(json.routingResponse.consigneeCity).toBe(found && 'MILANO');
  });

  test.each([
    ['no account', {}, null, -1],
    ['an account that is none', {}, 'sandbox', -1],
    ['another user', {}, { ...LOGIN, userID: 'other' }, -7],
    ['another password', {}, { ...LOGIN, password: 'SANDBOX' }, -7],
    ['no city', { consigneeCity: ' ' }, LOGIN, -5],
    ['no weight', { weightKG: null }, LOGIN, -5],
    ['no depot', { departureDepot: undefined }, LOGIN, -5],
    ['a depot that is no number', { departureDepot: '102' }, LOGIN, -5],
    ['no client', { senderCustomerCode: undefined }, LOGIN, -5],
    ['no terms', { deliveryFreightTypeCode: '' }, LOGIN, -5],
    ['no recipient', { consigneeCompanyName: undefined }, LOGIN, -5],
  ])('rejects %s with 200 as well', async (_, other, account, code) => {
    const { status, json } = await routeBrt('20121', other, account);
    expect([status, json.routingResponse.executionMessage]).toMatchObject([200, { code, severity: 'ERROR' }]);
  });

  test('can fail', async () => {
    expect((await routeBrt('20194')).status).toBe(503);
    const signal = AbortSignal.timeout(HANG_MS);
    await expect(routeBrt('20195', {}, LOGIN, { signal })).rejects.toThrow('timeout');
    expect((await routeBrt('20196')).status).toBe(429);
    const page = await routeBrt('20198');
    expect([page.status, page.text.slice(0, 15)]).toEqual([200, '<!DOCTYPE html>']);
    const noJson = await ask('/brt/rest/v1/shipments/routing', { method: 'PUT', body: '{"account"' });
    expect(noJson.json.routingResponse.executionMessage.code).toBe(-1);
  });
});

interface BrtEvent {
  readonly id: string;
  readonly data: string;
  readonly ora: string;
  readonly descrizione: string;
  readonly filiale: string;
}

async function trackBrt(number: string, headers: Record<string, string> = LOGIN) {
  const answer = await ask(`/brt/rest/v1/tracking/parcelID/${encodeURIComponent(number)}`, { headers });
  const said = answer.json?.ttParcelIdResponse;
  const all: BrtEvent[] = (said?.lista_eventi ?? []).map(({ evento }: { evento: BrtEvent }) => evento);
  return { ...answer, said, all, events: all.filter(({ data }) => data !== '') };
}

describe('The tracking of BRT in the sandbox', () => {
  test('lists events newest first, padded with empty ones, in Italian time without an offset', async () => {
    const { status, said, all, events } = await trackBrt('TEST-AT_DEPOT');
    expect([status, said.esito, said.executionMessage.code, all.length]).toEqual([200, 0, 0, 20]);
    expect(events.map(({ data, ora, filiale }) => [data, ora, filiale])).toEqual([
      ['25.10.2026', '03.30', 'PALERMO'],
      ['25.10.2026', '02.30', 'BOLOGNA'],
      ['25.10.2026', '00.30', 'MILANO'],
      ['24.10.2026', '22.30', 'MILANO'],
    ]);
    expect(all.at(-1)).toEqual({ id: '', data: '', ora: '', descrizione: '', filiale: '' });
  });

  // No code means a cancellation, and a return that arrives is a delivery after its beginning.
  const OTHER: Partial<Record<StatusCode, StatusCode>> = { returned: 'delivered', cancelled: 'unknown' };
  test.each(STATUS_CODES)('reaches the status %s', async status => {
    const { events } = await trackBrt(`TEST-${status.toUpperCase()}`);
    const last = deriveStatus('BRT', events[0]?.id ?? null, events[0]?.descrizione ?? null);
    expect(last).toBe(OTHER[status] ?? status);
  });

  test('adds one event each time a WALK is requested, apart from the count of GLS', async () => {
    const statuses: StatusCode[] = [];
    for (let asked = 1; asked <= 6; asked++) {
      const [last] = (await trackBrt('WALK1')).events;
      statuses.push(deriveStatus('BRT', last?.id ?? null, last?.descrizione ?? null));
    }
    expect(statuses).toEqual(['created', 'shipped', 'in_transit', 'at_depot', 'out_for_delivery', 'delivered']);
    expect((await trackBrt('WALK1')).said.bolla.dati_consegna.data_consegna_merce).toBe('25.10.2026');
  });

  test('finds nothing, and says why', async () => {
    const unknown = await trackBrt('NOTFOUND');
    expect([unknown.status, unknown.said.esito, unknown.events]).toEqual([200, -11, []]);
    for (const headers of [{}, { ...LOGIN, userID: 'other' }, { ...LOGIN, password: 'other' }]) {
      const refused = await trackBrt('1', headers as Record<string, string>);
      expect([refused.status, refused.said.executionMessage.code, refused.events]).toEqual([200, -7, []]);
    }
    expect((await trackBrt('OFFLINE')).status).toBe(503);
    expect((await trackBrt('LIMIT')).status).toBe(429);
    const html = await trackBrt('HTML');
    expect([html.status, html.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  });
});

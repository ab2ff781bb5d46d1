// Answers about a number in the shapes that the carriers publish, with invented values. `test/upstream/answers` retells
// them with their sources, one by one; here they grow, event by event, as a shipment moves.

/** An event: the local day (`2026-11-24`) and time (`10:30`, empty for none), code, text, place. */
export type Scan = readonly [day: string, time: string, code: string, text: string, place: string];

/** `24.11.2026`. */
const dotted = (day: string) => day.split('-').toReversed().join('.');
/** `24/11/26`. */
const slashed = (day: string) => day.slice(2).split('-').toReversed().join('/');

/** BRT's waybill, the newest event first, with the empty event that ends its list. */
export function brtAnswer(scans: readonly Scan[]): string {
  const events = scans.map(([day, time, id, descrizione, filiale]) => ({
    evento: { id, data: dotted(day), ora: time.replace(':', '.'), descrizione, filiale },
  }));
  const end = { evento: { id: '', data: '', ora: '', descrizione: '', filiale: '' } };
  return JSON.stringify({
    ttParcelIdResponse: {
      esito: 0,
      versione: '1.0',
      executionMessage: { code: 0, severity: 'INFO', codeDesc: '', message: '' },
      bolla: { dati_spedizione: { spedizione_id: '088011234567' }, merce: { colli: 1 }, dati_consegna: {} },
      contatore_eventi: scans.length,
      lista_eventi: [...events.toReversed(), end],
      contatore_note: 0,
      lista_note: [],
    },
  });
}

interface GlsHeader {
  readonly state?: string;
  readonly day?: string;
  readonly time?: string;
  /** Events of the parcel abroad, which have no codes. */
  readonly abroad?: readonly Scan[];
}

/** GLS' XML in ISO-8859-1, the newest event first; the first event of a shipment has a blank for its hour. */
export function glsAnswer(number: string, scans: readonly Scan[], header: GlsHeader = {}): Buffer {
  const { state = 'Non consegnato', day = '', time = '', abroad = [] } = header;
  const row = ([on, at, , text, place]: Scan) =>
    `<Data>${slashed(on)}</Data><Ora>${at || ' '}</Ora><Luogo><![CDATA[${place}]]></Luogo><Stato><![CDATA[${text}]]></Stato>`;
  const outside = abroad.map(scan => `<TRACKINGINT>${row(scan)}</TRACKINGINT>`).toReversed();
  const inside = scans.map(scan => `${row(scan)}<Note><![CDATA[ ]]></Note><Codice>${scan[2]}</Codice>`).toReversed();
  return Buffer.from(
    `<?xml version="1.0" encoding="ISO-8859-1"?><ELENCO><SPEDIZIONE><NumSped>${number}</NumSped>
    <StatoSpedizione>${state}</StatoSpedizione><DataConsegna>${day.split('-').toReversed().join('/')}</DataConsegna>
    <OraConsegna>${time}</OraConsegna>
    ${outside.length > 0 ? `<ColloInternazionale><NumSped>ZB0001</NumSped>${outside.join('')}</ColloInternazionale>` : ''}
    <TRACKING>${inside.join('')}</TRACKING></SPEDIZIONE></ELENCO>`,
    'latin1',
  );
}

/** MyDHL's shipment, the oldest event first. A place is `SYD SYDNEY-AU +11:00`; its offset may be left out. */
export function dhlAnswer(number: string, scans: readonly Scan[]): string {
  const events = scans.map(([date, time, typeCode, description, place]) => {
    const [, code, area, offset] = /^(\w+) (.*?)(?: ([+-]\d\d:\d\d))?$/.exec(place) ?? [];
    const serviceArea = [{ code, description: area }];
    return { date, time: `${time}:00`, typeCode, description, serviceArea, ...(offset && { GMTOffset: offset }) };
  });
  return JSON.stringify({ shipments: [{ shipmentTrackingNumber: number, status: 'Success', events }] });
}

/** UPS' package, the newest activity first, with local times alone. A code is `I146`; a place is `CHICAGO IL US`. */
export function upsAnswer(number: string, scans: readonly Scan[]): string {
  const activity = scans.map(([day, time, code, description, place]) => {
    const [city = '', stateProvince = '', countryCode = ''] = place.split(' ');
    return {
      location: { address: { city, stateProvince, countryCode, country: countryCode } },
      status: { type: code.slice(0, 1), description, code: 'XX', statusCode: code.slice(1) },
      date: day.replaceAll('-', ''),
      time: `${time.replace(':', '')}00`,
    };
  });
  const packages = [{ trackingNumber: number, activity: activity.toReversed() }];
  return JSON.stringify({ trackResponse: { shipment: [{ inquiryNumber: number, package: packages }] } });
}

/** FedEx' results of a number, the newest scan first. */
export function fedexAnswer(number: string, ...results: readonly (readonly Scan[])[]): string {
  const trackResults = results.map((scans, n) => ({
    trackingNumberInfo: {
      trackingNumber: number,
      trackingNumberUniqueId: `2460${n}~${number}~FX`,
      carrierCode: 'FDXE',
    },
    scanEvents: scans
      .map(([day, time, eventType, eventDescription, city]) => ({
        date: `${day}T${time}:00-08:00`,
        eventType,
        eventDescription,
        exceptionCode: '',
        exceptionDescription: '',
        scanLocation: { streetLines: [''], city, stateOrProvinceCode: 'CA', countryCode: 'US', residential: false },
        derivedStatusCode: eventType,
      }))
      .toReversed(),
  }));
  return JSON.stringify({ output: { completeTrackResults: [{ trackingNumber: number, trackResults }] } });
}

/** Poste's shipment, the newest event first, in Italy's time. A code is the status and the phase: `003 IN CONSEGNA`. */
export function posteAnswer(number: string, scans: readonly Scan[]): string {
  const tracking = scans.map(([day, time, code, StatusDescription, officeDescription]) => {
    const [, status, phase] = /^(\w{3}) (.*)$/.exec(code) ?? [];
    return { data: `${day} ${time}:00`, officeDescription, StatusDescription, phase, officeId: 'CO', status };
  });
  const shipment = { waybillNumber: number, product: 'EXPRESS', returnFlag: 'N', tracking: tracking.toReversed() };
  return JSON.stringify({ return: { messages: [{ messages: [] }], outcome: 'OK', code: 0, shipment: [shipment] } });
}

/** InPost's history of a shipment between two lockers, the newest status first. */
export function inpostAnswer(number: string, scans: readonly Scan[]): string {
  const details = scans.map(([day, time, status]) => {
    return { status, origin_status: 'X', agency: null, datetime: `${day}T${time}:00.000+01:00` };
  });
  const machine = (name: string, line1: string, line2: string) => ({
    name,
    opening_hours: '24/7',
    address: { line1, line2 },
  });
  return JSON.stringify({
    tracking_number: number,
    service: 'inpost_locker_standard',
    status: details.at(-1)?.status,
    custom_attributes: {
      target_machine_id: 'PMO01A',
      target_machine_detail: machine('PMO01A', 'Via Libertà 12', '90139 Palermo'),
      dropoff_machine_id: 'MIL01A',
      dropoff_machine_detail: machine('MIL01A', 'Via Dante 3', '20121 Milano'),
    },
    tracking_details: details.toReversed(),
    expected_flow: [],
  });
}

/** Amazon's events of a shipment in UTC, the oldest first. A code of the way back is `RETURNS Delivered`. */
export function amazonAnswer(trackingId: string, scans: readonly Scan[]): string {
  const eventHistory = scans.map(([day, time, code, , city]) => ({
    eventCode: code.replace('RETURNS ', ''),
    eventTime: `${day}T${time}:00.000Z`,
    shipmentType: code.startsWith('RETURNS ') ? 'RETURNS' : 'FORWARD',
    location: { city, countryCode: 'IT' },
  }));
  const summary = { status: 'InTransit', trackingDetailCodes: { forward: [], returns: [] } };
  return JSON.stringify({
    payload: { trackingId, alternateLegTrackingId: null, eventHistory, promisedDeliveryDate: null, summary },
  });
}

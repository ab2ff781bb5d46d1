import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

const { API_URL, API_KEY, SEVENTEENTRACK_KEY, AFTERSHIP_SECRET, PORT = '8080' } = process.env;

/** The zone of times without an offset. */
const ZONE = 'Europe/Rome';

/** The finer status of an aggregator counts, then its main one. No vague one ends a shipment. */
const STATUSES = {
  InfoReceived: 'CREATED',
  InTransit: 'IN_TRANSIT',
  OutForDelivery: 'OUT_FOR_DELIVERY',
  AvailableForPickup: 'PICKUP_POINT',
  Delivered: 'DELIVERED',
  Exception: 'HELD',
  // 17TRACK
  DeliveryFailure: 'DELIVERY_FAILED',
  DeliveryFailure_Rejected: 'REFUSED',
  InTransit_PickedUp: 'SHIPPED',
  InTransit_CustomsProcessing: 'CUSTOMS',
  InTransit_CustomsRequiringInformation: 'CUSTOMS',
  Exception_Delayed: 'DELAYED',
  Exception_Rejected: 'REFUSED',
  Exception_Returning: 'RETURNING',
  Exception_Returned: 'RETURNED',
  Exception_Lost: 'LOST',
  Exception_Destroyed: 'LOST',
  Exception_Cancel: 'CANCELLED',
  // AfterShip
  AttemptFail: 'DELIVERY_FAILED',
  Exception_003: 'REFUSED',
  Exception_004: 'CUSTOMS',
  Exception_005: 'DELAYED',
  Exception_010: 'RETURNING',
  Exception_011: 'RETURNED',
};

/** The events of a webhook of 17TRACK (`TRACKING_UPDATED`). */
function of17track({ event, data }) {
  if (event !== 'TRACKING_UPDATED') return [];
  const providers = data.track_info?.tracking?.providers ?? [];
  return providers
    .flatMap(({ events }) => events ?? [])
    .map(one => ({
      trackingNumber: data.number,
      time: one.time_utc ?? one.time_iso ?? [one.time_raw?.date, one.time_raw?.time].filter(Boolean).join('T'),
      status: one.sub_status ?? one.stage,
      description: one.description,
      location: one.location ?? one.address?.city,
    }));
}

/** The events of a webhook of AfterShip (`tracking_update`). */
function ofAftership({ event, msg }) {
  if (event !== 'tracking_update') return [];
  return (msg.checkpoints ?? []).map(one => ({
    trackingNumber: msg.tracking_number,
    time: one.checkpoint_time,
    status: one.subtag ?? one.tag,
    description: one.message,
    location: one.location ?? one.city,
  }));
}

/** A time with an offset. A day alone means its end. */
function instantOf(time) {
  const local = /^\d{4}-\d\d-\d\d$/.test(time) ? `${time}T23:59:59` : time;
  if (/(Z|[+-]\d\d:?\d\d)$/.test(local.slice(10))) return local;
  const asUtc = Date.parse(`${local}Z`);
  const inZone = new Date(asUtc).toLocaleString('sv-SE', { timeZone: ZONE }).replace(' ', 'T');
  return new Date(2 * asUtc - Date.parse(`${inZone}Z`)).toISOString();
}

const QUERY = `mutation ($events: [TrackingEventInput!]!) { recordTrackingEvents(input: { events: $events }) {
  created unchanged rejected results { errors { pointer message } } userErrors { message } } }`;

async function send(found) {
  const events = found
    .filter(({ time }) => time)
    .map(({ trackingNumber, time, status, description, location }) => ({
      trackingNumber,
      occurredAt: instantOf(time),
      carrierStatusCode: status,
      description,
      location,
      statusCode: STATUSES[status] ?? STATUSES[status?.split('_')[0]],
    }));
  if (events.length === 0) return;
  const headers = { 'content-type': 'application/json', 'x-api-key': API_KEY };
  const body = JSON.stringify({ query: QUERY, variables: { events } });
  const { data, errors } = await (await fetch(`${API_URL}/graphql`, { method: 'POST', headers, body })).json();
  if (errors) throw new Error(errors[0].message);
  // An event of an unknown number is rejected; to send it again would not help.
  console.log(JSON.stringify(data.recordTrackingEvents));
}

const SENDERS = {
  '/17track': {
    secret: SEVENTEENTRACK_KEY,
    events: of17track,
    given: ({ sign }) => Buffer.from(sign ?? '', 'hex'),
    expected: (body, secret) => createHash('sha256').update(`${body}/${secret}`).digest(),
  },
  '/aftership': {
    secret: AFTERSHIP_SECRET,
    events: ofAftership,
    given: headers => Buffer.from(headers['aftership-hmac-sha256'] ?? '', 'base64'),
    expected: (body, secret) => createHmac('sha256', secret).update(body).digest(),
  },
};

function isSigned({ secret, given, expected }, body, headers) {
  const [one, other] = [given(headers), expected(body, secret)];
  return one.length === other.length && timingSafeEqual(one, other);
}

createServer(async (request, response) => {
  const sender = SENDERS[request.url];
  try {
    const body = await text(request);
    if (!sender?.secret) return response.writeHead(404).end();
    if (!isSigned(sender, body, request.headers)) return response.writeHead(401).end();
    await send(sender.events(JSON.parse(body)));
    response.writeHead(204).end();
  } catch (error) {
    // The aggregator sends it again.
    console.error(error.message);
    response.writeHead(500).end();
  }
}).listen(Number(PORT), '127.0.0.1', () => console.log(`receiving at http://127.0.0.1:${PORT}/`));

import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

// A consumer, written from the guide on changes: it keeps a copy of the shipments in a file, continues wherever it was
// stopped, and ends with an error if a number is missing.

const { API_URL, API_KEY, COPY_FILE = 'copy.json' } = process.env;
const PAUSE_MS = 1_000;

const SHIPMENT = 'id trackingNumber statusCode statusAt deliveredAt weight reference';

const LIST = `query ($after: String) {
  shipments(first: 250, after: $after) { nodes { ${SHIPMENT} } pageInfo { endCursor hasNextPage } }
}`;

const CHANGES = `query ($after: String) {
  changes(after: $after, first: 500) {
    nodes {
      __typename number recordedAt shipmentId
      shipment { ${SHIPMENT} }
    }
    pageInfo { hasNextPage }
    cursor hasGap
  }
}`;

/** The result of a request, which is sent until the service can respond. */
async function ask(query, variables) {
  for (;;) {
    const { data, errors: [error] = [] } = await send({ query, variables }).catch(() => ({}));
    if (data && !error) return data;
    // Without a status, the service was out of reach.
    const { status = 503 } = error?.extensions ?? {};
    if (status < 500 && status !== 429) throw new Error(error.message);
    await sleep(PAUSE_MS);
  }
}

async function send(body) {
  const response = await fetch(`${API_URL}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': API_KEY },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  });
  return response.json();
}

/** A new copy: first the place in the log, and then the shipments. */
async function begin() {
  const { changeLog } = await ask('{ changeLog { cursor latest } }');
  const shipments = {};
  let after = null;
  for (let hasNextPage = true; hasNextPage; ) {
    const page = (await ask(LIST, { after })).shipments;
    for (const shipment of page.nodes) shipments[shipment.id] = shipment;
    ({ endCursor: after, hasNextPage } = page.pageInfo);
  }
  return { cursor: changeLog.cursor, shipments, last: changeLog.latest ?? 0 };
}

/** Takes a page of changes into the copy. */
function take(copy, { nodes, cursor }) {
  for (const change of nodes) {
    if (change.number !== copy.last + 1) throw new Error(`Change ${copy.last + 1} is missing.`);
    copy.last = change.number;
    if (change.shipment) copy.shipments[change.shipmentId] = change.shipment;
    else delete copy.shipments[change.shipmentId];
  }
  copy.cursor = cursor;
}

/** A file is replaced as a whole: a program that is killed leaves the old or the new one. */
function save(copy) {
  writeFileSync(`${COPY_FILE}.new`, JSON.stringify(copy));
  renameSync(`${COPY_FILE}.new`, COPY_FILE);
}

let copy = existsSync(COPY_FILE) ? JSON.parse(readFileSync(COPY_FILE, 'utf8')) : await begin();
for (;;) {
  save(copy);
  const { changes } = await ask(CHANGES, { after: copy.cursor });
  if (changes.hasGap) {
    copy = await begin();
    continue;
  }
  take(copy, changes);
  if (changes.pageInfo.hasNextPage) continue;
  await sleep(PAUSE_MS);
}

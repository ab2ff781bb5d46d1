import { connect } from 'node:net';
import { faultOf, graphqlFaultOf, type Seen } from '../support/answers.ts';
import { Cases } from '../support/cases.ts';
import type { Target } from './target.ts';

const PATIENCE_MS = 5_000;
const WAREHOUSES = '/api/v1/integrations/warehouses';

/** A request byte for byte, which no client would send. */
interface Raw {
  readonly name: string;
  readonly bytes: string;
  /** Must be rejected: two readers would understand it differently. */
  readonly isRefused?: boolean;
  /** A closed connection is a valid response to a request that is not HTTP. */
  readonly mayClose?: boolean;
  readonly isGraphQL?: boolean;
}

/** Errors of HTTP itself, one request for each connection. */
export async function fuzzRaw(target: Target): Promise<Cases> {
  const cases = new Cases();
  for (const raw of [...malformed(target), ...lies(target), ...documents(target)]) {
    const seen = await exchange(target.url, raw.bytes);
    cases.check(`raw ${raw.name}`, faultIn(raw, seen) === undefined, () => faultIn(raw, seen));
  }
  return cases;
}

function faultIn({ isRefused, mayClose, isGraphQL }: Raw, seen: Seen | undefined): string | undefined {
  if (seen === undefined) return mayClose ? undefined : 'no answer';
  if (isRefused && seen.status < 400) return `is not refused but answered ${seen.status}`;
  return (isGraphQL ? graphqlFaultOf : faultOf)(seen);
}

function request(line: string, headers: readonly string[], body = ''): string {
  return `${line}\r\n${headers.map(header => `${header}\r\n`).join('')}\r\n${body}`;
}

function malformed({ apiKey }: Target): Raw[] {
  const host = 'Host: localhost';
  const close = 'Connection: close';
  const key = `X-Api-Key: ${apiKey}`;
  const json = 'Content-Type: application/json';
  const get = (path: string, ...headers: string[]) => request(`GET ${path} HTTP/1.1`, [host, close, ...headers]);
  const post = (body: string, ...headers: string[]) =>
    request(`POST ${WAREHOUSES} HTTP/1.1`, [host, close, key, json, ...headers], body);
  const targets = [
    ...[
      'http://[::1',
      'http://[::1]:99999/',
      'http://',
      '//',
      '///',
      '*',
      '?',
      '/%',
      '/%zz',
      '/%00',
      '/\\',
      '/..',
      '/a//b',
    ],
    ...[
      'http://other.example/livez',
      'https://user:pw@x/livez',
      'ftp://x/',
      '/livez#x',
      '/livez?%',
      '/api/v1/integrations/',
    ],
    ...[
      `${WAREHOUSES}/%E0%A4%A`,
      `${WAREHOUSES}/1%2F2`,
      `${WAREHOUSES}/..%2f`,
      `/${'a'.repeat(8_000)}`,
      '/graphql?',
      '/docs/%zz',
    ],
    ...['/problems/%00', '/logos/%2e%2e%2f', '/openapi.json?%', '/metrics', '/ops/jobs', '/%ff%fe', '/livez/%5c..%5c'],
  ];
  return [
    ...targets.map(path => ({ name: `GET ${path.slice(0, 60)}`, bytes: get(path, key) })),
    ...targets.slice(0, 12).map(path => ({ name: `GET ${path} without a key`, bytes: get(path) })),
    ...['OPTIONS', 'TRACE', 'PROPFIND', 'PURGE', 'M-SEARCH'].map(method => ({
      name: method,
      bytes: request(`${method} ${WAREHOUSES} HTTP/1.1`, [host, close, key]),
    })),
    { name: 'OPTIONS *', bytes: request('OPTIONS * HTTP/1.1', [host, close]) },
    { name: 'CONNECT', bytes: request('CONNECT localhost:80 HTTP/1.1', [host]), mayClose: true, isRefused: true },
    { name: 'an unknown method', bytes: request('FOO / HTTP/1.1', [host, close]), isRefused: true },
    { name: 'HTTP/2.0', bytes: request('GET /livez HTTP/2.0', [host, close]) },
    { name: 'HTTP/9.9', bytes: request('GET /livez HTTP/9.9', [host, close]), isRefused: true },
    { name: 'HTTP/0.9', bytes: 'GET /livez\r\n\r\n', mayClose: true },
    { name: 'no HTTP at all', bytes: '\u0016\u0003\u0001\u0002\u0000\u0001\r\n\r\n', isRefused: true, mayClose: true },
    { name: 'the preface of HTTP/2', bytes: 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', isRefused: true, mayClose: true },
    { name: 'no Host', bytes: request('GET /livez HTTP/1.1', [close]), isRefused: true },
    { name: 'two Hosts', bytes: get('/livez', 'Host: other.example'), isRefused: true },
    { name: 'an odd Host', bytes: request('GET /livez HTTP/1.1', ['Host: [::1', close]) },
    {
      name: 'two Authorization headers',
      bytes: get(WAREHOUSES, `Authorization: Bearer ${apiKey}`, 'Authorization: Bearer x'),
      isRefused: true,
    },
    { name: 'two x-api-key headers', bytes: get(WAREHOUSES, key, 'X-Api-Key: x'), isRefused: true },
    { name: 'two Content-Types', bytes: post('{}', 'Content-Length: 2', 'Content-Type: text/plain'), isRefused: true },
    {
      name: 'Content-Length and chunked',
      bytes: post('0\r\n\r\n', 'Content-Length: 2', 'Transfer-Encoding: chunked'),
      isRefused: true,
    },
    { name: 'two Content-Lengths', bytes: post('{}', 'Content-Length: 2', 'Content-Length: 3'), isRefused: true },
    { name: 'a negative Content-Length', bytes: post('{}', 'Content-Length: -1'), isRefused: true },
    { name: 'a Content-Length that is no number', bytes: post('{}', 'Content-Length: two'), isRefused: true },
    { name: 'a huge Content-Length', bytes: post('{}', 'Content-Length: 99999999999999999999'), isRefused: true },
    { name: 'a Content-Length too large', bytes: post('{}', 'Content-Length: 10000000'), isRefused: true },
    { name: 'an unknown Transfer-Encoding', bytes: post('{}', 'Transfer-Encoding: zz'), isRefused: true },
    {
      name: 'chunked, then identity',
      bytes: post('0\r\n\r\n', 'Transfer-Encoding: chunked, identity'),
      isRefused: true,
    },
    { name: 'a chunk of no size', bytes: post('zz\r\n{}\r\n0\r\n\r\n', 'Transfer-Encoding: chunked'), isRefused: true },
    { name: 'a huge chunk', bytes: post('fffffffffffffffff\r\n{}', 'Transfer-Encoding: chunked'), isRefused: true },
    {
      name: 'a long chunk extension',
      bytes: post(`2;${'a'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`, 'Transfer-Encoding: chunked'),
      isRefused: true,
    },
    {
      name: 'trailers',
      bytes: post('2\r\n{}\r\n0\r\nX-Api-Key: x\r\n\r\n', 'Transfer-Encoding: chunked'),
      isRefused: true,
    },
    { name: 'an unknown expectation', bytes: post('{}', 'Content-Length: 2', 'Expect: zzz'), isRefused: true },
    { name: 'Expect: 100-continue', bytes: post('{}', 'Content-Length: 2', 'Expect: 100-continue') },
    {
      name: 'an upgrade',
      bytes: request(`GET ${WAREHOUSES} HTTP/1.1`, [host, key, 'Connection: Upgrade', 'Upgrade: websocket']),
    },
    {
      name: 'an upgrade to h2c',
      bytes: request('GET /livez HTTP/1.1', [
        host,
        'Connection: Upgrade, HTTP2-Settings',
        'Upgrade: h2c',
        'HTTP2-Settings: AAMAAABk',
      ]),
    },
    { name: 'a header of 20 KB', bytes: get('/livez', `X-Long: ${'a'.repeat(20_000)}`), isRefused: true },
    { name: '3,000 headers', bytes: get('/livez', ...Array.from({ length: 3_000 }, (_, i) => `X-${i}: a`)) },
    { name: 'a target of 20 KB', bytes: get(`/${'a'.repeat(20_000)}`), isRefused: true },
    { name: 'a blank before the colon', bytes: get('/livez', 'X-Api-Key : x'), isRefused: true },
    { name: 'a folded header', bytes: get('/livez', 'X-A: a\r\n b'), isRefused: true },
    { name: 'a header without a name', bytes: get('/livez', ': a'), isRefused: true },
    { name: 'NUL in a header', bytes: get('/livez', 'X-A: a\u0000b'), isRefused: true },
    { name: 'NUL in the target', bytes: get('/live\u0000z'), isRefused: true },
    { name: 'a blank in the target', bytes: get('/live z'), isRefused: true },
    { name: 'a bare CR', bytes: get('/livez', 'X-A: a\rX-B: b'), isRefused: true },
    {
      name: 'a GET with a body',
      bytes: request(`GET ${WAREHOUSES} HTTP/1.1`, [host, close, key, json, 'Content-Length: 2'], '{}'),
    },
    {
      name: 'a DELETE with a body',
      bytes: request(`DELETE ${WAREHOUSES}/1 HTTP/1.1`, [host, close, key, json, 'Content-Length: 2'], '{}'),
    },
    { name: 'an odd X-Request-Id', bytes: get('/livez', `X-Request-Id: ${'"'.repeat(300)}`) },
  ];
}

/** Bodies that differ from their headers. A server that accepts one disagrees with a proxy before it. */
function lies({ apiKey }: Target): Raw[] {
  const chunked = 'Transfer-Encoding: chunked';
  const end = '0\r\n\r\n';
  const whole = `2\r\n{}\r\n${end}`;
  const told: readonly (readonly [name: string, headers: readonly string[], body: string])[] = [
    ['a chunk shorter than its size', [chunked], `5\r\n{}\r\n${end}`],
    ['a chunk longer than its size', [chunked], `1\r\n{}\r\n${end}`],
    ['a size that is negative', [chunked], `-2\r\n{}\r\n${end}`],
    ['a size with 0x', [chunked], `0x2\r\n{}\r\n${end}`],
    ['a size with a sign', [chunked], `+2\r\n{}\r\n${end}`],
    ['a size with an underscore', [chunked], `0_2\r\n{}\r\n${end}`],
    ['a size that overflows', [chunked], `10000000000000002\r\n{}\r\n${end}`],
    ['no size', [chunked], `\r\n{}\r\n${end}`],
    ['a blank before the size', [chunked], ` 2\r\n{}\r\n${end}`],
    ['lines that end with LF', [chunked], `2\n{}\n0\n\n`],
    ['lines that end with CR', [chunked], `2\r{}\r0\r\r`],
    ['a chunk that ends with LF', [chunked], `2\r\n{}\n${end}`],
    ['NUL in an extension', [chunked], `2;a=\u0000\r\n{}\r\n${end}`],
    ['LF in an extension', [chunked], `2;a\nb\r\n{}\r\n${end}`],
    ['a trailer that repeats a header', [chunked], `2\r\n{}\r\n0\r\nContent-Length: 5\r\n\r\n`],
    ['a trailer without a name', [chunked], `2\r\n{}\r\n0\r\n: x\r\n\r\n`],
    ...[
      ...['Transfer-Encoding : chunked', 'Transfer-Encoding: xchunked', 'Transfer-Encoding: chunked, chunked'],
      ...[
        'Transfer-Encoding: chunked, identity',
        'Transfer-Encoding: identity, chunked',
        'Transfer-Encoding:\u000bchunked',
      ],
      ...['Transfer-Encoding: "chunked"', 'Transfer-Encoding: chunked\u0000', 'Transfer-Encoding: gzip, chunked'],
      ...['Content-Length: 2\r\nTransfer-Encoding: chunked', 'Transfer-Encoding: chunked\r\nContent-Length: 2'],
      ...['Transfer-Encoding: chunked\r\nTransfer-Encoding: identity', ' Transfer-Encoding: chunked'],
      ...['X: y\nTransfer-Encoding: chunked', 'X: y\rTransfer-Encoding: chunked'],
    ].map(header => [JSON.stringify(header), [header], whole] as const),
    ...['+2', '2, 2', '2,3', '0x2', '2.0', '2e0', '1_0', ' ', '2 2', '２', '002\u0000', '18446744073709551618'].map(
      length => [`Content-Length: ${JSON.stringify(length)}`, [`Content-Length: ${length}`], '{}'] as const,
    ),
  ];
  return [WAREHOUSES, '/graphql'].flatMap(path =>
    told.map(([name, headers, body]) => ({
      name: `POST ${path} with ${name}`,
      bytes: request(
        `POST ${path} HTTP/1.1`,
        [
          ...['Host: localhost', 'Connection: close', `X-Api-Key: ${apiKey}`, 'Content-Type: application/json'],
          ...headers,
        ],
        body,
      ),
      // None is a warehouse or a document, not even as a whole.
      isRefused: true,
      mayClose: true,
    })),
  );
}

/** M2: valid HTTP that once caused an internal error. */
function documents({ apiKey }: Target): Raw[] {
  const headers = ['Host: localhost', 'Connection: close', `X-Api-Key: ${apiKey}`];
  const get = (search: string) => ({
    name: `GET /graphql${search}`,
    bytes: request(`GET /graphql${search} HTTP/1.1`, headers),
    isGraphQL: true,
  });
  const post = (name: string, body: string, ...more: string[]) => ({
    name,
    bytes: request(
      'POST /graphql HTTP/1.1',
      [...headers, 'Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`, ...more],
      body,
    ),
    isGraphQL: true,
  });
  const literals = ['true', '{a: 1}', '[1]', 'a', '1e999', '"x"', '""', 'null', '99999999999999999999999'];
  const inputs = (literal: string) => [
    `{quoteShipment(input:{shipment:{orderId:1},codAmount:${literal}}){__typename}}`,
    `{webhookEndpoint(id:"x"){deliveries(since:${literal}){edges{cursor}}}}`,
    `mutation{createApiKey(input:{label:"x",scopes:[],expiresAt:${literal}}){apiKey}}`,
    `mutation{importTariff(input:{carrierConnectionId:1,tariff:${literal}}) { tariff { id: databaseId } }}`,
    `{warehouse(id:${literal}){id: databaseId}}`,
  ];
  const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;
  return [
    ...[
      '?query={__typename}&extensions=zz',
      '?query=',
      '?query={__typename}&variables=[1]',
      '?query={__typename}&variables=zz',
    ].map(get),
    ...[
      '?query={__typename}&query={__typename}',
      '?query=%',
      '?query={__typename}&operationName=zz',
      '?extensions={}',
    ].map(get),
    ...literals.flatMap(inputs).map(query => post(query, JSON.stringify({ query }))),
    post('POST with Accept: text/html', '{"query":"{__typename}"}', 'Accept: text/html'),
    post('POST with Accept: image/png', '{"query":"{__typename}"}', 'Accept: image/png'),
    post('POST of nothing', ''),
    post('POST of a batch', '[{"query":"{__typename}"}]'),
    post(
      'deep variables',
      `{"query":"mutation{deleteWarehouse(input: { id:9 }) { warehouse { name } }}","variables":{"a":${deep}}}`,
    ),
    post(
      'deep variables with an Idempotency-Key',
      `{"query":"mutation{deleteWarehouse(input: { id:9 }) { warehouse { name } }}","variables":{"a":${deep}}}`,
      'Idempotency-Key: deep',
    ),
    post(
      'a deep tariff',
      `{"query":"mutation($t:JSON!){importTariff(input:{carrierConnectionId:1,tariff:$t}){tariff{id}}}","variables":{"t":${deep}}}`,
    ),
    post('a deep document', JSON.stringify({ query: '{a'.repeat(4_000) })),
    post('a deep list literal', JSON.stringify({ query: `{warehouse(id:${'['.repeat(4_000)}` })),
    post('a subscription', '{"query":"subscription{a}"}'),
    post('an unknown operation', '{"query":"query A{__typename}","operationName":"B"}'),
    post('two operations', '{"query":"query A{__typename} query B{__typename}"}'),
    post('fragments in circles', '{"query":"{...a} fragment a on Query{...b} fragment b on Query{...a}"}'),
  ];
}

/** Sends bytes and reads the last answer on the connection; undefined where there was none. */
function exchange(url: string, bytes: string): Promise<Seen | undefined> {
  const { hostname, port } = new URL(url);
  const { promise, resolve } = Promise.withResolvers<Seen | undefined>();
  const socket = connect(Number(port), hostname);
  const chunks: Buffer[] = [];
  const received = () => Buffer.concat(chunks).toString('latin1');
  const end = () => {
    clearTimeout(timer);
    socket.destroy();
    resolve(parsed(received()));
  };
  // An answer may be complete though the connection stays open.
  const timer = setTimeout(end, PATIENCE_MS);
  socket.on('data', chunk => {
    chunks.push(chunk);
    if (isComplete(received())) end();
  });
  socket.on('error', () => undefined).on('close', end);
  socket.write(Buffer.from(bytes, 'latin1'));
  return promise;
}

const CONTINUE = /^HTTP\/1\.1 100 [^\r]*\r\n\r\n/;

function isComplete(text: string): boolean {
  const answer = text.replace(CONTINUE, '');
  const end = answer.indexOf('\r\n\r\n');
  const length = /\r\ncontent-length: (\d+)/i.exec(answer.slice(0, end))?.[1];
  return end >= 0 && length !== undefined && answer.length >= end + 4 + Number(length);
}

function parsed(text: string): Seen | undefined {
  const answer = text.replace(CONTINUE, '');
  const status = /^HTTP\/1\.[01] (\d{3})/.exec(answer)?.[1];
  if (status === undefined) return undefined;
  const end = answer.indexOf('\r\n\r\n');
  const headers = new Headers();
  for (const line of answer.slice(0, end).split('\r\n').slice(1)) {
    const [name = '', ...value] = line.split(':');
    headers.append(name, value.join(':').trim());
  }
  return { status: Number(status), headers, text: answer.slice(end + 4) };
}

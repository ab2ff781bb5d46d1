import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import {
  type Account,
  type Answering,
  body,
  brokenOff,
  GOOD,
  good,
  json,
  page,
  TEN_MEGABYTES,
  TOKEN,
  VALID,
} from './carrier-accounts.ts';

export const ERROR = 'VERIFICATION_ERROR';
export const UNAVAILABLE = 'CARRIER_UNAVAILABLE';

/** A fault of any carrier, or of what it answers to who asks for a token: its response, the outcome, and how often the carrier is asked. */
type Fault = [what: string, answer: (account: Account) => Answering, code: string, requests: number];

// biome-ignore format: a table reads as rows
export const faultsAt = (carrier: { readonly url: string }): Fault[] => [
  ['a reset before the answer',       () => ({ destroy: true }),                                       UNAVAILABLE, 2],
  ['502',                             () => page(502),                                                 UNAVAILABLE, 2],
  ['503 with HTML',                   () => page(503),                                                 UNAVAILABLE, 2],
  ['503 that names a time',           () => page(503, { 'retry-after': '1' }),                         UNAVAILABLE, 1],
  ['504',                             () => page(504),                                                 UNAVAILABLE, 2],
  ['500',                             () => page(500),                                                 UNAVAILABLE, 1],
  ['501',                             () => page(501),                                                 UNAVAILABLE, 1],
  ['599',                             () => page(599),                                                 UNAVAILABLE, 1],
  ['429',                             () => page(429),                                                 UNAVAILABLE, 1],
  ['429 that names a time',           () => page(429, { 'retry-after': '30' }),                        UNAVAILABLE, 1],
  ['429 that names nonsense',         () => page(429, { 'retry-after': 'domani' }),                    UNAVAILABLE, 1],
  ['an answer cut short',             a => () => ({ ...good(a.carrierCode, a.mark), headers: { 'content-length': 5000 }, body: brokenOff(GOOD[a.carrierCode](a.mark)) }), UNAVAILABLE, 2],
  ['a stream cut short',              a => () => ({ body: brokenOff(GOOD[a.carrierCode](a.mark)) }),         UNAVAILABLE, 2],
  ['200 with HTML',                   () => page(200),                                                 ERROR, 1],
  ['404 with HTML',                   () => page(404),                                                 ERROR, 1],
  ['400 with HTML',                   () => page(400),                                                 ERROR, 1],
  ['403',                             () => page(403),                                                 ERROR, 1],
  ['405',                             () => page(405),                                                 ERROR, 1],
  ['418',                             () => page(418),                                                 ERROR, 1],
  ['301',                             a => page(301, { location: `${carrier.url}/moved/${a.mark}` }),  ERROR, 1],
  ['302 to nowhere',                  () => page(302, { location: '/\\' }),                            ERROR, 1],
  ['307 to another host',             a => page(307, { location: `http://localhost:${new URL(carrier.url).port}/${a.mark}` }), ERROR, 1],
  ['308 without a place',             () => page(308),                                                 ERROR, 1],
  ['304',                             () => ({ status: 304 }),                                         ERROR, 1],
  ['204',                             () => ({ status: 204 }),                                         ERROR, 1],
  ['205',                             () => ({ status: 205 }),                                         ERROR, 1],
  ['an empty body',                   () => body(''),                                                  ERROR, 1],
  ['half an answer that seems whole', a => body(GOOD[a.carrierCode](a.mark).slice(0, -20)),            ERROR, 1],
  ['an answer twice',                 a => body(GOOD[a.carrierCode](a.mark).repeat(2)),                ERROR, 1],
  ['ten megabytes',                   a => body(Buffer.concat([Buffer.from(GOOD[a.carrierCode](a.mark)), TEN_MEGABYTES])),                  ERROR, 1],
  ['an answer in gzip',               a => ({ headers: { 'content-encoding': 'gzip' }, body: gzipSync(GOOD[a.carrierCode](a.mark)) }), 'ADDRESS_VALID', 1],
  ['noise',                           () => body(Buffer.from('fffe00d800dc8081c0afed', 'hex')),        ERROR, 1],
  ['nothing but NUL',                 () => body(Buffer.alloc(1000)),                                  ERROR, 1],
  ['null',                            () => body('null'),                                              ERROR, 1],
  ['true',                            () => body('true'),                                              ERROR, 1],
  ['a number',                        () => body('42'),                                                ERROR, 1],
  ['a text',                          () => body('"OK"'),                                              ERROR, 1],
  ['a list',                          () => body('[]'),                                                ERROR, 1],
  ['an empty object',                 () => body('{}'),                                                ERROR, 1],
  ['another object',                  () => body('{"__proto__":{"x":1},"constructor":1,"error":"no"}'), ERROR, 1],
  ['a hundred thousand levels',       () => body('['.repeat(100_000) + ']'.repeat(100_000)),           ERROR, 1],
  ['ten thousand values',             () => body(`{"address":[${'{},'.repeat(10_000)}{}]}`),           ERROR, 1],
  ['XML that is not theirs',          () => body('<?xml version="1.0"?><a><b/></a>'),                  ERROR, 1],
  ['XML that grows',                  () => body('<!DOCTYPE a [<!ENTITY b "bb"><!ENTITY c "&b;&b;">]><Esito>&c;</Esito>'), ERROR, 1],
  ['too long a header',               () => page(200, { 'x-long': 'x'.repeat(20_000) }),               UNAVAILABLE, 2],
];

// biome-ignore format: a table reads as rows
export const faultsOfTokens = (carrier: { readonly url: string }): Fault[] => [
  ['503',                     () => page(503),                                           UNAVAILABLE, 2],
  ['503 that names a time',   () => page(503, { 'retry-after': '5' }),                   UNAVAILABLE, 1],
  ['a reset',                 () => ({ destroy: true }),                                 UNAVAILABLE, 2],
  ['500',                     () => page(500),                                           UNAVAILABLE, 1],
  ['429',                     () => page(429, { 'retry-after': '5' }),                   UNAVAILABLE, 1],
  ['an answer cut short',     () => () => ({ body: brokenOff('{"access_token":"T0K3N","expires_in":3600}') }), UNAVAILABLE, 2],
  ['400',                     () => page(400),                                           ERROR, 1],
  ['401',                     () => page(401),                                           ERROR, 1],
  ['403',                     () => page(403),                                           ERROR, 1],
  ['404',                     () => page(404),                                           ERROR, 1],
  ['a redirect',              a => page(302, { location: `${carrier.url}/moved/${a.mark}` }), ERROR, 1],
  ['HTML',                    () => page(200),                                           ERROR, 1],
  ['204',                     () => ({ status: 204 }),                                   ERROR, 1],
  ['null',                    () => json(null),                                          ERROR, 1],
  ['no token',                () => json({ expires_in: 3600 }),                          ERROR, 1],
  ['an empty token',          () => json({ access_token: '', expires_in: 3600 }),        ERROR, 1],
  ['a token that is a list',  () => json({ access_token: [TOKEN], expires_in: 3600 }),   ERROR, 1],
  ['a token in two lines',    () => json({ access_token: `${TOKEN}\r\nx-injected: 1`, expires_in: 3600 }), ERROR, 1],
  ['a token beyond Latin-1',  () => json({ access_token: `${TOKEN}…`, expires_in: 3600 }), ERROR, 1],
  ['ten megabytes',           () => body(`{"access_token":"${TOKEN}${'x'.repeat(10_000_000)}"}`), ERROR, 1],
];

/** An account whose token has a fault has the outcome of the fault, and a good token counts right after it. */
export async function expectNoToken(
  account: Account,
  grant: (account: Account) => Answering,
  code: string,
  requests: number,
): Promise<void> {
  const granting = account.grant;
  account.grant = grant(account);
  expect([await account.check(), ...account.asked]).toEqual([code, 0, requests]);
  // The failure is not cached in its place.
  account.grant = granting;
  expect(await account.check()).toBe(VALID);
  expect(account.asked).toEqual([1, requests + 1]);
}

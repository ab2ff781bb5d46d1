import { deepEqual, equal, fail, ok } from 'node:assert/strict';
import type { Call, Reply } from './calls.ts';
import type { Platform } from './platform.ts';

/** The running service and the keys that a statement is tried with. */
export interface Trial {
  /** The address of the service, without a slash at its end. */
  readonly url: string;
  /** Calls the REST API with the key. */
  readonly call: Call;
  /** Calls it with a key of another company, or with another key of the caller's choice. */
  readonly callAs: (key: string | undefined) => Call;
  readonly key: string;
  readonly otherKey: string | undefined;
  /** Creates orders, shipments and events; absent if the key may not. */
  readonly platform: Platform | undefined;
}

/** One sentence of the contract, and how a running service is checked for it. */
export interface Statement {
  /** Letter of the chapter and a number. An id never changes. */
  readonly id: string;
  readonly promise: string;
  /** `specification` shows it; `decision` decides a point that the specification leaves open. */
  readonly source: 'specification' | 'decision';
  /** Access that the run must have besides a key. */
  readonly needs?: readonly ('platform' | 'other company')[];
  /** Throws if the service does otherwise. */
  readonly holds: (trial: Trial) => Promise<void>;
}

export interface Chapter {
  readonly title: string;
  readonly statements: readonly Statement[];
}

/** The object has exactly these fields. */
export function hasFields(value: unknown, fields: readonly string[]): void {
  ok(typeof value === 'object' && value !== null && !Array.isArray(value), `no object: ${JSON.stringify(value)}`);
  deepEqual(Object.keys(value).sort(), [...fields].sort());
}

/** A problem with the status and the code, of the form of RFC 9457. */
export function isProblem(reply: Reply, status: number, code: string): void {
  equal(reply.status, status, `status ${reply.status} with ${JSON.stringify(reply.body)}`);
  ok(reply.headers.get('content-type')?.startsWith('application/problem+json'), 'not application/problem+json');
  for (const member of ['type', 'title', 'detail', 'instance', 'requestId']) {
    equal(typeof reply.body[member], 'string', `${member} is missing`);
  }
  equal(reply.body.status, status);
  equal(reply.body.code, code);
}

/** 422, with an entry for each of these pointers or names of parameters. */
export function isInvalid(reply: Reply, ...pointers: readonly string[]): void {
  isProblem(reply, 422, 'validation_failed');
  const named: unknown[] = reply.body.errors.map((error: { pointer: unknown }) => error.pointer);
  for (const pointer of pointers) ok(named.includes(pointer), `${pointer} is not among ${named}`);
}

export function isInstant(value: unknown): void {
  ok(
    typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value),
    `no time in UTC with milliseconds: ${value}`,
  );
}

export function isOneOf(value: unknown, allowed: readonly unknown[]): void {
  if (!allowed.includes(value)) fail(`${value} is none of ${allowed.join(', ')}`);
}

/** A value that the statement needs. It exists, since the caller of `holds` checks `needs` first. */
export function given<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('the run lacks what the statement needs');
  return value;
}

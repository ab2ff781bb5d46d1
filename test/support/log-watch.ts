import { pino } from 'pino';
import { afterAll, beforeAll, expect } from 'vitest';
import { isDatabaseAddress, serverAddresses } from '../../src/platform/database/connections/server-addresses.ts';
import { type Log, traceOf } from '../../src/platform/telemetry/log.ts';
import { SANDBOX_ACCOUNT } from '../../src/sandbox/scenarios.ts';
import { SECRETS } from '../../src/service-settings.ts';

/** Data that must not be in a log. */
type Kind =
  | 'API key'
  | 'bearer token'
  | 'basic credentials'
  | 'carrier credential'
  | 'e-mail address'
  | 'personal data'
  | 'setting'
  | 'webhook address'
  | 'webhook secret';

/** Patterns that are recognised by themselves, whatever their source. */
const PATTERNS: readonly (readonly [Kind, RegExp])[] = [
  ['API key', /sk_(?:live|test)_\w*/gi],
  ['webhook secret', /whsec_[\w+/=]*/gi],
  ['bearer token', /bearer [\w.~+/=-]*/gi],
  ['basic credentials', /basic [a-z0-9+/]+=*/gi],
  ['e-mail address', /[\w.+-]+@[\w-]+\.[a-z]{2,}/gi],
];

/**
 * Fields of requests, of both faces, whose texts are nobody's but the company's and its customers'. The watch looks for
 * values that cannot be in a log by chance: no short texts, codes or numbers, and not the common account of the
 * sandbox.
 */
const FIELDS: readonly { readonly kind: Kind; readonly telling: RegExp; readonly names: readonly string[] }[] = [
  {
    kind: 'personal data',
    telling: /^(?![A-Z0-9_.-]*$).{6,}/s,
    names: ['address', 'city', 'companyName', 'email', 'telephone'],
  },
  // One word alone may be a type's name, or a status.
  { kind: 'personal data', telling: /^(?=.*\s).{6,}/s, names: ['description', 'location', 'name', 'note'] },
  {
    kind: 'carrier credential',
    telling: new RegExp(`^(?!${SANDBOX_ACCOUNT}$).{6,}`, 's'),
    names: ['clientCode', 'clientId', 'clientSecret', 'contractCode', 'password', 'userId', 'username'],
  },
  { kind: 'webhook address', telling: /^https?:..../, names: ['baseUrl', 'url'] },
];
const FIELD_OF = new Map(FIELDS.flatMap(field => field.names.map(name => [name, field] as const)));
/** Such a field and its text, in JSON as in a GraphQL document. */
const NAMED_TEXT = new RegExp(String.raw`\b(${[...FIELD_OF.keys()].join('|')})"?\s*:\s*("(?:[^"\\]|\\.)*")`, 'g');

/** The part of a key or secret that is secret without its prefix too. */
const ISSUED = /(whsec_|sk_(?:live|test)_[0-9a-f]{32}_)([A-Za-z0-9+/=]+)/g;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const MASK = '***';
/** How many offences a failure tells; one cause has many. */
const TOLD = 5;

interface Offence {
  readonly kind: Kind;
  /** The first line that has it, without what must not be there. */
  readonly line: string;
}

/** Reads a log, keeps each text once, and knows the values that must not be in it. */
export class LogWatch {
  /** With the first line that has it. */
  readonly #texts = new Map<string, string>();
  readonly #hidden = new Map<string, Kind>();

  read(line: string): void {
    for (const text of textsOf(JSON.parse(line))) {
      if (!UUID.test(text) && !this.#texts.has(text)) this.#texts.set(text, line);
    }
  }

  /** A body that was sent, or a document of GraphQL. */
  sent(text: string): void {
    for (const [, name = '', quoted = ''] of text.matchAll(NAMED_TEXT)) {
      const field = FIELD_OF.get(name);
      const value = unquoted(quoted);
      if (field?.telling.test(value)) this.#hide(field.kind, value);
    }
  }

  /** Keys and secrets, and what shows them. */
  issued(text: string): void {
    for (const [, prefix, secret = ''] of text.matchAll(ISSUED)) {
      this.#hide(prefix === 'whsec_' ? 'webhook secret' : 'API key', secret);
    }
  }

  /** The settings of a service whose log it is. */
  settings(env: Readonly<Record<string, string>>): void {
    for (const name of SECRETS) {
      const value = env[name];
      if (!value) continue;
      if (!isDatabaseAddress(value)) {
        for (const one of value.split(',')) this.#hide('setting', one);
        continue;
      }
      const [{ username, password }] = serverAddresses(value);
      // The password of a developer's own server may be a word of ours.
      if (password && password !== username) this.#hide('setting', password);
    }
  }

  offences(): Offence[] {
    const texts = [...this.#texts.keys()];
    const all = texts.join('\n').toLowerCase();
    const found = [...this.#hidden].filter(([value]) => all.includes(value));
    // A value that contains another one is masked first.
    found.sort(([one], [other]) => other.length - one.length);
    const patterns = [...found.map(([value, kind]) => [kind, patternOf(value)] as const), ...PATTERNS];
    return patterns.flatMap(([kind, pattern]) => {
      const text = texts.find(one => one.search(pattern) >= 0);
      const line = text === undefined ? undefined : this.#texts.get(text);
      return line ? [{ kind, line: patterns.reduce((masked, [, one]) => masked.replace(one, MASK), line) }] : [];
    });
  }

  #hide(kind: Kind, value: string): void {
    this.#hidden.set(value.toLowerCase(), kind);
  }
}

/** The log of the services of the current file. */
const open = new Set<LogWatch>();

/**
 * For the log of services that a file starts. Once they have stopped, it is compared with all requests to and responses
 * from the services of the file. Call it before the hooks that stop them: later hooks are called earlier.
 */
export function useLogWatch(): LogWatch {
  const watch = new LogWatch();
  beforeAll(() => {
    open.add(watch);
  });
  afterAll(() => {
    open.delete(watch);
    const offences = watch.offences();
    if (offences.length === 0) return;
    const told = offences.slice(0, TOLD).map(({ kind, line }) => `${kind}: ${line.trim()}`);
    const { testPath } = expect.getState();
    throw new Error(`The log of ${testPath} has ${offences.length} things it must not have:\n${told.join('\n')}`);
  });
  return watch;
}

/** Such a log itself, to the last trace. */
export function useWatchedLog(heard: (line: string) => void = () => undefined): Log {
  const watch = useLogWatch();
  return watchedLog(line => {
    heard(line);
    watch.read(line);
  });
}

export function watchedLog(write: (line: string) => void): Log {
  return pino({ level: 'trace', base: null, mixin: traceOf }, { write });
}

/** Tells all logs of the file what must not be in them. */
export function note(what: 'sent' | 'issued', text: string): void {
  for (const watch of open) watch[what](text);
}

/** Notes the settings of a service. */
export function noteSettings(env: Readonly<Record<string, string>>): void {
  for (const watch of open) watch.settings(env);
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...textsOf(inner)]);
}

/** Finds a text as it is, and as JSON has it. */
function patternOf(value: string): RegExp {
  const forms = [value, JSON.stringify(value).slice(1, -1)];
  return new RegExp(forms.map(form => form.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|'), 'gi');
}

/** Strings of GraphQL have the form of JSON; any other text stays unchanged. */
function unquoted(quoted: string): string {
  try {
    return JSON.parse(quoted);
  } catch {
    return quoted.slice(1, -1);
  }
}

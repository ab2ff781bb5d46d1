import { readFileSync } from 'node:fs';
import type { GraphQLEnumType } from 'graphql';
import { BATCH_ITEM, CARRIER_CALL_WORK, MUTATION, QUOTE, TARIFF_DOCUMENT, TARIFF_IMPORT } from '../../graphql/costs.ts';
import { schema } from '../../graphql/schema.ts';
import { FAULTS, type FaultCode } from '../../platform/fault.ts';
import { RATE_CLASSES } from '../../platform/limits/rates.ts';
import { BASE_PATH } from '../rest/endpoints.ts';
import { answerExample, EVENTS, problemExample, requestExample } from './contract.ts';
import { escapeHtml, prose, table } from './docs-page.ts';

/** Title of each guide, by its name in the address; its text is in `guides/`. */
const TITLES = {
  'getting-started': 'Getting started',
  webhooks: 'Webhooks',
  errors: 'Errors',
  limits: 'Limits, retries and caching',
  sandbox: 'Sandbox',
  typescript: 'A typed TypeScript client',
};

export interface Guide {
  readonly name: string;
  readonly title: string;
  /** HTML, with the service's address in it. */
  readonly body: (publicUrl: string) => string;
}

const ENDPOINT_STATE = schema.getType('WebhookEndpointState') as GraphQLEnumType;

/** What `{{name argument …}}` in a guide's text becomes. */
const PARTS: Readonly<Record<string, (...words: string[]) => string>> = {
  request: (operation = '', name = '') => escapeHtml(JSON.stringify(requestExample(operation, name))),
  example: (operation = '', name = '') => pretty(answerExample(operation, name)),
  problem: (code = '') => pretty(problemExample(code)),
  event: (type = '') => eventText(type),
  events: () =>
    table(
      ['Event', 'When'],
      EVENTS.map(({ type, summary }) => [`<code>${type}</code>`, prose(summary)]),
    ),
  states: () =>
    table(
      ['State', 'What it means'],
      ENDPOINT_STATE.getValues()
        .filter(({ deprecationReason }) => deprecationReason == null)
        .map(({ name, description }) => [`<code>${name}</code>`, prose(description ?? '')]),
    ),
  errors: errorsTable,
  rates: () =>
    table(
      ['Kind', 'A minute'],
      Object.entries(RATE_CLASSES).map(([name, { perMinute, what }]) => [
        `<code>${name}</code>`,
        `${count(perMinute)} ${what}`,
      ]),
    ),
  costs: () =>
    table(
      ['What', 'Units'],
      [
        ['A value or an object of the response', '1'],
        ['32 characters of text in the response, or in the body of a GraphQL request', '1'],
        ['A record of a batch, such as an order of <code>upsertOrders</code>', count(BATCH_ITEM)],
        ['A mutation', count(MUTATION)],
        ['A quote, on all carrier connections', count(QUOTE)],
        ['An address check, or a test of a carrier connection', count(CARRIER_CALL_WORK)],
        ['The whole document of a tariff', count(TARIFF_DOCUMENT)],
        ['The import of a tariff', count(TARIFF_IMPORT)],
      ],
    ),
  receiver: () => escapeHtml(read('verify/receiver.mjs')),
  verify: () => SAMPLES.map(([language, file]) => sample(language, read(`verify/${file}`))).join('\n'),
};

/** Code that verifies a signature. The tests run what can be run where they are. */
const SAMPLES = [
  ['Node', 'verify.mjs'],
  ['Python', 'verify.py'],
  ['PHP', 'verify.php'],
  ['Java', 'WebhookVerifier.java'],
  ['C#', 'WebhookVerifier.cs'],
] as const;

export const GUIDES: readonly Guide[] = Object.entries(TITLES).map(([name, title]) => {
  const text = read(`guides/${name}.html`).replaceAll(/\{\{(\w+)((?: [\w.]+)*)\}\}/g, (token, part, words) => {
    return PARTS[part]?.(...words.split(' ').slice(1)) ?? token;
  });
  const body = (publicUrl: string) =>
    `<main class="guide">${text.replaceAll('{{api}}', publicUrl + BASE_PATH).replaceAll('{{url}}', publicUrl)}</main>`;
  return { name, title, body };
});

/** What a problem's `type` leads to. */
export function problemBody(code: FaultCode): string {
  const { status, title, help } = FAULTS[code];
  const example = problemExample(code);
  return `<main class="guide"><h1>${escapeHtml(title)}</h1>
<p class="status">HTTP ${status}, code <code>${code}</code></p>
<p>${prose(help)}</p>
${example ? `<h2>For example</h2>\n<pre><code>${pretty(example)}</code></pre>` : ''}
<p><a href="/docs/errors">All errors</a></p></main>`;
}

function count(value: number): string {
  return value.toLocaleString('en');
}

function errorsTable(): string {
  const rows = Object.entries(FAULTS)
    .toSorted(([, a], [, b]) => a.status - b.status)
    .map(([code, { status, help }]) => [
      `<a href="/problems/${code}"><code>${code}</code></a>`,
      String(status),
      prose(help),
    ]);
  return table(['Code', 'Status', 'What it means'], rows);
}

function eventText(type: string): string {
  const event = EVENTS.find(one => one.type === type);
  const headers = event?.headers.map(([name, value]) => `${name}: ${value}`).join('\n');
  return `${headers}\n\n${pretty(event?.body)}`;
}

function sample(language: string, code: string): string {
  return `<details><summary>${language}</summary><pre><code>${escapeHtml(code)}</code></pre></details>`;
}

function pretty(value: unknown): string {
  return escapeHtml(JSON.stringify(value, null, 2) ?? '');
}

function read(file: string): string {
  return readFileSync(new URL(file, import.meta.url), 'utf8').trimEnd();
}

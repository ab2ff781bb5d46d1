import { readdir, readFile, writeFile } from 'node:fs/promises';
import { lexicographicSortSchema, printSchema } from 'graphql';
import { eventKinds, payloadSchema } from '../domain/exchange/webhooks/events/event.payload.ts';
import { noticeSchema } from '../domain/exchange/webhooks/notices/notice.payload.ts';
import { tariffJsonSchema } from '../domain/pricing/tariffs/format/tariff.format.rules.ts';
import { orderMappingJsonSchema } from '../domain/shipping/orders/import/order-mapping.format.rules.ts';
import { invoiceMappingJsonSchema } from '../domain/spend/invoices/reading/invoice-mapping.format.rules.ts';
import { schema } from '../graphql/schema.ts';
import { openApiDocument } from '../http/openapi/openapi.ts';
import type { Examples } from '../http/rest/examples.ts';
import type { JsonSchema } from '../http/rest/shape.ts';
import { answerTypes } from '../upstream/answer-types.ts';
import { withSections } from './generated-sections/sections.ts';
import { envExample } from './generated-sections/settings.ts';

// `node src/contracts/contracts.ts write` writes the contracts derived from the code; `check` lists outdated ones.

const root = new URL('../../', import.meta.url);

const openapi = openApiDocument(schema, {
  examples: await recordedExamples(),
  events: eventKinds(),
  payload: payloadSchema,
});

const contracts: Record<string, (current: string) => string> = {
  'schema/schema.graphql': () => `${printSchema(lexicographicSortSchema(schema))}\n`,
  'schema/openapi.json': () => `${JSON.stringify(openapi, null, 2)}\n`,
  'schema/tariff.schema.json': () => `${JSON.stringify(tariffJsonSchema(), null, 2)}\n`,
  'schema/invoice-mapping.schema.json': () => `${JSON.stringify(invoiceMappingJsonSchema(), null, 2)}\n`,
  'schema/order-mapping.schema.json': () => `${JSON.stringify(orderMappingJsonSchema(), null, 2)}\n`,
  'schema/events/tracking.schema.json': () => `${JSON.stringify(payloadSchema(trackingRecord()), null, 2)}\n`,
  'schema/events/notice.schema.json': () => `${JSON.stringify(noticeSchema(), null, 2)}\n`,
  'README.md': withSections,
  '.env.example': envExample,
};

for (const [file, types] of Object.entries(await answerTypes())) contracts[file] = () => types;
for (const page of await readdir(new URL('src/docs/', root))) {
  if (page.endsWith('.md')) contracts[`src/docs/${page}`] = withSections;
}

/** The schema of a tracking record in the REST contract. */
function trackingRecord(): JsonSchema {
  const { components } = openapi as { components: { schemas: Record<string, JsonSchema> } };
  return components.schemas.TrackingRecord ?? {};
}

/** Reads the files of `npm run schema:examples`: one for each operation, and three shared ones. */
async function recordedExamples(): Promise<Examples> {
  const folder = new URL('schema/examples/', root);
  const read = async (file: string) => JSON.parse(await readFile(new URL(file, folder), 'utf8'));
  const files = (await readdir(folder)).filter(file => file.endsWith('.json'));
  const recorded = await Promise.all(files.map(async file => [file.replace('.json', ''), await read(file)] as const));
  const { problems = {}, rejections = {}, events = {}, ...operations } = Object.fromEntries(recorded);
  return { operations, problems, rejections, events };
}

function derived(file: string, current: string): string {
  try {
    return contracts[file]?.(current) ?? current;
  } catch (cause) {
    throw new Error(`${file} cannot be written`, { cause });
  }
}

const stale: string[] = [];
for (const file of Object.keys(contracts)) {
  const path = new URL(file, root);
  const current = await readFile(path, 'utf8').catch(() => '');
  const wanted = derived(file, current);
  if (wanted === current) continue;
  if (process.argv[2] === 'write') await writeFile(path, wanted);
  stale.push(file);
}
if (process.argv[2] === 'write') {
  process.stdout.write(stale.length > 0 ? `Written: ${stale.join(', ')}\n` : 'Nothing to write.\n');
} else if (stale.length > 0) {
  process.stderr.write(`Out of date: ${stale.join(', ')}. Accept the change with: npm run schema:write\n`);
  process.exitCode = 1;
}

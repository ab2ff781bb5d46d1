import { addressOutcomes } from './address-outcomes.ts';
import { assistantTools } from './assistant-tools.ts';
import { carrierCodes } from './carrier-codes.ts';
import { carriers } from './carrier-credentials.ts';
import { charges } from './charges-table.ts';
import { codeFile } from './code-file.ts';
import { commands } from './command-list.ts';
import { companyLimits } from './company-limits.ts';
import { conditions, measures } from './conditions-table.ts';
import { connectionLimits } from './connection-limits.ts';
import { dataRetention } from './data-retention.ts';
import { endpoints } from './endpoints-table.ts';
import { enumValues } from './enums.ts';
import { errorCodes, issueCodes } from './error-codes.ts';
import { guides } from './guides-table.ts';
import { eventFields, orderFields, shipmentFields } from './input-fields.ts';
import { carrierInvoiceColumns, plainInvoiceColumns } from './invoice-columns.ts';
import { invoiceFindings } from './invoice-findings.ts';
import { noticeKinds } from './notice-kinds.ts';
import { orderColumns, orderExports } from './order-columns.ts';
import { pollingPace } from './polling-pace.ts';
import { costs, rates } from './rates-table.ts';
import { sandboxAddresses, sandboxNumbers } from './sandbox-inputs.ts';
import { scopes } from './scopes-table.ts';
import { settings } from './settings.ts';
import { silence } from './silence.ts';
import { graphqlLimits, sizeLimits } from './size-limits.ts';
import { trackingStatuses } from './tracking-statuses.ts';
import { customs, vat } from './vat.ts';
import { warehouseTypes } from './warehouse-types.ts';
import { silentStatuses, webhookEvents } from './webhook-events.ts';
import { webhookRetries } from './webhook-retries.ts';
import { sample } from './webhook-verification.ts';

/**
 * The parts of `README.md` and `src/docs/*.md` that the code knows as data. A section stands between `<!-- generated: NAME -->` and
 * `<!-- /generated -->`, and `npm run schema:write` writes it. To add one, write a function in a file of its own and name it here.
 */
const SECTIONS: Readonly<Record<string, () => string>> = {
  endpoints,
  guides,
  settings,
  commands,
  scopes,
  'assistant-tools': assistantTools,
  'error-codes': errorCodes,
  'issue-codes': issueCodes,

  'order-columns': orderColumns,
  'order-exports': orderExports,
  'order-fields': orderFields,
  'shipment-fields': shipmentFields,
  'event-fields': eventFields,
  carriers,
  'carrier-codes': carrierCodes,
  'polling-pace': pollingPace,
  charges,
  conditions,
  measures,
  customs,
  vat,

  'carrier-invoice-columns': carrierInvoiceColumns,
  'invoice-findings': invoiceFindings,
  'plain-invoice-columns': plainInvoiceColumns,
  'quote-warnings': enumValues('QuoteWarningCode', '`code`'),
  'tracking-statuses': trackingStatuses,
  'tracking-silence': silence,
  'address-outcomes': addressOutcomes,
  'warehouse-types': warehouseTypes,

  'webhook-events': webhookEvents,
  'webhook-silent-statuses': silentStatuses,
  'webhook-retries': webhookRetries,
  'webhook-endpoint-states': enumValues('WebhookEndpointState', '`state`'),
  'webhook-delivery-statuses': enumValues('WebhookDeliveryStatus', '`status`'),
  'webhook-attempt-outcomes': enumValues('WebhookAttemptOutcome', '`outcome`'),
  'notice-kinds': noticeKinds,
  'verify-node': sample('verify.mjs', 'js'),
  'verify-node-receiver': sample('receiver.mjs', 'js'),
  'verify-python': sample('verify.py', 'python'),
  'verify-python-receiver': sample('receiver.py', 'python'),
  'verify-php': sample('verify.php', 'php'),
  'verify-java': sample('WebhookVerifier.java', 'java'),
  'verify-csharp': sample('WebhookVerifier.cs', 'csharp'),

  'orders-node': codeFile('src/http/docs/orders/send-orders.mjs', 'js'),
  'orders-python': codeFile('src/http/docs/orders/send_orders.py', 'python'),
  'orders-php': codeFile('src/http/docs/orders/send-orders.php', 'php'),
  'orders-csharp': codeFile('src/http/docs/orders/SendOrders.cs', 'csharp'),
  'orders-shopify': codeFile('src/http/docs/orders/shopify.mjs', 'js'),
  'orders-woocommerce': codeFile('src/http/docs/orders/woocommerce.php', 'php'),
  'orders-prestashop': codeFile('src/http/docs/orders/prestashop.sql', 'sql'),
  'tracking-aggregator': codeFile('src/http/docs/tracking/aggregator.mjs', 'js'),

  rates,
  costs,
  'company-limits': companyLimits,
  'connection-limits': connectionLimits,
  'size-limits': sizeLimits,
  'graphql-limits': graphqlLimits,
  'systemd-unit': codeFile('schema/ops/shipping@.service', 'ini'),
  'data-retention': dataRetention,
  nginx: codeFile('schema/ops/nginx.conf', 'nginx'),
  'sandbox-addresses': sandboxAddresses,
  'sandbox-numbers': sandboxNumbers,
};

const SECTION = /^<!-- generated: (.*?) -->\n(?:(?!<!-- \/?generated).*\n)*<!-- \/generated -->$/gm;
const MARKER = /^<!-- \/?generated\b.*$/gm;

/**
 * A Markdown text with its generated sections updated.
 *
 * @throws Error for a section that nothing generates, and for a marker without its counterpart
 */
export function withSections(text: string): string {
  let sections = 0;
  const written = text.replace(SECTION, (_all, name: string) => {
    sections += 1;
    const generate = SECTIONS[name];
    if (!generate) throw new Error(`No section is called "${name}". There are: ${Object.keys(SECTIONS).join(', ')}`);
    return `<!-- generated: ${name} -->\n${generate()}\n<!-- /generated -->`;
  });
  const markers = text.match(MARKER)?.length ?? 0;
  if (markers !== 2 * sections) {
    throw new Error('Each "<!-- generated: NAME -->" needs one "<!-- /generated -->" after it, on lines of their own');
  }
  return written;
}

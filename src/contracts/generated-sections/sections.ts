import { addressOutcomes, sandboxAddresses, sandboxNumbers, warehouseTypes } from './address-tables.ts';
import { carrierCodes, carriers, silence, trackingStatuses } from './carrier-tables.ts';
import { eventFields, orderColumns, orderExports, orderFields, shipmentFields } from './input-tables.ts';
import { assistantTools, commands, endpoints, errorCodes, guides, issueCodes, scopes } from './interface-tables.ts';
import {
  companyLimits,
  connectionLimits,
  costs,
  dataRetention,
  graphqlLimits,
  pollingPace,
  rates,
  sizeLimits,
} from './limits-tables.ts';
import { codeFile, enumValues, sample } from './markdown.ts';
import {
  carrierInvoiceColumns,
  charges,
  conditions,
  customs,
  invoiceFindings,
  measures,
  plainInvoiceColumns,
  vat,
} from './price-tables.ts';
import { settings } from './settings.ts';
import { noticeKinds, silentStatuses, webhookEvents, webhookRetries } from './webhook-tables.ts';

/**
 * The parts of `README.md` and `src/docs/*.md` that the code knows as data. A section stands between `<!-- generated: NAME -->` and
 * `<!-- /generated -->`, and `npm run schema:write` writes it. To add one, write a function in the file of its topic and name it here.
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

import { codeBlock } from './code-blocks.ts';
import { QUOTE_PATH, quoteExample } from './contract.ts';
import { escapeHtml } from './escape-html.ts';
import { keyForm } from './page-layout.ts';
import { renderInline } from './render-markdown.ts';
import { guideGroups, type SourcePage } from './source-pages.ts';

/** The home page, `/docs`: what the service is and is not, a quote, and a door for each kind of reader. */

/** A line of the quote that the home page shows; amounts are EUR. */
export interface ShownQuote {
  readonly carrierName: string;
  readonly basePrice: number;
  readonly fuelPrice: number;
  readonly surchargesPrice: number;
  readonly codPrice: number;
  readonly insurancePrice: number;
  readonly totalPrice: number;
  readonly totalPriceWithVat: number;
  readonly estimatedDeliveryDays: number | null;
}

const INTRODUCTION = `
<p class="lead">One HTTP API between your systems and your carriers, over REST and GraphQL.</p>
<ul class="scope">
<li><strong>It prices</strong> a shipment on all your carriers, from your own price lists, and explains every cent.</li>
<li><strong>It follows</strong> each shipment at its carrier, and posts signed webhooks when it moves or is late.</li>
<li><strong>It checks</strong> delivery addresses and carriers’ invoices, and simulates a new price list on past shipments.</li>
<li><strong>It does not</strong> print labels, book, pick up or cancel. Do that at your carrier or in your shipping platform, and <a href="/docs/shipments">send the tracking number here</a>.</li>
</ul>`;

/** The sentence under each door, by the title of its group. */
const DOORS: Readonly<Record<string, string>> = {
  'I call the API': 'From a shop, an ERP or an app: quotes, tracking and webhooks. The first quote takes a minute.',
  'I send it data': 'Orders, shipments, price lists and carriers’ invoices, from a shop’s export, Excel or a program.',
  'I run it': 'One Node process and PostgreSQL: installation, settings, monitoring, and what to do when it hurts.',
  'For experts': 'Generated clients, proofs over the change log, and more than one server.',
};

export function homeBody(
  pages: ReadonlyMap<string, SourcePage>,
  publicUrl: string,
  live: readonly ShownQuote[] | undefined,
): string {
  return `<div class="prose"><h1>Shipping Integrations API</h1>
${INTRODUCTION}
${quoteSection(publicUrl, live)}
<div class="key-card">${keyForm('home-key')}</div>
${guideGroups(pages).map(door).join('\n')}</div>`;
}

function quoteSection(publicUrl: string, live: readonly ShownQuote[] | undefined): string {
  const { request, response } = quoteExample();
  const command = `curl -s -H "x-api-key: $API_KEY" -H 'content-type: application/json' ${publicUrl}${QUOTE_PATH} \\
  -d '${JSON.stringify(request)}'`;
  const origin = live
    ? 'These are the prices of the demo company on this service now.'
    : 'These are recorded prices of the demo company.';
  return `<h2>A quote</h2>
<p>A parcel of 4 kg from Milan to Palermo, 100 EUR cash on delivery, insured for 200 EUR:</p>
${codeBlock(command, 'sh')}
${quoteTable(live ?? (response as readonly ShownQuote[]))}
<p class="note">${origin} Amounts are EUR. <a href="/docs/quotes">Quotes</a> explains each field.</p>`;
}

function quoteTable(quotes: readonly ShownQuote[]): string {
  const heads = ['Base', 'Fuel, surcharges', 'Cash on delivery', 'Insurance', 'Total', 'With VAT', 'Days'];
  const rows = quotes.map(quote => {
    const { basePrice, fuelPrice, surchargesPrice, codPrice, insurancePrice, totalPrice } = quote;
    const amounts = [basePrice, fuelPrice + surchargesPrice, codPrice, insurancePrice, totalPrice].map(amount);
    const cells = [
      ...amounts,
      `<strong>${amount(quote.totalPriceWithVat)}</strong>`,
      quote.estimatedDeliveryDays ?? '–',
    ];
    return `<tr><th scope="row">${escapeHtml(quote.carrierName)}</th>${cells.map((cell, i) => `<td data-label="${heads[i]}">${cell}</td>`).join('')}</tr>`;
  });
  return `<div class="table quote" tabindex="0"><table><thead><tr>${['Carrier', ...heads].map(head => `<th scope="col">${head}</th>`).join('')}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`;
}

const amount = (value: number) => value.toFixed(2);

function door({ title, guides, more }: ReturnType<typeof guideGroups>[number]): string {
  const items = guides.map(
    guide => `<li><a href="${guide.path}">${guide.title}</a><span>${firstSentence(guide)}</span></li>`,
  );
  const list = items.length === 0 ? '' : `<ul class="guides">${items.join('')}</ul>`;
  const links = more.map(guide => `<a href="${guide.path}">${guide.title}</a>`).join(' · ');
  const later = `<p class="later">${items.length === 0 ? '' : 'Later: '}${links}</p>`;
  return `<section class="door"><h2>${title}</h2><p>${DOORS[title] ?? ''}</p>${list}${later}</section>`;
}

/** Without links, because the item itself is a link. */
function firstSentence({ summary }: SourcePage): string {
  const text = summary.replaceAll(/\[([^[\]]*)\]\([^()]*\)/g, '$1').replaceAll('\n', ' ');
  return renderInline(/^.*?[.:](?= |$)/.exec(text)?.[0].replace(/:$/, '.') ?? text);
}

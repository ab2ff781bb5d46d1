import { assetPath } from '../docs/assets.ts';
import { keyForm } from '../docs/page-layout.ts';
import { opsPage } from './ops-layout.ts';

/** The price lists that a workbook can begin with, by their names in the address of a template. */
const PRICE_LISTS = {
  'brt-like': 'BRT-like',
  'gls-like': 'GLS-like',
  'dhl-like': 'DHL-like',
  'pallet-network': 'pallet network',
};

/** The page that imports files. `import.js` reads them by GraphQL, with the key that is typed in. */
export function importPage(): string {
  const content = `<h1>Import a file</h1>
<p class="lead">Orders of a shop or a spreadsheet, a price list, or an invoice of a carrier: choose the file, look at how it is read, and import it. Nothing is stored before you press a button that says so.</p>
<noscript><p>This page needs JavaScript. <a href="/docs/importing">The guide</a> shows the commands that do the same.</p></noscript>
<section><h2>1. Key</h2>${keyForm('import-key')}</section>
<form class="import-form">
<section><h2>2. File</h2>
<fieldset class="kinds"><legend>What is in it?</legend>
${kindChoice('orders', 'Orders', true)}${kindChoice('tariff', 'A price list')}${kindChoice('invoice', 'An invoice of a carrier')}
</fieldset>
<div class="options">
<label data-for="orders">Warehouse <select name="warehouse"></select></label>
<label data-for="tariff invoice" hidden>Carrier connection <select name="connection"></select></label>
<label data-for="invoice" hidden>Number of the invoice <input name="number" autocomplete="off"></label>
<label data-for="invoice" hidden>Date of the invoice <input name="date" type="date"></label>
<label data-for="invoice" hidden>Columns as named by <select name="mapping"><option value="">whom most of them fit</option></select></label>
<label data-for="invoice" hidden>Cash on delivery was paid <select name="cod"><option value="">as the rows or quotes say</option><option value="CASH">in cash</option><option value="CARD">by card</option><option value="BANK_CHEQUE">by a bank's cheque</option><option value="PERSONAL_CHEQUE">by a personal cheque</option></select></label>
<label data-for="orders invoice">Numbers and days <select name="locale"><option value="">as they are found</option><option value="it">1.234,56 and 31/12/2026</option><option value="en_GB">1,234.56 and 31/12/2026</option><option value="en_US">1,234.56 and 12/31/2026</option></select></label>
</div>
<p class="templates" data-for="orders">To begin with: <a href="/templates/orders.xlsx" download>an empty table of orders</a>. The export of a shop needs no changes.</p>
<p class="templates" data-for="tariff" hidden>To begin with, a workbook that is ${Object.entries(PRICE_LISTS).map(templateLink).join(', ')}.</p>
<label class="drop"><span class="drop-text">Drop a file here, or choose one: .xlsx, .csv or .tsv, of 3 MB at most</span><input type="file" name="file" accept=".xlsx,.csv,.tsv,.txt"></label>
</section>
<p class="import-state" role="status"></p>
<section class="import-columns" hidden></section>
<section class="import-check" hidden></section>
<section class="import-result" hidden></section>
</form>`;
  return opsPage({
    title: 'Import a file',
    brand: 'Import',
    path: '/ops/import',
    className: 'import',
    head: [
      `<link rel="stylesheet" href="${assetPath('import.css')}">`,
      `<script type="module" src="${assetPath('api-key.js')}"></script>`,
      `<script type="module" src="${assetPath('import.js')}"></script>`,
    ],
    links: '<a href="/docs/importing">Guide</a>',
    content,
  });
}

function kindChoice(value: string, label: string, isChosen = false): string {
  return `<label><input type="radio" name="kind" value="${value}"${isChosen ? ' checked' : ''}> ${label}</label>`;
}

function templateLink([name, label]: [string, string]): string {
  return `<a href="/templates/${name}.xlsx" download>${label}</a>`;
}

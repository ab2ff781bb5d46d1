import { assetPath } from '../docs/assets.ts';
import { escapeHtml } from '../docs/escape-html.ts';
import { keyForm } from '../docs/page-layout.ts';
import { type PageLanguage, wordsIn } from './import-words.ts';
import { opsPage } from './ops-layout.ts';

/** The price lists that a workbook can begin with, by their names in the address of a template. */
const PRICE_LISTS = { 'brt-like': 'BRT', 'gls-like': 'GLS', 'dhl-like': 'DHL', 'pallet-network': undefined };

/** The page that imports files. `import.js` reads them by GraphQL, with the key that is typed in. */
export function importPage(language: PageLanguage): string {
  const texts = wordsIn(language);
  const word = (name: string) => escapeHtml(texts.words[name] ?? name);
  const ofKind = (kind: string) =>
    Object.entries(texts.words).flatMap(([name, text]) =>
      name.startsWith(`${kind}.`) ? [[name.slice(kind.length + 1), text]] : [],
    );
  const field = (kinds: string, name: string, control: string) =>
    `<label data-for="${kinds}"${kinds.includes('orders') ? '' : ' hidden'}>${word(name)} ${control}</label>`;
  const choice = (name: string) =>
    `<select name="${name}">${ofKind(name)
      .map(([value = '', text = '']) => `<option value="${value === 'any' ? '' : value}">${escapeHtml(text)}</option>`)
      .join('')}</select>`;
  const kinds = ofKind('kind').map(
    ([value, text = ''], i) =>
      `<label><input type="radio" name="kind" value="${value}"${i === 0 ? ' checked' : ''}> ${escapeHtml(text)}</label>`,
  );
  const template = (name: string, label: string) => `<a href="/templates/${name}.xlsx" download>${label}</a>`;
  const priceLists = Object.entries(PRICE_LISTS).map(([name, carrier]) =>
    template(name, carrier ?? word('palletNetwork')),
  );
  const key = {
    label: word('keyLabel'),
    hint: word('keyHint'),
    states: JSON.stringify(Object.fromEntries(ofKind('key'))),
  };
  const content = `<h1>${word('title')}</h1>
<p class="lead">${word('lead')}</p>
<noscript><p>${word('noScript')} <a href="/docs/importing">${word('noScriptGuide')}</a></p></noscript>
<section><h2>${word('key')}</h2>${keyForm('import-key', key)}</section>
<form class="import-form" data-words="${escapeHtml(JSON.stringify(texts))}">
<section><h2>${word('file')}</h2>
<fieldset class="kinds"><legend>${word('whatIsIt')}</legend>
${kinds.join('')}
</fieldset>
<div class="options">
${field('orders', 'warehouse', '<select name="warehouse"></select>')}
${field('tariff invoice', 'connection', '<select name="connection"></select>')}
${field('invoice', 'number', '<input name="number" autocomplete="off">')}
${field('invoice', 'date', '<input name="date" type="date">')}
${field('invoice', 'mapping', '<select name="mapping"></select>')}
${field('invoice', 'cod', choice('cod'))}
${field('orders invoice', 'locale', choice('locale'))}
</div>
<p class="templates" data-for="orders">${word('beginOrders').replace('{0}', template('orders', word('templateOfOrders')))}</p>
<p class="templates" data-for="tariff" hidden>${word('beginTariff').replace('{0}', priceLists.join(', '))}</p>
<label class="drop"><span class="drop-text">${word('drop')}</span><input type="file" name="file" accept=".xlsx,.csv,.tsv,.txt"></label>
</section>
<p class="import-state" role="status"></p>
<section class="import-columns" hidden></section>
<section class="import-check" hidden></section>
<section class="import-result" hidden></section>
</form>`;
  const other = language === 'en' ? 'it' : 'en';
  return opsPage({
    title: word('title'),
    brand: word('brand'),
    path: '/ops/import',
    className: 'import',
    lang: language,
    skip: word('skip'),
    theme: word('theme'),
    head: [
      `<link rel="stylesheet" href="${assetPath('import.css')}">`,
      `<script type="module" src="${assetPath('api-key.js')}"></script>`,
      `<script type="module" src="${assetPath('import.js')}"></script>`,
    ],
    links: `<a href="/docs/importing">${word('guide')}</a><a href="?lang=${other}" lang="${other}" hreflang="${other}">${word('otherLanguage')}</a>`,
    content,
  });
}

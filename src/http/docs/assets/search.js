// Search over guides, reference and problems, in an index that the service makes. It is loaded when it is first needed.

const dialog = document.querySelector('dialog.search');
const field = dialog.querySelector('input');
const results = dialog.querySelector('.results');
const MOST = 20;
let loading;
let isLoaded = false;

async function load() {
  const [{ default: MiniSearch }, response] = await Promise.all([
    import('./minisearch.js'),
    fetch('/docs/search.json'),
  ]);
  const index = MiniSearch.loadJSON(await response.text(), { fields: ['title', 'page', 'text'] });
  isLoaded = true;
  return index;
}

function open() {
  loading ??= load();
  if (!dialog.open) dialog.showModal();
  field.select();
}

async function show() {
  const query = field.value.trim();
  if (!isLoaded) results.textContent = 'Loading …';
  const index = await loading;
  if (query !== field.value.trim()) return;
  const options = { prefix: true, fuzzy: term => (term.length > 4 ? 0.2 : false), boost: { title: 4, page: 2 } };
  const found = query === '' ? [] : index.search(query, { ...options, combineWith: 'AND' }).slice(0, MOST);
  results.replaceChildren(...found.map(item));
  if (query !== '' && found.length === 0) results.textContent = `Nothing found for “${query}”.`;
}

function item({ id, page, title, excerpt }) {
  const link = document.createElement('a');
  link.className = 'result';
  link.href = id;
  const parts = [
    ['strong', title],
    ['small', page === title ? 'Guide' : page],
    ['span', excerpt],
  ];
  for (const [tag, text] of parts) {
    const part = document.createElement(tag);
    part.textContent = text;
    link.append(part);
  }
  return link;
}

document.querySelector('.search-button').addEventListener('click', open);
document.addEventListener('keydown', event => {
  const isTyping = event.target.closest?.('input, textarea, select, [contenteditable]');
  const isShortcut = (event.key === '/' && !isTyping) || (event.key === 'k' && (event.ctrlKey || event.metaKey));
  if (!isShortcut) return;
  event.preventDefault();
  open();
});
field.addEventListener('input', show);
dialog.addEventListener('keydown', event => {
  const links = [...results.querySelectorAll('a')];
  if (event.key === 'Enter' && document.activeElement === field) links[0]?.click();
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step || links.length === 0) return;
  event.preventDefault();
  const next = links.indexOf(document.activeElement) + step;
  (links[next] ?? field).focus();
});
dialog.addEventListener('click', event => {
  // Its backdrop, or a result on this very page.
  if (event.target === dialog || event.target.closest('a')) dialog.close();
});

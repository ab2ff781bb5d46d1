// The reader's API key: typed once, checked at once, and put into the commands of every page. It is kept until the tab is
// closed, and nowhere else.

const KEPT = 'shipping-integrations-api-key';
const CHECK_AFTER_MS = 300;

const forms = [...document.querySelectorAll('.key-form')];
const hint = forms[0].querySelector('output').value;
const states = document.querySelectorAll('[data-key-state]');
/** Texts of a page that has its own. A rejected key has the code of the response. */
const { works = 'Works: {0}, {1} scopes.', ...texts } = JSON.parse(forms[0].dataset.texts ?? '{}');
let checking;
let checked = { state: '', text: hint, scopes: [] };

/** The key that works, or nothing. */
export const apiKey = () => sessionStorage.getItem(KEPT) ?? '';

/** What is known of the key. The event `key-checked` says that it has changed. */
export const checkedKey = () => checked;

for (const form of forms) {
  const field = form.querySelector('input');
  form.addEventListener('submit', event => {
    event.preventDefault();
    use(field.value);
  });
  let waiting;
  field.addEventListener('input', () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => use(field.value), CHECK_AFTER_MS);
  });
}
use(apiKey());

async function use(text) {
  const key = text.trim();
  sessionStorage.setItem(KEPT, key);
  for (const form of forms) {
    const field = form.querySelector('input');
    if (document.activeElement !== field) field.value = key;
  }
  document.dispatchEvent(new CustomEvent('api-key', { detail: key }));
  for (const place of document.querySelectorAll('[data-api-key]')) place.textContent = key || place.dataset.apiKey;
  checking?.abort();
  if (key === '') return say('', hint);
  checking = new AbortController();
  const { signal } = checking;
  say('checking', texts.checking ?? 'Checking …');
  try {
    const response = await fetch('/api/v1/integrations/health', { headers: { 'x-api-key': key }, signal });
    const answer = await response.json();
    const { label, scopes, code, detail } = answer;
    if (response.ok) say('works', works.replace('{0}', label).replace('{1}', scopes.length), scopes);
    else say('fails', texts[code] ?? detail);
  } catch {
    if (!signal.aborted) say('fails', texts.unreachable ?? 'The service cannot be reached.');
  }
}

function say(state, text, scopes = []) {
  checked = { state, text, scopes };
  for (const form of forms) {
    form.dataset.state = state;
    form.querySelector('output').value = text;
  }
  for (const dot of states) dot.dataset.keyState = state;
  document.dispatchEvent(new CustomEvent('key-checked'));
}

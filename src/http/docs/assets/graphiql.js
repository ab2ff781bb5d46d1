// GraphiQL with the reader's key, which it never stores: the key stays in this tab, with that of the other pages.

import { apiKey } from './api-key.js';

/* global YogaGraphiQL */

const place = document.querySelector('#graphiql');
const keyMenu = document.querySelector('.key-menu');
const { tabs, workers } = JSON.parse(place.dataset.settings);
const ENDPOINT = '/graphql';
const NO_KEY = 'Type your API key into the field "API key" at the top of the page, and run the document again.';

/** What earlier versions stored of the headers, and with them of keys. */
function forgetStoredHeaders() {
  localStorage.removeItem('graphiql:headers');
  const state = JSON.parse(localStorage.getItem('graphiql:tabState') ?? 'null');
  if (!state?.tabs?.some(tab => tab.headers)) return;
  localStorage.setItem('graphiql:tabState', JSON.stringify({ ...state, tabs: state.tabs.map(withoutHeaders) }));
}
const withoutHeaders = tab => ({ ...tab, headers: null });
forgetStoredHeaders();

// A key under Headers counts before that of the page. Without any, the response is made here, since the service could only
// reject the request.
const send = window.fetch;
window.fetch = (input, init) => {
  if (new URL(input, location).pathname !== ENDPOINT) return send(input, init);
  const headers = new Headers(init?.headers);
  if (!headers.has('x-api-key') && !headers.has('authorization')) {
    const key = apiKey();
    if (key === '') return askForKey();
    headers.set('x-api-key', key);
  }
  return send(input, { ...init, headers });
};

function askForKey() {
  // Once the click that ran the document has closed what is open.
  setTimeout(() => {
    keyMenu.open = true;
  });
  return Promise.resolve(Response.json({ errors: [{ message: NO_KEY }] }));
}

self.MonacoEnvironment = { globalAPI: false, getWorkerUrl: (_module, label) => workers[label] };

// The colours are those of the page. GraphiQL takes them as it starts, and keeps its documents itself.
function isDark() {
  const { theme } = document.documentElement.dataset;
  return theme ? theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
}
document.addEventListener('theme', () => location.reload());

// A link to a document has its variables too. GraphiQL itself puts the document there.
const address = () => new URL(location);
function keepVariables(variables) {
  const next = address();
  if (variables.trim() === '') next.searchParams.delete('variables');
  else next.searchParams.set('variables', variables);
  history.replaceState({}, '', next);
}

YogaGraphiQL.renderYogaGraphiQL(place, {
  endpoint: ENDPOINT,
  title: 'Shipping Integrations API',
  defaultTabs: tabs,
  shouldPersistHeaders: false,
  forcedTheme: isDark() ? 'dark' : 'light',
  variables: address().searchParams.get('variables') ?? undefined,
  onEditVariables: keepVariables,
});

// The schema is shown to a key only: it is read once there is one.
let known = apiKey();
document.addEventListener('api-key', ({ detail: key }) => {
  if (key === known || key === '') return;
  known = key;
  place.querySelector('[aria-label^="Re-fetch GraphQL schema"]')?.click();
});

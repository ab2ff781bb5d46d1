// GraphiQL with the reader's key, which it never stores: the key stays in this tab, with that of the other pages.

import { apiKey } from './api-key.js';

/* global YogaGraphiQL */

const place = document.querySelector('#graphiql');
const keyMenu = document.querySelector('.key-menu');
const { tabs, workers } = JSON.parse(place.dataset.settings);
const ENDPOINT = '/graphql';
const NO_KEY = 'Type your API key into the field "API key" at the top of the page, and run the document again.';

// What GraphiQL stored: tabs, without headers, since keys are among them, and without the empty tabs that an earlier version
// of this page added at each visit.
const STATE = 'graphiql:tabState';
function storedTabs() {
  localStorage.removeItem('graphiql:headers');
  const state = JSON.parse(localStorage.getItem(STATE) ?? 'null');
  if (!state?.tabs) return undefined;
  const active = state.tabs[state.activeTabIndex];
  const kept = state.tabs.filter(tab => tab.query || tab.variables).map(tab => ({ ...tab, headers: null }));
  if (kept.length === 0) {
    localStorage.removeItem(STATE);
    return undefined;
  }
  const activeTabIndex = Math.max(
    0,
    kept.findIndex(tab => tab.id === active?.id),
  );
  localStorage.setItem(STATE, JSON.stringify({ ...state, tabs: kept, activeTabIndex }));
  return kept[activeTabIndex];
}

// A key under Headers counts before the one of the page. Without any key, the service could only reject the request: the
// schema is asked for once there is one, and a document that is run asks the reader for it.
const send = window.fetch;
window.fetch = (input, init) => {
  if (new URL(input, location).pathname !== ENDPOINT) return send(input, init);
  const headers = new Headers(init?.headers);
  if (!headers.has('x-api-key') && !headers.has('authorization')) {
    if (apiKey() === '' && !String(init?.body).includes('IntrospectionQuery')) return askForKey();
    return withKey().then(key => {
      headers.set('x-api-key', key);
      return send(input, { ...init, headers });
    });
  }
  return send(input, { ...init, headers });
};

/** The key, once it is typed. */
function withKey() {
  const key = apiKey();
  if (key !== '') return Promise.resolve(key);
  return new Promise(resolve => {
    document.addEventListener('api-key', function typed({ detail }) {
      if (detail === '') return;
      document.removeEventListener('api-key', typed);
      resolve(detail);
    });
  });
}

function askForKey() {
  // Once the click that ran the document has closed what is open.
  setTimeout(() => {
    keyMenu.open = true;
  });
  return Promise.resolve(Response.json({ errors: [{ message: NO_KEY }] }));
}

self.MonacoEnvironment = { globalAPI: false, getWorkerUrl: (_module, label) => workers[label] };

// The colours are those of the page. GraphiQL takes the stored ones for its editors, whatever it is told later.
function isDark() {
  const { theme } = document.documentElement.dataset;
  return theme ? theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
}
const theme = isDark() ? 'dark' : 'light';
localStorage.setItem('graphiql:theme', theme);
document.addEventListener('theme', () => location.reload());

// A link to a document has its variables too. GraphiQL puts the document there, a moment after it is edited, and would
// leave them out.
let variables = '';
for (const change of ['pushState', 'replaceState']) {
  const set = history[change].bind(history);
  history[change] = (state, title, url) => set(state, title, withVariables(url));
}
const address = () => new URL(location);
function withVariables(url) {
  const next = new URL(url ?? location, location);
  if (variables.trim() === '') next.searchParams.delete('variables');
  else next.searchParams.set('variables', variables);
  return next;
}
function keepVariables(given) {
  variables = given;
  history.replaceState({}, '');
}

// GraphiQL adds an empty tab if it is given no document. A link has a tab of its own, also at the first visit.
const stored = storedTabs();
const linked = address().searchParams.get('query');
const shown = linked
  ? { query: linked, variables: address().searchParams.get('variables') ?? undefined }
  : (stored ?? tabs[0]);

variables = shown.variables ?? '';

YogaGraphiQL.renderYogaGraphiQL(place, {
  endpoint: ENDPOINT,
  title: 'Shipping Integrations API',
  defaultTabs: linked ? [shown, ...tabs] : tabs,
  shouldPersistHeaders: false,
  forcedTheme: theme,
  query: shown.query ?? undefined,
  variables: shown.variables ?? undefined,
  onEditVariables: keepVariables,
});

// Another key may see another schema.
let known = apiKey();
document.addEventListener('api-key', ({ detail: key }) => {
  if (key === known || key === '') return;
  const isFirst = known === '';
  known = key;
  if (isFirst) return;
  place.querySelector('[aria-label^="Re-fetch GraphQL schema"]')?.click();
});

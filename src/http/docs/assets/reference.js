// Scalar with everything switched off that would leave this origin, in the colours of the page, with the reader's key.

import { apiKey } from './api-key.js';

/* global Scalar */

const place = document.querySelector('#reference');
const isDark = () => {
  const { theme } = document.documentElement.dataset;
  return theme ? theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
};

/** What Scalar offers besides curl, Node, Python, PHP, Java, C# and Go, one way for each. */
const HIDDEN_CLIENTS = {
  ...Object.fromEntries(
    'c clojure dart fsharp http js julia kotlin objc ocaml powershell r ruby rust swift'
      .split(' ')
      .map(name => [name, true]),
  ),
  shell: ['wget', 'httpie'],
  node: ['axios', 'ofetch', 'undici'],
  python: ['python3', 'aiohttp', 'httpx_sync', 'httpx_async'],
  php: ['guzzle', 'laravel'],
  java: ['asynchttp', 'okhttp', 'unirest'],
  csharp: ['restsharp'],
};

function configuration(key) {
  return {
    url: '/openapi.json',
    // Calls go to where the page is from, which is the only place that its policy allows.
    servers: [{ url: location.origin }],
    layout: 'modern',
    theme: 'none',
    // The navigation and the search of the page hold the operations too.
    showSidebar: false,
    hideSearch: true,
    hideDarkModeToggle: true,
    forceDarkModeState: isDark() ? 'dark' : 'light',
    withDefaultFonts: false,
    showDeveloperTools: 'never',
    agent: { disabled: true },
    mcp: { disabled: true },
    telemetry: false,
    hideClientButton: true,
    documentDownloadType: 'none',
    persistAuth: false,
    defaultOpenAllTags: true,
    orderRequiredPropertiesFirst: false,
    orderSchemaPropertiesBy: 'preserve',
    generateTagSlug: ({ name }) => name.toLowerCase(),
    generateOperationSlug: ({ operationId }) => operationId,
    generateWebhookSlug: ({ name }) => name,
    defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
    hiddenClients: HIDDEN_CLIENTS,
    authentication: {
      preferredSecurityScheme: 'apiKey',
      securitySchemes: { apiKey: { value: key }, bearer: { token: key } },
    },
  };
}

// Its buttons that copy code have a picture and no name.
new MutationObserver(() => {
  for (const button of place.querySelectorAll('.scalar-code-copy:not([aria-label])'))
    button.ariaLabel = 'Copy the code';
}).observe(place, { childList: true, subtree: true });

const { info } = console;
const script = document.createElement('script');
script.src = place.dataset.scalar;
script.addEventListener('load', () => {
  console.info = info;
  const reference = Scalar.createApiReference(place, configuration(apiKey()));
  document.addEventListener('api-key', () => reference.updateConfiguration(configuration(apiKey())));
  // Scalar reads its colours from these classes, and the setting only at its start.
  document.addEventListener('theme', ({ detail }) => {
    document.body.classList.toggle('dark-mode', detail === 'dark');
    document.body.classList.toggle('light-mode', detail === 'light');
  });
});
// As it is loaded it writes its version to the console.
console.info = () => {};
document.head.append(script);

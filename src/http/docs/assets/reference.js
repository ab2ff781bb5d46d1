/* global SwaggerUIBundle */
const field = document.querySelector('#key');
const outcome = document.querySelector('#key-outcome');
const KEPT = 'shipping-integrations-api-key';

const ui = SwaggerUIBundle({
  url: '/openapi.json',
  domNode: document.querySelector('#reference'),
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  defaultModelRendering: 'example',
  displayRequestDuration: true,
  requestSnippetsEnabled: true,
  validatorUrl: 'none',
  onComplete: useKey,
});

// Kept until the tab is closed, and nowhere else.
field.value = sessionStorage.getItem(KEPT) ?? '';
field.addEventListener('change', useKey);
field.form.addEventListener('submit', event => event.preventDefault());

async function useKey() {
  const key = field.value.trim();
  sessionStorage.setItem(KEPT, key);
  // Swagger UI forgets only what it knows.
  if (ui.authSelectors.authorized().has('apiKey')) ui.authActions.logout(['apiKey']);
  outcome.value = '';
  if (key === '') return;
  ui.preauthorizeApiKey('apiKey', key);
  const response = await fetch('/api/v1/integrations/health', { headers: { 'x-api-key': key } });
  const answer = await response.json();
  outcome.value = response.ok ? `Works: ${answer.label}, ${answer.scopes.length} scopes` : answer.detail;
}

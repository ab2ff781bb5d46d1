/** Where the header leads, in its order. */
const LINKS: Readonly<Record<string, string>> = {
  '/docs': 'Reference',
  '/docs/getting-started': 'Getting started',
  '/docs/webhooks': 'Webhooks',
  '/docs/errors': 'Errors',
  '/docs/limits': 'Limits',
  '/docs/sandbox': 'Sandbox',
  '/docs/typescript': 'TypeScript',
  '/graphql': 'GraphiQL',
  '/openapi.json': 'OpenAPI',
};

export interface Page {
  readonly title: string;
  /** Its own path, which the header marks. */
  readonly path: string;
  /** HTML. */
  readonly body: string;
  /** Style sheets and scripts, by their addresses. */
  readonly styles: readonly string[];
  readonly scripts?: readonly string[];
}

/** A page of the documentation: all have the same head. */
export function htmlPage({ title, path, body, styles, scripts = [] }: Page): string {
  const links = Object.entries(LINKS).map(
    ([href, label]) => `<a href="${href}"${href === path ? ' aria-current="page"' : ''}>${label}</a>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Shipping Integrations API</title>
<link rel="icon" href="data:,">
${styles.map(href => `<link rel="stylesheet" href="${href}">`).join('\n')}
${scripts.map(src => `<script src="${src}" defer></script>`).join('\n')}
</head>
<body>
<header class="bar"><a href="/docs">Shipping Integrations API</a><nav>${links.join('')}</nav></header>
${body}
</body>
</html>
`;
}

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"]/g, character => ENTITIES[character] ?? character);
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** A sentence in which backticks set code apart, as HTML. */
export function prose(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}

/** Cells are HTML. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[], tag: string) =>
    `<tr>${cells.map(cell => `<${tag}>${cell}</${tag}>`).join('')}</tr>`;
  return `<table><thead>${row(heads, 'th')}</thead><tbody>${rows.map(cells => row(cells, 'td')).join('\n')}</tbody></table>`;
}

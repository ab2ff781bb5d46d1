import { FAULTS } from '../../platform/fault.ts';
import { SERVICE_VERSION } from '../../platform/service-version.ts';
import { assetPath } from './assets.ts';
import { type ReferenceEntry, referenceEntries } from './contract.ts';
import { escapeHtml } from './escape-html.ts';
import { guideGroups, type SourcePage } from './source-pages.ts';

/** A page of the documentation, with the common header and navigation. */
export interface Page {
  readonly title: string;
  /** Its own path, which the navigation marks. */
  readonly path: string;
  /** HTML. */
  readonly body: string;
  /** HTML of the column on the right: the table of contents. */
  readonly aside?: string;
  /** Scripts besides the ones that every page has, by their addresses. */
  readonly scripts?: readonly string[];
  /** Classic scripts that those use. */
  readonly libraries?: readonly string[];
  readonly styles?: readonly string[];
  /** Names the kind of page to the style sheet. */
  readonly kind?: 'home' | 'guide' | 'reference' | 'graphiql';
}

/** The elements with which the head of each page begins. */
export function headStart(title: string, styles: readonly string[]): string {
  return `<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · Shipping Integrations API</title>
<link rel="icon" type="image/svg+xml" href="${assetPath('icon.svg')}">
${[assetPath('docs.css'), ...styles].map(href => `<link rel="stylesheet" href="${href}">`).join('\n')}
<script src="${assetPath('theme.js')}"></script>`;
}

/** A page as HTML. Its navigation is made from the guides at every call. */
export function pageHtml(page: Page, pages: ReadonlyMap<string, SourcePage>): string {
  const { title, body, aside = '', scripts = [], libraries = [], styles = [], kind = 'guide' } = page;
  // Scalar makes the main element of its page itself.
  const tag = kind === 'reference' ? 'div' : 'main';
  return `<!doctype html>
<html lang="en">
<head>
${headStart(title, styles)}
${['docs.js', 'api-key.js', 'search.js'].map(name => `<script type="module" src="${assetPath(name)}"></script>`).join('\n')}
${libraries.map(src => `<script defer src="${src}"></script>`).join('\n')}
${scripts.map(src => `<script type="module" src="${src}"></script>`).join('\n')}
</head>
<body class="${kind}">
<a class="skip" href="#content">Skip to the content</a>
<header class="bar">
<button type="button" class="menu-button" aria-controls="navigation" aria-expanded="false"><span aria-hidden="true">☰</span><span class="sr">Navigation</span></button>
<a class="brand" href="/docs"><img src="${assetPath('icon.svg')}" alt="" width="24" height="24"><span>Shipping Integrations<span class="brand-rest"> API</span></span></a>
<nav class="links" aria-label="Main"><a href="/docs/getting-started">Guides</a><a href="/docs/reference">Reference</a><a href="/graphql">GraphiQL</a></nav>
<button type="button" class="search-button" aria-haspopup="dialog"><span class="search-label">Search</span><kbd>/</kbd></button>
<details class="key-menu"><summary><span class="dot" data-key-state></span><span class="key-label">API key</span></summary><div class="key-panel">${keyForm('header-key')}</div></details>
<button type="button" class="theme-button" aria-label="Switch between light and dark"><span aria-hidden="true">◐</span></button>
</header>
<div class="columns">
<nav class="navigation" id="navigation" aria-label="Documentation">${navigation(page.path, pages)}</nav>
<${tag} id="content" tabindex="-1">
${body}
</${tag}>
${aside === '' ? '' : `<aside class="toc" aria-label="On this page">${aside}</aside>`}
</div>
${versionFooter()}
<dialog class="search" aria-label="Search"><input type="text" enterkeyhint="search" aria-label="Search guides and reference" placeholder="Search guides and reference" autocomplete="off" spellcheck="false"><div class="results" role="status"></div></dialog>
</body>
</html>
`;
}

/** The end of every page, which names the version that serves it. */
export function versionFooter(): string {
  return `<footer class="version">Version ${escapeHtml(SERVICE_VERSION)}</footer>`;
}

interface KeyTexts {
  readonly label: string;
  readonly hint: string;
  /** The texts of `api-key.js` about the key, as JSON. */
  readonly states?: string;
}

const KEY_TEXTS: KeyTexts = {
  label: 'Your API key',
  hint: 'Fills the commands of the guides and the requests of the reference. It stays in this tab until you close it.',
};

/** The field for an API key; `api-key.js` checks it and fills the commands of all pages with it. */
export function keyForm(id: string, { label, hint, states = '{}' } = KEY_TEXTS): string {
  return `<form class="key-form" data-texts="${escapeHtml(states)}"><label for="${id}">${label}</label>
<input id="${id}" type="password" autocomplete="off" spellcheck="false" placeholder="sk_test_…">
<output for="${id}">${hint}</output></form>`;
}

function navigation(path: string, pages: ReadonlyMap<string, SourcePage>): string {
  const link = (href: string, label: string) =>
    `<li><a href="${href}"${href === path ? ' aria-current="page"' : ''}>${escapeHtml(label)}</a></li>`;
  const group = (title: string, items: string) => `<h2>${title}</h2>\n<ul>${items}</ul>`;
  const links = (listed: readonly SourcePage[]) => listed.map(guide => link(guide.path, guide.title)).join('');
  const guides = guideGroups(pages).map(({ title, guides: first, more }) => {
    const isOpen = more.some(guide => guide.path === path);
    const folded = (label: string) => `<li>${fold(label, `<ul>${links(more)}</ul>`, isOpen)}</li>`;
    return first.length === 0 ? `<ul>${folded(title)}</ul>` : group(title, links(first) + folded('More'));
  });
  const isReference = path === '/docs/reference';
  const reference = [
    link('/docs/reference', 'REST reference'),
    `<li>${fold('Operations', operations(), isReference)}</li>`,
    link('/graphql', 'GraphiQL'),
    link('/openapi.json', 'OpenAPI document'),
    link('/schema.graphql', 'GraphQL schema'),
    link('/tariff.schema.json', 'Tariff schema'),
  ];
  const problems = Object.keys(FAULTS).map(code => link(`/problems/${code}`, code));
  return `${guides.join('\n')}
${group('Reference', reference.join(''))}
${group('Problems', `<li>${fold('All codes', `<ul class="codes">${problems.join('')}</ul>`, path.startsWith('/problems/'))}</li>`)}
${group('Versions', link('/docs/changelog', 'Changelog'))}`;
}

function operations(): string {
  const byTag = Map.groupBy(referenceEntries(), ({ tag }) => tag);
  const item = ({ address, method, summary }: ReferenceEntry) =>
    `<li><a href="${address}"><span class="method ${method.toLowerCase()}">${method}</span><span>${escapeHtml(summary.replaceAll('`', ''))}</span></a></li>`;
  return [...byTag].map(([tag, entries]) => `<h3>${tag}</h3><ul>${entries.map(item).join('')}</ul>`).join('');
}

function fold(title: string, html: string, isOpen: boolean): string {
  return `<details${isOpen ? ' open' : ''}><summary>${title}</summary>${html}</details>`;
}

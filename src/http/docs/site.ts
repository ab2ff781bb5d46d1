import { readFileSync } from 'node:fs';
import type { FaultCode } from '../../platform/fault.ts';
import { FAULTS } from '../../platform/fault.ts';
import { servedContract } from './contract.ts';
import { escapeHtml } from './escape-html.ts';
import { graphiQLPage } from './graphiql-page.ts';
import { homeBody, type ShownQuote } from './home-page.ts';
import { llmsFull, llmsList } from './llms.ts';
import { CONTRACTS, projectFile } from './navigation.ts';
import { type Page, pageHtml } from './page-layout.ts';
import { problemMarkdown } from './problem-pages.ts';
import { referencePage } from './reference-page.ts';
import { renderMarkdown, type Section } from './render-markdown.ts';
import { searchIndex } from './search-index.ts';
import { plainMarkdown, readSourcePages } from './source-pages.ts';

/** The documentation of a service at its address. Each text is made at the first request, and cached. */
export class Site {
  readonly #publicUrl: string;
  readonly #pages: ReturnType<typeof readSourcePages>;
  readonly #made = new Map<string, string>();
  #home: { readonly live: readonly ShownQuote[] | undefined; readonly html: string } | undefined;
  #index: Promise<string> | undefined;

  constructor(publicUrl: string) {
    this.#publicUrl = publicUrl;
    this.#pages = readSourcePages(publicUrl);
  }

  /** @param live the demo's quote, which stays the same object until it is priced again */
  home(live: readonly ShownQuote[] | undefined): string {
    if (this.#home === undefined || this.#home.live !== live) {
      const body = homeBody(this.#pages, this.#publicUrl, live);
      this.#home = { live, html: this.#html({ title: 'Documentation', path: '/docs', kind: 'home', body }) };
    }
    return this.#home.html;
  }

  reference(): string {
    return this.#once('/docs/reference', () => this.#html(referencePage()));
  }

  graphiQL(): string {
    return this.#once('/graphql', () => this.#html(graphiQLPage()));
  }

  /** @returns undefined for an unknown page */
  guide(name: string): string | undefined {
    const page = this.#pages.get(name);
    return page && this.#once(page.path, () => this.#article(page.text, page));
  }

  guideMarkdown(name: string): string | undefined {
    const page = this.#pages.get(name);
    return page && this.#once(`${page.path}.md`, () => plainMarkdown(page));
  }

  problem(code: FaultCode): string {
    const path = `/problems/${code}`;
    const page = { title: FAULTS[code].title, path, file: '' };
    return this.#once(path, () => this.#article(problemMarkdown(code, this.#publicUrl), page));
  }

  notFound(): string {
    return this.#once('not found', () =>
      this.#html({
        title: 'Page not found',
        path: '',
        body: `<article class="prose"><h1>Page not found</h1>
<p>The documentation has no page at this address. The navigation lists all pages, and the search finds their sections.</p>
<p><a href="/docs">Go to the documentation</a></p></article>`,
      }),
    );
  }

  openapi(): string {
    return this.#once('/openapi.json', () => servedContract(this.#publicUrl));
  }

  contract(path: keyof typeof CONTRACTS): string {
    return this.#once(path, () => readFileSync(projectFile(CONTRACTS[path].file), 'utf8'));
  }

  llms(): string {
    return this.#once('/llms.txt', () => llmsList(this.#pages, this.#publicUrl));
  }

  llmsFull(): string {
    return this.#once('/llms-full.txt', () => llmsFull(this.#pages));
  }

  searchIndex(): Promise<string> {
    this.#index ??= searchIndex(this.#pages);
    return this.#index;
  }

  #once(name: string, make: () => string): string {
    const text = this.#made.get(name) ?? make();
    this.#made.set(name, text);
    return text;
  }

  #article(text: string, { title, path, file }: { title: string; path: string; file: string }): string {
    const { html, sections } = renderMarkdown(text, file);
    return this.#html({ title, path, body: `<article class="prose">${html}</article>`, aside: contents(sections) });
  }

  #html(page: Page): string {
    return pageHtml(page, this.#pages);
  }
}

/** The table of contents of a page. */
function contents(sections: readonly Section[]): string {
  const listed = sections.filter(({ level, isTab }) => (level === 2 || level === 3) && !isTab);
  if (listed.length < 2) return '';
  const items = listed.map(
    ({ level, id, title }) => `<li class="level-${level}"><a href="#${id}">${escapeHtml(title)}</a></li>`,
  );
  return `<h2>On this page</h2><ul>${items.join('')}</ul>`;
}

import MarkdownIt, { type Token } from 'markdown-it';
import anchor from 'markdown-it-anchor';
import { codeBlock } from './code-blocks.ts';
import { servedLink } from './served-links.ts';
import { tabs } from './tabs.ts';

/** A heading, and the text up to the next one. */
export interface Section {
  readonly level: number;
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly isTab: boolean;
}

export interface RenderedPage {
  readonly html: string;
  /** In their order; the first one has the text before any other heading. */
  readonly sections: readonly Section[];
}

const markdown = new MarkdownIt({ html: true })
  .use(anchor, {
    slugify,
    tabIndex: false,
    permalink: anchor.permalink.linkInsideHeader({
      class: 'anchor',
      symbol: '#',
      space: false,
      renderAttrs: () => ({ 'aria-label': 'Link to this section' }),
    }),
    level: [2, 3, 4],
  })
  .use(tabs);

const { rules } = markdown.renderer;
rules.fence = (tokens, index) => codeBlock(tokens[index]?.content ?? '', tokens[index]?.info.trim() ?? '');
// A wide table scrolls by itself, with the keyboard too.
rules.table_open = () => '<div class="table" tabindex="0"><table>\n';
rules.table_close = () => '</table></div>\n';

markdown.core.ruler.push('served links', ({ tokens, env }) => {
  for (const { children } of tokens) if (children) leadToPages(children, String(env.file));
});

// On a small screen each cell is below the last one, with the head of its column as its label.
markdown.core.ruler.push('labels of cells', ({ tokens }) => {
  let heads: string[] = [];
  let column = 0;
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'thead_open') heads = [];
    else if (token.type === 'th_open') heads.push(plain(tokens[index + 1]));
    else if (token.type === 'tr_open') column = 0;
    else if (token.type === 'td_open') {
      const head = heads[column++];
      if (head) token.attrSet('data-label', head);
    }
  }
});

/** The anchor that GitHub gives a heading, so that links to it work in both places. */
export function slugify(title: string): string {
  return title
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
}

/** @param file the file of the text, from the root of the project, for its links */
export function renderMarkdown(text: string, file: string): RenderedPage {
  const env = { file };
  const tokens = markdown.parse(text, env);
  return { html: markdown.renderer.render(tokens, markdown.options, env), sections: sectionsOf(tokens) };
}

/** The sections of a page, without rendering. */
export function readSections(text: string, file: string): Section[] {
  return sectionsOf(markdown.parse(text, { file }));
}

/** A sentence with code and links in it, as HTML. */
export function renderInline(text: string): string {
  return markdown.renderInline(text, { file: '' });
}

function leadToPages(children: Token[], file: string): void {
  let isDropped = false;
  for (const token of children) {
    if (token.type === 'link_open') {
      const href = String(token.attrGet('href') ?? '');
      const link = servedLink(file, href);
      isDropped = link === undefined;
      if (link !== undefined) token.attrSet('href', link);
    }
    // A link to a file that the service does not show becomes plain text.
    if (isDropped && (token.type === 'link_open' || token.type === 'link_close')) {
      isDropped = token.type === 'link_open';
      Object.assign(token, { type: 'text', tag: '', content: '', nesting: 0 });
    }
  }
}

function sectionsOf(tokens: readonly Token[]): Section[] {
  const found: { level: number; id: string; title: string; isTab: boolean; text: string[] }[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const isTab = token.meta?.isInTabs === true;
      const title = plain(tokens[index + 1]);
      found.push({ level: Number(token.tag.slice(1)), id: String(token.attrGet('id') ?? ''), title, isTab, text: [] });
    } else if (token.type === 'inline' && tokens[index - 1]?.type !== 'heading_open') {
      found.at(-1)?.text.push(plain(token));
    } else if (token.type === 'fence') {
      found.at(-1)?.text.push(token.content);
    }
  }
  return found.map(section => ({ ...section, text: section.text.join(' ') }));
}

function plain(token: Token | undefined): string {
  const texts = (token?.children ?? []).filter(({ type }) => type === 'text' || type === 'code_inline');
  return texts
    .map(({ content }) => content)
    .join('')
    .trim();
}

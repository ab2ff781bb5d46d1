import type { MarkdownIt, StateCore, Token } from 'markdown-it';

/**
 * Tabs: between `<!-- tabs -->` and `<!-- /tabs -->`, each heading of the third level starts a tab; other viewers see
 * it as a section. Other comments are for authors, and are left out.
 */
export function tabs(markdown: MarkdownIt): void {
  markdown.core.ruler.push('tabs', state => {
    const kept: Token[] = [];
    let isInTabs = false;
    let isInTab = false;
    const html = (content: string) => kept.push(htmlToken(state, content));
    for (const token of state.tokens) {
      const comment = token.type === 'html_block' ? commentIn(token.content) : undefined;
      if (comment === 'tabs') {
        html('<div class="tabs">');
        isInTabs = true;
      } else if (comment === '/tabs') {
        html(isInTab ? '</section></div>' : '</div>');
        isInTabs = false;
        isInTab = false;
      } else if (comment === undefined) {
        if (isInTabs && token.type === 'heading_open' && token.tag === 'h3') {
          html(isInTab ? '</section><section class="tab">' : '<section class="tab">');
          isInTab = true;
        }
        // For the table of contents, which leaves tabs out.
        if (isInTabs) token.meta = { ...token.meta, isInTabs };
        kept.push(token);
      }
    }
    state.tokens = kept;
  });
}

function commentIn(html: string): string | undefined {
  const text = html.trim();
  return text.startsWith('<!--') && text.endsWith('-->') ? text.slice(4, -3).trim() : undefined;
}

function htmlToken(state: StateCore, content: string): Token {
  const token = new state.Token('html_block', '', 0);
  token.content = `${content}\n`;
  return token;
}

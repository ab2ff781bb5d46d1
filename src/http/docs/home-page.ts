import { keyForm } from './page-layout.ts';
import { renderInline } from './render-markdown.ts';
import { guideGroups, type SourcePage } from './source-pages.ts';

const STARTS = [
  ['/docs/getting-started', 'Getting started', 'From an API key to a quote, a tracked shipment and a webhook.'],
  ['/docs/reference', 'REST reference', 'Every operation with recorded responses. Try it with your key.'],
  ['/docs/graphql', 'GraphQL', 'Nested reads, explained prices, and the mutations that send data.'],
  ['/docs/webhooks', 'Webhooks', 'Signed requests when a shipment moves, with samples that verify them.'],
] as const;

/** `/docs`: an introduction, and all guides by reader. */
export function homeBody(pages: ReadonlyMap<string, SourcePage>): string {
  const card = ([href, title, text]: (typeof STARTS)[number]) =>
    `<a class="card" href="${href}"><strong>${title}</strong><span>${text}</span></a>`;
  const groups = guideGroups(pages).map(({ title, guides, more }) => {
    const items = [...guides, ...more].map(
      guide => `<li><a href="${guide.path}">${guide.title}</a><span>${firstSentence(guide)}</span></li>`,
    );
    return `<section><h2>${title}</h2><ul class="guides">${items.join('')}</ul></section>`;
  });
  return `<div class="prose"><h1>Shipping Integrations API</h1>
<p class="lead">One HTTP API between your systems and your carriers. Get prices of all carriers, follow each shipment, check delivery addresses, and receive signed webhooks when a shipment moves, over REST or GraphQL.</p>
<div class="key-card">${keyForm('home-key')}</div>
<div class="cards">${STARTS.map(card).join('')}</div>
${groups.join('\n')}</div>`;
}

/** Without links, because the item itself is a link. */
function firstSentence({ summary }: SourcePage): string {
  const text = summary.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('\n', ' ');
  return renderInline(/^.*?[.:](?= |$)/.exec(text)?.[0].replace(/:$/, '.') ?? text);
}

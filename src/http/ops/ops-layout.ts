import { assetPath } from '../docs/assets.ts';
import { headStart, versionFooter } from '../docs/page-layout.ts';

/** The frame of the pages below `/ops`. */

interface OpsPage {
  readonly title: string;
  /** The word beside the icon, and the address of the page. */
  readonly brand: string;
  readonly path: string;
  /** Class names of the body besides `ops`. */
  readonly className?: string;
  /** Elements of the head after the style and scripts of every page. */
  readonly head: readonly string[];
  /** The links of the bar, as HTML. */
  readonly links: string;
  /** The content, as HTML. */
  readonly content: string;
  readonly lang?: string;
  readonly skip?: string;
  /** The name of the button that switches the colours. */
  readonly theme?: string;
}

export function opsPage({ title, brand, path, className, head, links, content, ...texts }: OpsPage): string {
  const { lang = 'en', skip = 'Skip to the content', theme = 'Switch between light and dark' } = texts;
  return `<!doctype html>
<html lang="${lang}">
<head>
${headStart(title, [assetPath('ops.css')])}
${head.join('\n')}
</head>
<body class="${className === undefined ? 'ops' : `ops ${className}`}">
<a class="skip" href="#content">${skip}</a>
<header class="bar">
<a class="brand" href="${path}"><img src="${assetPath('icon.svg')}" alt="" width="24" height="24"><span>${brand}</span></a>
<nav class="links" aria-label="Main">${links}</nav>
<button type="button" class="theme-button" aria-label="${theme}"><span aria-hidden="true">◐</span></button>
</header>
<main id="content" tabindex="-1">
${content}
</main>
${versionFooter()}
</body>
</html>
`;
}

import { assetPath } from './assets.ts';
import type { Page } from './page-layout.ts';

/** The REST reference, which Scalar renders in the browser. */
export function referencePage(): Page {
  return {
    title: 'REST reference',
    path: '/docs/reference',
    kind: 'reference',
    body: `<h1 class="sr">REST reference</h1>
<noscript><p>The reference needs JavaScript. <a href="/openapi.json">The OpenAPI document</a> has the same content.</p></noscript>
<div id="reference" data-scalar="${assetPath('scalar.js')}"></div>`,
    scripts: [assetPath('reference.js')],
  };
}

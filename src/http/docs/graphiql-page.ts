import { EXAMPLES } from '../../graphql/graphiql.ts';
import { assetPath } from './assets.ts';
import { escapeHtml } from './escape-html.ts';
import type { Page } from './page-layout.ts';

/** Monaco's workers, by the names of its requests. */
const WORKERS = {
  editorWorkerService: 'monaco-editor.worker.js',
  json: 'monaco-json.worker.js',
  graphql: 'monaco-graphql.worker.js',
};

/** GraphiQL in the shell of the documentation, which has the field for the key. */
export function graphiQLPage(): Page {
  const settings = {
    tabs: EXAMPLES.map(query => ({ query })),
    workers: Object.fromEntries(Object.entries(WORKERS).map(([label, name]) => [label, assetPath(name)])),
  };
  return {
    title: 'GraphiQL',
    path: '/graphql',
    kind: 'graphiql',
    body: `<h1 class="sr">GraphiQL</h1>
<noscript><p>GraphiQL needs JavaScript. <a href="/schema.graphql">The schema</a> does not.</p></noscript>
<div id="graphiql" data-settings="${escapeHtml(JSON.stringify(settings))}"></div>`,
    styles: [assetPath('graphiql-bundle.css'), assetPath('graphiql.css')],
    // A deferred script and modules run in their order.
    libraries: [assetPath('graphiql-bundle.js')],
    scripts: [assetPath('graphiql.js')],
  };
}

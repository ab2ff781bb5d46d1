import { assetPath } from '../docs/assets.ts';
import { escapeHtml } from '../docs/escape-html.ts';
import { opsPage } from './ops-layout.ts';

/** A part of the status, as the page shows it. */
export interface OpsSection {
  readonly title: string;
  readonly summary: string;
  readonly isAlarming: boolean;
  readonly rows: readonly Readonly<Record<string, string | number>>[];
}

/** The page of operators. `ops.js` reloads its content every few seconds; without scripts the browser reloads it. */
export function statusPage(sections: readonly OpsSection[] | undefined, hasDocs: boolean): string {
  const content = `<h1>Operations</h1>
<p class="ops-time">As of ${new Date().toISOString().slice(0, 19).replace('T', ' ')} UTC. The page refreshes itself every 5 seconds.</p>
<p class="ops-state" role="status"></p>
<div class="ops-content">
${sections === undefined ? sectionHtml(NO_RESPONSE) : sections.map(sectionHtml).join('\n')}
</div>`;
  return opsPage({
    title: 'Operations',
    brand: 'Operations',
    path: '/ops',
    head: [
      '<noscript><meta http-equiv="refresh" content="5"></noscript>',
      `<script type="module" src="${assetPath('ops.js')}"></script>`,
    ],
    links: `<a href="/ops/jobs">Jobs</a>${hasDocs ? '<a href="/ops/import">Import</a><a href="/docs/running">Guide</a>' : ''}`,
    content,
  });
}

const NO_RESPONSE: OpsSection = {
  title: 'Database',
  summary: 'The database does not respond.',
  isAlarming: true,
  rows: [],
};

function sectionHtml({ title, summary, isAlarming, rows }: OpsSection): string {
  const mark = isAlarming ? '<span aria-hidden="true">⚠ </span><span class="sr">Needs attention: </span>' : '';
  return `<section${isAlarming ? ' class="alarming"' : ''}>
<h2>${mark}${escapeHtml(title)}</h2>
<p>${escapeHtml(summary)}</p>
${rows.length === 0 ? '' : tableHtml(title, rows)}
</section>`;
}

function tableHtml(title: string, rows: OpsSection['rows']): string {
  const names = Object.keys(rows[0] ?? {});
  const head = names.map(name => `<th scope="col">${escapeHtml(name)}</th>`).join('');
  const body = rows.map(row => `<tr>${names.map(name => cellHtml(row[name] ?? '')).join('')}</tr>`).join('\n');
  // It may be wider than a small screen, so it scrolls with the keyboard too.
  return `<div class="table" tabindex="0" role="region" aria-label="${escapeHtml(title)}"><table>
<thead><tr>${head}</tr></thead>
<tbody>
${body}
</tbody>
</table></div>`;
}

function cellHtml(value: string | number): string {
  return typeof value === 'number' ? `<td class="number">${value}</td>` : `<td>${escapeHtml(value)}</td>`;
}

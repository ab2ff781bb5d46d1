import type { SeenJob } from './pgboss-tables.ts';

/**
 * The page of one job. pg-boss' dashboard has one too, but it starts a pg-boss of its own, which rejects tables of
 * another version than its own.
 */

/** The path of a job's page behind the path of the dashboard. */
const JOB_PATH = /^\/queues\/([^/]+)\/jobs\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

/** The queue and the id that a path names; undefined for any other path. */
export function jobOfPath(path: string): { readonly queue: string; readonly id: string } | undefined {
  const [, queue, id] = JOB_PATH.exec(path) ?? [];
  return queue === undefined || id === undefined ? undefined : { queue: decodeURIComponent(queue), id };
}

/**
 * Lets the links of the dashboard to a job load its page: the dashboard would follow them by a script, which asks its
 * own page for the data.
 */
export const JOB_LINKS = `<script>addEventListener('click',e=>{const a=e.target.closest&&e.target.closest('a[href]');if(a&&/\\/queues\\/[^/]+\\/jobs\\/[0-9a-f-]{36}$/.test(new URL(a.href).pathname)&&!e.ctrlKey&&!e.metaKey&&e.button===0){e.preventDefault();e.stopImmediatePropagation();location.assign(a.href)}},true)</script>`;

export function jobPage({ basePath, job }: { readonly basePath: string; readonly job: SeenJob }): string {
  const { data, ...fields } = job;
  const rows = Object.entries(fields).map(([name, value]) => {
    const shown = value instanceof Date ? value.toISOString() : (value ?? '–');
    return `<tr><th scope="row">${name}</th><td>${escaped(String(shown))}</td></tr>`;
  });
  const queue = `${basePath}/queues/${encodeURIComponent(job.queue)}`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Job ${job.id}</title>
<style>body{font:16px/1.5 system-ui,sans-serif;margin:2rem;max-width:60rem}th{text-align:left;padding-right:2rem;vertical-align:top}pre{overflow:auto}</style></head>
<body><p><a href="${basePath}">Jobs</a> · <a href="${escaped(queue)}">${escaped(job.queue)}</a></p>
<h1>Job ${job.id}</h1>
<table>${rows.join('\n')}</table>
<h2>Data</h2>
<pre>${escaped(JSON.stringify(data, null, 2))}</pre>
</body></html>
`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, sign => `&#${sign.charCodeAt(0)};`);
}

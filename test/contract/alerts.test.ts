import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { slugify } from '../../src/http/docs/render-markdown.ts';

/** The alert rules: they use metrics that exist, and lead to what an operator can do. */

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: { readonly summary: string; readonly runbook: string };
}

const path = (file: string) => fileURLToPath(new URL(`../../${file}`, import.meta.url));
const read = (file: string) => readFileSync(path(file), 'utf8');
const rules = (parse(read('schema/ops/alerts.yml')) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  group => group.rules,
);
const guide = read('src/docs/running.md');
const runbook = read('src/docs/runbook.md');
const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

test.each(rules)('The alert $alert uses metrics that the guide lists', ({ expr }) => {
  const documented = new Set([...guide.matchAll(/`((?:shipping|nodejs|process)_\w+)`/g)].map(([, name]) => name));
  const used = [...expr.matchAll(/\b(?:shipping|nodejs|process)_\w+/g)].map(([name]) =>
    documented.has(name) ? name : name.replace(/_(?:bucket|count|sum)$/, ''),
  );
  expect(used.filter(name => !documented.has(name))).toEqual([]);
});

test.each(rules)('The alert $alert leads to a section of the runbook', ({ annotations }) => {
  const sections = [...runbook.matchAll(/^## (.+)$/gm)].map(([, title = '']) => slugify(title));
  expect(sections.map(section => `runbook.md#${section}`)).toContain(annotations.runbook);
});

test.each(rules)('The alert $alert is in the table of the guide, with its severity', ({ alert, labels }) => {
  expect(guide).toMatch(new RegExp(`^\\| \`${alert}\` \\| .* \\| ${labels.severity} \\|$`, 'm'));
});

test('Each alert has a unit test, which promtool runs where it is installed', () => {
  const tests = parse(read('schema/ops/alerts.test.yml')) as { tests: { name: string }[] };
  expect(tests.tests.map(({ name }) => name).toSorted()).toEqual(rules.map(({ alert }) => alert).toSorted());
  if (hasPromtool) execFileSync('promtool', ['test', 'rules', path('schema/ops/alerts.test.yml')], { stdio: 'pipe' });
});

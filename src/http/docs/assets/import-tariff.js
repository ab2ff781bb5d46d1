// A price list on the page of imports: what it changes, the draft, and its publication.

import { ask } from './import-graph.js';
import { button, el, facts, table } from './import-view.js';

/** A workbook states its columns itself. */
export const tariffSteps = { check };

async function check({ file, connection }, _mapping, act) {
  const { tariffDiff } = await ask('importTariff', { file, connection, dryRun: true });
  const keep = () => act.run('Keeping the draft …', () => kept({ file, connection }, act));
  return [
    el('h2', {}, '3. Check'),
    el('p', { className: 'good' }, 'The workbook is a tariff.'),
    ...changesOf(tariffDiff),
    el('p', {}, 'A draft is not priced by until it is published.'),
    button('Keep it as a draft', keep, 'main'),
  ];
}

function changesOf({ from, changes: { totalCount, nodes } }) {
  if (from === null) return [el('p', {}, 'The connection has no tariff yet: nothing is replaced.')];
  if (totalCount === 0) return [el('p', {}, 'It says the same as the tariff in force.')];
  return [
    el('p', {}, `It differs from revision ${from.number} in ${totalCount} ${totalCount === 1 ? 'place' : 'places'}:`),
    table(
      'Changes',
      ['Change'],
      nodes.map(({ text }) => [text]),
    ),
  ];
}

async function kept(sent, act) {
  const { tariffRevision } = await ask('importTariff', { ...sent, dryRun: false });
  const { id, name } = tariffRevision;
  const publish = () => act.run('Publishing …', () => published(id));
  return [el('h2', {}, '4. Draft'), facts([['Name', name]]), button('Publish it now', publish, 'main')];
}

async function published(id) {
  const { tariffRevision } = await ask('publishTariff', { id });
  const { name, number } = tariffRevision;
  return [
    el('h2', {}, '5. Published'),
    facts([
      ['Name', name],
      ['Revision', number],
    ]),
    el('p', { className: 'good' }, 'Quotes use it from now on.'),
  ];
}

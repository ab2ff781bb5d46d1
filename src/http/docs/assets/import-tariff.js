// A price list on the page of imports: what it changes, the draft, and its publication.

import { ask } from './import-graph.js';
import { button, confirmed, el, facts, p, table } from './import-view.js';
import { inParts, inWords, LANGUAGE, say } from './import-words.js';

/** A workbook states its columns itself. */
export const tariffSteps = { scope: 'carriers:manage', check };

async function check({ file, connection }, _mapping, act) {
  const sent = { file, connection, language: LANGUAGE };
  const { tariffDiff } = await ask('importTariff', { ...sent, dryRun: true });
  const { from, changes, warnings } = tariffDiff;
  const publish = async () => {
    if (await replaces(tariffDiff)) await act.run(say('publishing'), async () => published((await draftOf(sent)).id));
  };
  const actions = el(
    'p',
    { className: 'actions once' },
    button(say('publish'), publish, 'main'),
    button(say('keep'), () => act.run(say('keeping'), () => kept(sent, tariffDiff, act))),
  );
  return [
    el('h2', {}, say('check')),
    p(say('isTariff'), 'good'),
    ...(warnings.length > 0
      ? [p(say('warnings')), el('ul', {}, ...warnings.map(({ message }) => el('li', {}, message)))]
      : []),
    ...changesOf(tariffDiff),
    ...(from !== null && changes.totalCount === 0 ? [] : [p(say('aboutDrafts')), actions]),
  ];
}

function changesOf({ from, changes: { totalCount, nodes }, samplePrices }) {
  if (from === null) return [p(say('replacesNothing'))];
  if (totalCount === 0) return [p(say('sameTariff', from.name))];
  const prices = (samplePrices?.prices ?? []).map(({ shipment, to, before, after }) => [
    inWords(shipment),
    to,
    before ?? '–',
    after ?? '–',
  ]);
  return [
    el('h3', {}, say('changes', totalCount, from.number, from.name)),
    table(
      say('differences'),
      [say('difference')],
      nodes.map(({ text }) => [inParts(text)]),
      nodes.length,
    ),
    ...(totalCount > nodes.length ? [p(say('andMore', totalCount - nodes.length))] : []),
    ...(prices.length > 0
      ? [
          el('h3', {}, say('samplePrices')),
          table(
            say('samplePrices'),
            ['parcel', 'to', 'before', 'after'].map(name => say(name)),
            prices,
          ),
        ]
      : []),
  ];
}

/** Asks before a tariff in force is replaced. */
async function replaces({ from, changes }) {
  if (from === null) return true;
  const details = [p(say('replaceDetails', from.name, from.number, changes.totalCount))];
  return confirmed(say('replaceQuestion'), details, say('replaceYes'));
}

async function draftOf(sent) {
  return (await ask('importTariff', { ...sent, dryRun: false })).tariffRevision;
}

async function kept(sent, tariffDiff, act) {
  const { id, name } = await draftOf(sent);
  const publish = async () => {
    if (await replaces(tariffDiff)) await act.run(say('publishing'), () => published(id));
  };
  return [
    el('h2', {}, say('draft')),
    facts([[say('name'), name]]),
    p(say('isKept'), 'good'),
    button(say('publish'), publish, 'main'),
  ];
}

async function published(id) {
  const { name, number } = (await ask('publishTariff', { id })).tariffRevision;
  const pairs = [
    [say('name'), name],
    [say('revision'), number],
  ];
  return [el('h2', {}, say('published')), facts(pairs), p(say('isInForce'), 'good')];
}

import { HOSTILE_WORKBOOKS, largeSharedText } from '../../support/hostile-workbooks.ts';
import { workbook } from '../../support/workbook.ts';
import { Attacker, document } from '../support/attacker.ts';
import type { Abuse, Arena, Attack } from './case.ts';

/** Small files that take much memory or time of a thread, from two companies, while a third one sends an ordinary file. */

/** Requests of each company at a time. */
const AT_ONCE = 9;

const TABLE = 'query ($file: TableFileInput!) { orderTable(input: { file: $file }) { name } }';
const sent = (bytes: Uint8Array) => document(TABLE, { file: { base64: Buffer.from(bytes).toString('base64') } });
const ORDINARY = workbook({
  Ordini: [
    ['Numero ordine', 'CAP'],
    ['A-1', '37137'],
  ],
});

const workbooks =
  (make: () => Uint8Array) =>
  async ({ world, service, attacker, attackMs }: Arena): Promise<Attack> => {
    const shot = sent(make());
    const ordinary = sent(ORDINARY);
    const second = new Attacker(service.url, await world.company('Second attacker'));
    const calm = new Attacker(service.url, await world.company('Calm'));
    // Starts both threads: what they take at rest is not memory of the attack.
    await Promise.all([second, calm].map(one => one.send(ordinary)));
    return async () => {
      const attacks = [attacker, second].map(one => one.keepSending([shot], AT_ONCE, attackMs));
      const times: number[] = [];
      const failures = new Set<string>();
      const endsAt = performance.now() + attackMs;
      while (performance.now() < endsAt) {
        const startedAt = performance.now();
        const { status, text } = await calm.send(ordinary);
        times.push(performance.now() - startedAt);
        if (status !== 200 || text.includes('"errors"'))
          failures.add(`the calm company got ${status} ${text.slice(0, 200)}`);
      }
      await Promise.all(attacks);
      await Promise.all([second.close(), calm.close()]);
      // Reported only: an attack runs at a low priority, and so does this process.
      const longest = Math.max(...times);
      return {
        figures: `${times.length} files of a calm company, ${longest.toFixed(0)} ms at most`,
        failures: [...failures],
      };
    };
  };

const hostile = (name: string) => () => {
  const found = HOSTILE_WORKBOOKS[name];
  if (!found) throw new Error(`There is no hostile workbook ${name}`);
  return found.file();
};

export const FILES: readonly Abuse[] = [
  { name: 'AH1 workbooks with 60 MB in one shared text', prepare: workbooks(() => largeSharedText(60)) },
  { name: 'AH1 workbooks with 40 MB of shared texts', prepare: workbooks(hostile('shared texts of 40 MB together')) },
  {
    name: 'AH2 workbooks with a format of 400,000 brackets',
    prepare: workbooks(hostile('a long format that each cell has')),
  },
];

import { afterAll } from 'vitest';
import { brt } from '../../src/sandbox/brt-stand-in.ts';
import { gls } from '../../src/sandbox/gls-stand-in.ts';
import { startSandbox } from '../../src/sandbox/stand-ins.ts';
import { ask } from '../support/platform-side.ts';
import { REACHABLE } from '../support/receiver.ts';
import { type Caller, useWorld } from '../support/world.ts';
import { usePolls } from './polls.ts';

/** Numbers with one of these in them have left a depot at a time that can't be read, or in 2098. */
const SPOILT = { MALFORMED: '99/99/99', FUTURE: '01/01/98' } as const;

interface Poll {
  readonly number: string;
  readonly misses: number;
  /** How long after the last poll the next one comes; null before the first. */
  readonly waitMs: number | null;
}

/** A world whose carriers are stand-ins, which count what they are asked. */
export async function usePolledCarriers() {
  /** Every question that the carriers were asked, by tracking number. */
  const asked: string[] = [];

  /** A carrier's stand-in that is counted, and spoils the date of its third event where it is asked to. */
  function counting(carrier: typeof gls, spoil: (body: string, date: string) => string): typeof gls {
    return {
      ...carrier,
      answer(request) {
        const numbers: string[] = [];
        const journey = (number: string) => {
          numbers.push(number);
          return request.journey(number);
        };
        const answer = carrier.answer({ ...request, journey });
        asked.push(...numbers);
        const [, date] = Object.entries(SPOILT).find(([word]) => numbers.some(number => number.includes(word))) ?? [];
        return date === undefined ? answer : { ...answer, body: spoil(answer.body.toString('latin1'), date) };
      },
    };
  }

  const sandbox = await startSandbox({
    carriers: [
      counting(gls, (body, date) => body.replace(/<Data>[^<]*(?=(?:(?!<Data>).)*BOLOGNA)/s, `<Data>${date}`)),
      counting(brt, body => body.replace(/(?<="id":"702","data":")[^"]*/, '99.99.9999')),
    ],
  });
  const env = { ...REACHABLE, CARRIER_SANDBOX_URL: sandbox.url };
  const world = useWorld(env);
  afterAll(() => sandbox.close());

  /** Carriers are asked about the number itself, however it is typed. */
  const plain = (number: string) => number.toUpperCase().replace(/[ .]/g, '').replace(/^MUL/, '');

  const timesAsked = (number: string) => asked.filter(one => one === plain(number)).length;

  function update(caller: Caller, carrierConnectionId: number, input: object): Promise<object> {
    return ask(
      caller,
      `mutation ($input: UpdateCarrierConnectionInput!) {
        updateCarrierConnection(input: $input) { carrierConnection { databaseId } userErrors { code pointer message } }
      }`,
      { input: { id: carrierConnectionId, ...input } },
    );
  }

  /** The polled shipments of a company, by tracking number. */
  async function followed({ companyId }: Caller): Promise<Poll[]> {
    const { rows } = await world.pool.query<Poll>(
      `select s.tracking_number as number, p.misses, (extract(epoch from p.due_at - p.polled_at) * 1000)::float8 as "waitMs"
        from tracking_poll p join shipment s on s.company_id = p.company_id and s.id = p.shipment_id
        where p.company_id = $1 order by 1`,
      [companyId],
    );
    return rows;
  }

  return { world, env, asked, timesAsked, update, followed, ...usePolls(world) };
}

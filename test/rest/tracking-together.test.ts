import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { connectCarrier, feedOrders, feedShipments } from '../support/platform-side.ts';
import { runs } from '../support/property-runs.ts';
import { statementsOf } from '../support/statements.ts';
import { type Caller, useWorld } from '../support/world.ts';

// Requests of many companies that arrive together are answered from the rows of one statement.

const world = useWorld({ ROLE: 'api' });
const COMPANIES = 8;
/** Shipments that every company has, under the same numbers as the others. */
const SHARED = 3;

interface Company {
  readonly caller: Caller;
  readonly name: string;
}
let companies: Company[];

beforeAll(async () => {
  companies = await Promise.all(
    Array.from({ length: COMPANIES }, async (_, i) => {
      const caller = await world.company();
      const brt = await connectCarrier(caller, 'BRT');
      const name = `C${i}`;
      await feedOrders(caller, { orderNumber: `${name}-1`, marketplaceOrderNumber: 'M-1' });
      const shared = Array.from({ length: SHARED }, (_, n) => ({
        trackingNumber: `SHARED${n}`,
        reference: `REF${n}`,
        recipient: recipient(`${name} ${n}`),
      }));
      await feedShipments(caller, brt, ...shared, {
        trackingNumber: `OWN${i}`,
        recipient: recipient(name),
        orderNumber: `${name}-1`,
      });
      return { caller, name };
    }),
  );
});

const recipient = (companyName: string) => ({
  companyName,
  address: 'Via Po 1',
  postalCode: '10121',
  city: 'Torino',
  province: 'TO',
  countryCode: 'IT',
});

/** The request of a company, and the recipient that the response must name; none if it lacks the shipment. */
interface Question {
  readonly asker: number;
  readonly number: string;
  readonly by: 'main number' | 'order number' | 'graph';
  readonly finds: (asker: number) => string | undefined;
}

const shared = (prefix: string) =>
  fc.nat(SHARED - 1).map(n => ({ number: `${prefix}${n}`, finds: (asker: number) => `C${asker} ${n}` }));
const numbers = fc.oneof(
  shared('SHARED'),
  // A rank after the main number.
  shared('REF'),
  fc
    .nat(COMPANIES - 1)
    .map(owner => ({ number: `OWN${owner}`, finds: (asker: number) => (asker === owner ? `C${owner}` : undefined) })),
  fc.constant({ number: 'NOBODYS', finds: () => undefined }),
);
const question: fc.Arbitrary<Question> = fc
  .tuple(fc.nat(COMPANIES - 1), fc.constantFrom('main number', 'order number', 'graph'), numbers)
  .map(([asker, by, asked]) =>
    by === 'order number'
      ? { asker, by, number: 'M-1', finds: company => `C${company}` }
      : { asker, by: by as Question['by'], ...asked },
  );

async function answerTo({ asker, number, by }: Question): Promise<string | undefined> {
  const { caller } = companies[asker] as Company;
  if (by === 'graph') {
    const { data } = await caller.graphql<{ trackingByNumber: { recipient: { companyName: string } } | null }>(
      'query Q($number: String!) { trackingByNumber(trackingNumber: $number) { recipient { companyName } } }',
      { number },
    );
    return data?.trackingByNumber?.recipient.companyName;
  }
  const face = by === 'order number' ? 'by-order-number' : 'by-tracking-number';
  const { status, body } = await caller.rest('GET', `/shipments/tracking/${face}/${number}`);
  if (status === 404) return undefined;
  return (by === 'order number' ? body[0] : body).recipient.companyName;
}

test('A company whose requests are read together with others’ finds its own shipments alone', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(question, { minLength: 10, maxLength: 40 }), async questions => {
      const answers = await Promise.all(questions.map(answerTo));
      expect(answers).toEqual(questions.map(({ finds, asker }) => finds(asker)));
    }),
    { numRuns: runs(15) },
  );
});

test('Requests that arrive together are read by fewer statements than there are requests', async () => {
  const statements = await statementsOf(world, () =>
    Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        answerTo({ asker: i % COMPANIES, number: 'SHARED0', by: 'main number', finds: () => undefined }),
      ),
    ),
  );
  expect(new Set(statements)).toEqual(new Set(['tracking-by-main-number']));
  expect(statements.length).toBeLessThan(40);
});

import { setImmediate as nextTurn } from 'node:timers/promises';
import { GraphQLList, GraphQLNonNull, GraphQLObjectType, GraphQLSchema, parse, validate } from 'graphql';
import type { RequestContext } from '../../graphql/context.ts';
import { faultOf } from '../../graphql/errors.ts';
import { compileRestOperation, type Operation } from '../../graphql/operation.ts';
import { schema } from '../../graphql/schema.ts';
import { Fault } from '../../platform/fault.ts';
import { Work } from '../../platform/limits/work.ts';
import { ENDPOINTS, type Endpoint } from './endpoints.ts';
import { TRACKING_RECORD } from './operations.ts';

/** The part of a request's context that a tracking record needs: the rest comes with the shipment. */
type RecordContext = Pick<RequestContext, 'work' | 'publicUrl' | 'promises'> & {
  readonly shipments: readonly object[];
};

/** Projected in one turn of the event loop, a millisecond or two. */
const AT_ONCE = 25;

// The data were read already, with bounds: exceeding this is an error of the service.
const ALLOWANCE = { units: 5_000_000, characters: 50_000_000 };

const trackByNumber = ENDPOINTS.find(({ operation }) => operation === 'trackByNumber') as Endpoint;

let compiled: Operation['run'] | undefined;

/**
 * Projects shipments that were read already, like REST: with the fragment, types and shape of the tracking endpoints,
 * compiled with the first call. It needs no request and no scope, because it is for webhooks of the company itself.
 */
export async function trackingRecords<Shown extends object>(
  shipments: readonly object[],
  publicUrl: string,
  promises: RequestContext['promises'],
): Promise<readonly Shown[]> {
  compiled ??= compile();
  const records: Shown[] = [];
  for (let at = 0; at < shipments.length; at += AT_ONCE) {
    if (at > 0) await nextTurn();
    const work = new Work('records', ALLOWANCE, () => new Fault('internal_error'));
    const context: RecordContext = { work, publicUrl, promises, shipments: shipments.slice(at, at + AT_ONCE) };
    const { data, errors } = await compiled(context as unknown as RequestContext, {});
    if (errors?.[0]) throw faultOf(errors[0]);
    const shown = (data as { shipments: object[] }).shipments;
    records.push(...shown.map(record => trackByNumber.shape.project(record) as Shown));
  }
  return records;
}

/** The operation, on a schema of these types whose only field returns the given shipments. */
function compile(): Operation['run'] {
  const shipment = schema.getType('Shipment') as GraphQLObjectType;
  const query = new GraphQLObjectType<unknown, RecordContext>({
    name: 'Records',
    fields: {
      shipments: {
        type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(shipment))),
        resolve: (_root, _args, context) => context.shipments,
      },
    },
  });
  const records = new GraphQLSchema({ query });
  const document = parse(`query records { shipments { ...TrackingRecord } } ${TRACKING_RECORD}`);
  const [error] = validate(records, document);
  if (error) throw error;
  return compileRestOperation(records, document);
}

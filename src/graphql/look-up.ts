import { Fault } from '../platform/fault.ts';
import type { RequestContext } from './context.ts';

/**
 * The record that a query looks up, or null if there is none. A record that is not there is no error in the graph. REST
 * has no null for it, and sends the fault that the context keeps.
 */
export async function lookUp<Found>(
  context: Pick<RequestContext, 'missing'>,
  find: () => Promise<Found>,
): Promise<Found | null> {
  try {
    return await find();
  } catch (thrown) {
    if (!(thrown instanceof Fault) || thrown.status !== 404) throw thrown;
    context.missing = thrown;
    return null;
  }
}

import type { Span } from '../../telemetry/tracing.ts';
import type { CompanyId } from '../tenancy/company-id.ts';
import { WorkOfSeveral, type WorkOfStatement } from './cancellation.ts';

/** The requester of a statement; undefined for the service itself. */
export interface Requester {
  /** The companies in whose shares of the connections it counts. */
  readonly companyIds: readonly CompanyId[];
  /** The request whose end cancels the statement. */
  readonly work?: WorkOfStatement | undefined;
  /** Whether a replica must not be read. */
  readonly isFresh?: boolean | undefined;
  /** The parent spans in traces, if they differ from the active span. */
  readonly spans?: readonly Span[];
}

/** One of the callers that share a statement or a transaction. */
interface Caller {
  readonly companyId: CompanyId;
  readonly requester: Requester;
  readonly span: Span | undefined;
}

/** The requester of a statement or a transaction that several callers share. */
export function requesterOf(callers: readonly Caller[]): Requester {
  const [first] = callers as [Caller];
  if (callers.length === 1 && first.span === undefined) return first.requester;
  const companyIds = new Set<CompanyId>();
  const works = new Set<WorkOfStatement | undefined>();
  const spans = new Set<Span>();
  for (const { companyId, requester, span } of callers) {
    companyIds.add(companyId);
    works.add(requester.work);
    if (span) spans.add(span);
  }
  // A statement that is also run without a request is never cancelled.
  const all = works.has(undefined) ? undefined : workOfAll([...works] as WorkOfStatement[]);
  const isFresh = callers.some(({ requester }) => requester.isFresh);
  return { companyIds: [...companyIds], work: all, isFresh, spans: [...spans] };
}

function workOfAll(works: readonly WorkOfStatement[]): WorkOfStatement | undefined {
  return works.length === 1 ? works[0] : new WorkOfSeveral(works);
}

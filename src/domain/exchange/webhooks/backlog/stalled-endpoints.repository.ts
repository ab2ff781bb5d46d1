import type { Database } from '../../../../platform/database/database.ts';
import { serviceStatement } from '../../../../platform/database/statements/statements.ts';
import type { CompanyId } from '../../../../platform/database/tenancy/company-id.ts';
import { isNotSuspended } from '../../../../platform/database/tenancy/suspended-companies.ts';
import { type EndpointState, endpointState } from '../endpoints/endpoint-state.rules.ts';

/** An endpoint whose held back deliveries nothing sends, and its company. */
export interface StalledEndpoint {
  readonly companyId: CompanyId;
  readonly endpointId: string;
  readonly state: EndpointState;
}

// An endpoint that backs off and whose probe never came, or another one with held back deliveries. A paused endpoint,
// and one of a suspended company, keeps its deliveries.
const STALLED = serviceStatement(
  'stalled-endpoints',
  `select w.company_id as "companyId", w.id as "endpointId", ${endpointState('w')} as state
    from webhook_endpoint w where ${isNotSuspended('w.company_id')} and case ${endpointState('w')}
      when 'paused' then false
      when 'backing_off' then w.probe_after < now() - interval '30 seconds'
      else exists (select 1 from webhook_delivery d where d.company_id = w.company_id and d.endpoint_id = w.id and d.parked)
    end`,
);

export function stalledEndpoints(database: Database): Promise<StalledEndpoint[]> {
  return database.rows<StalledEndpoint>(STALLED, []);
}

import type { Announcer } from '../domain/shipping/tracking/tracking.announcements.ts';
import type { Database } from '../platform/database/database.ts';
import type { CompanyId } from '../platform/database/tenancy/company-id.ts';
import type { Caps } from '../platform/limits/caps.ts';
import type { SecretBox } from '../platform/secrets/secret-box.ts';
import type { Log } from '../platform/telemetry/log.ts';

/** Constant, so that a second start finds the company. It is the sandbox of a live company without data. */
export const DEMO_COMPANY_ID = 'de300000-0000-4000-8000-000000000001' as CompanyId;

/** The parts of the service that make the demo company. */
export interface DemoTools {
  readonly database: Database;
  readonly announcer: Announcer;
  readonly box: SecretBox;
  readonly caps: Caps;
  /** Reports that the company is made, which takes a while. */
  readonly log?: Log;
}

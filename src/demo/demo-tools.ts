import type { Announcer } from '../domain/tracking/tracking.announcements.ts';
import type { Database } from '../platform/database/database.ts';
import type { Caps } from '../platform/limits/caps.ts';
import type { SecretBox } from '../platform/secrets/secret-box.ts';
import type { Log } from '../platform/telemetry/log.ts';

/** The parts of the service that make the demo company. */
export interface DemoTools {
  readonly database: Database;
  readonly announcer: Announcer;
  readonly box: SecretBox;
  readonly caps: Caps;
  /** Reports that the company is made, which takes a while. */
  readonly log?: Log;
}

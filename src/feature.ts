import type Router from '@koa/router';
import type { GraphQLSchema } from 'graphql';
import type { GraphQLServer } from './graphql/graphql-server.ts';
import type { Gate } from './http/gate.ts';
import type { Announcement, Reaction } from './platform/announcement.ts';
import type { Database } from './platform/database/database.ts';
import type { JobKind, Schedule } from './platform/jobs/job-kinds.ts';
import type { Queue } from './platform/jobs/queues.ts';
import type { RetentionRule } from './platform/retention-rule.ts';
import type { SecretKind } from './platform/secrets/reseal.ts';
import type { Metrics } from './platform/telemetry/metrics.ts';

/** All that a feature brings to the service. `x.feature.ts` states it, and `features.ts` lists the features. */
export interface Feature {
  /** The modules that define the entities of its tables. */
  readonly entities?: readonly object[];
  /** Loads the modules that add its types and fields to the graph; only when the graph is needed, as they take a while. */
  readonly graph?: () => Promise<unknown>;
  /** Kinds of job that need only the database; every worker runs them. */
  readonly jobs?: readonly JobKind<never>[];
  /** Queues whose work needs more (`prepareWork` of `app.ts`), each after the queue of its dead letters. */
  readonly queues?: readonly Queue<never>[];
  /** Work that runs by the clock. */
  readonly schedules?: readonly Schedule[];
  /** Rows that are deleted with age. */
  readonly retention?: readonly RetentionRule[];
  /** Measurements that workers make for the whole service when they are scraped. */
  readonly measures?: readonly ((database: Database, metrics: Metrics) => void)[];
  /** Kinds of secrets that it stores encrypted. */
  readonly secrets?: readonly SecretKind[];
  /** Changes that it announces to the others. */
  readonly announces?: readonly Pick<Announcement<never>, 'open'>[];
  /** Reactions to changes that others announce. */
  readonly reactions?: readonly Reaction[];
  /** Adds routes of its own beside REST and GraphQL. */
  readonly routes?: (router: Router, api: Api) => Promise<void>;
}

/** The parts of the service that routes need. */
export interface Api {
  readonly schema: GraphQLSchema;
  readonly graphql: GraphQLServer;
  readonly gate: Gate;
  /** Whether pages of an origin may call it. */
  readonly mayCall: (origin: string) => boolean;
}

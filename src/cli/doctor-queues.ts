import { commandName } from '../platform/command-name.ts';
import { connectedWorkers } from '../platform/database/connections/worker-presence.ts';
import type { Database } from '../platform/database/database.ts';
import { type QueueState, queueStates, type ScheduleState, scheduleStates } from '../platform/jobs/pgboss-tables.ts';
import { type Finding, ok, warn } from './finding.ts';

const MINUTE_MS = 60_000;
const STUCK_MS = 5 * MINUTE_MS;
/** The rarest schedule runs every hour, and its last job is kept until the next one. */
const MISSED_MS = 70 * MINUTE_MS;

const START_A_WORKER = 'start a worker (ROLE=worker or all)';
const SEE_THE_LOG = 'the log line `job failed` of a worker has the cause';

/** Checks that workers run and keep up with due jobs, by queue and by schedule. */
export async function examineQueues(database: Database): Promise<Finding[]> {
  const states = await queueStates(database);
  const schedules = await scheduleStates(database);
  return [workers(await connectedWorkers(database)), ...dueJobs(states), ...deadLetters(states), ...runs(schedules)];
}

function workers(count: number): Finding {
  if (count === 0) return warn('workers', 'no worker is running, so webhooks and polls wait', START_A_WORKER);
  return ok('workers', count === 1 ? '1 process works jobs' : `${count} processes work jobs`);
}

function dueJobs(states: readonly QueueState[]): Finding[] {
  // Jobs in a dead-letter queue need an operator.
  const stuck = states.filter(
    ({ oldestDue, deadLetterOf }) => deadLetterOf === null && oldestDue !== null && ageMs(oldestDue) > STUCK_MS,
  );
  if (stuck.length === 0) return [ok('queues', 'no job is overdue by more than 5 minutes')];
  return stuck.map(({ queue, due, oldestDue }) => {
    const found = `${queue} has ${due} jobs that are due, the oldest one since ${oldestDue?.toISOString()}`;
    return warn('queues', found, 'start a worker (ROLE=worker or all), or more of them; their logs show what fails');
  });
}

function deadLetters(states: readonly QueueState[]): Finding[] {
  return states
    .filter(({ deadLetterOf, due }) => deadLetterOf !== null && due > 0)
    .map(({ queue, due }) =>
      warn(
        'queues',
        `${queue} has ${due} jobs that failed for the last time`,
        `\`${commandName()} queue redrive --queue ${queue}\` tries them again`,
      ),
    );
}

function runs(schedules: readonly ScheduleState[]): Finding[] {
  if (schedules.length === 0) return [warn('schedules', 'no worker has ever been started', START_A_WORKER)];
  const missed = schedules.filter(({ since, lastRun }) => ageMs(lastRun ?? since) > MISSED_MS);
  const failed = schedules.filter(({ hasFailed }) => hasFailed);
  const names = (some: readonly ScheduleState[]) => some.map(({ queue }) => queue).join(', ');
  if (missed.length + failed.length === 0) return [ok('schedules', `all ${schedules.length} have run on time`)];
  return [
    ...(missed.length > 0
      ? [warn('schedules', `not run for more than an hour: ${names(missed)}`, START_A_WORKER)]
      : []),
    ...(failed.length > 0 ? [warn('schedules', `the last run failed: ${names(failed)}`, SEE_THE_LOG)] : []),
  ];
}

function ageMs(at: Date): number {
  return Date.now() - at.getTime();
}

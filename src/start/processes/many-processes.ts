import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Config } from '../../config.ts';
import { keptSecretsKey } from '../../platform/secrets/secret-box.ts';
import { StartupError } from '../../platform/startup-error.ts';
import { metricsOfCluster } from '../../platform/telemetry/cluster-metrics.ts';
import type { Log } from '../../platform/telemetry/log.ts';
import type { Ready, Service } from '../one-process.ts';

/** The pause between the end of a process and the start of its replacement. */
const PAUSE_MS = 1_000;
/** The time for a process to stop; the rest of the ten seconds is for the database. */
const STOP_MS = 8_500;

/** `isEmbedded`: the database is the embedded one, whose address no setting has. */
type Settings = Config & { databaseUrl: string; isEmbedded: boolean };

/**
 * The service in several processes behind one port, which this process starts, watches and stops; it carries out no
 * request itself. Each has the role of the settings: with `all` each responds to requests and works jobs, so both loads
 * use all cores, and the others take over when one ends.
 */
export function manyProcesses(settings: Settings, log: Log, stopped: Promise<unknown>): Service {
  const { databaseUrl, isEmbedded, carrierSandboxUrl = '', processes, dataDir, demo } = settings;
  const metrics = metricsOfCluster();
  const stopping = new AbortController();
  let boundPort: number | undefined;
  let secretsKey = settings.secretsKey;
  const exec = fileURLToPath(new URL('child-main.ts', import.meta.url));

  const fork = (number: number, withDemo = false): Child => {
    // Processes share what they listen on by the port they ask for. With no process left to keep it, port 0 would select
    // another one than callers know.
    const port = Object.keys(cluster.workers ?? {}).length === 0 ? (boundPort ?? settings.port) : settings.port;
    cluster.setupPrimary({ exec, args: [String(number)] });
    const worker = cluster.fork({
      // A process reads the secrets of the settings itself: the content of a file stays out of the environment.
      ...(isEmbedded && { DATABASE_URL: databaseUrl }),
      ...(settings.secretsKey === undefined && { SECRETS_KEY: secretsKey }),
      CARRIER_SANDBOX_URL: carrierSandboxUrl,
      PORT: String(port),
      DEMO: String(withDemo),
    });
    return childOf(worker, metrics);
  };

  /** Replaces a process whenever it ends, for as long as the service runs. */
  const replaceAlways = async (number: number, first: Child): Promise<void> => {
    for (let child = first; ; child = fork(number)) {
      const { code, signal, reason } = await child.ended;
      if (stopping.signal.aborted) return;
      log.error({ process: child.pid, code, signal, reason }, 'a process has ended and is replaced');
      await sleep(PAUSE_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
    }
  };

  /** The first alone: it migrates and makes the demo company, and says why it cannot start. */
  const start = async (): Promise<Ready> => {
    log.info({ processes }, 'starting processes');
    secretsKey ??= await keptSecretsKey(dataDir);
    stopping.signal.throwIfAborted();
    const first = fork(1, demo);
    const ready = await first.ready;
    boundPort = Number(new URL(ready.url).port);
    void replaceAlways(1, first);
    const others = Array.from({ length: processes - 1 }, (_, i) => fork(i + 2));
    others.forEach((child, i) => void replaceAlways(i + 2, child));
    // One that cannot start is replaced.
    await Promise.allSettled(others.map(({ ready }) => ready));
    return ready;
  };

  return {
    // Processes that receive the same signal end before they are ready, which is not a failure.
    ready: Promise.race([stopped.then(() => undefined), start()]),
    async stop() {
      stopping.abort();
      const running = Object.values(cluster.workers ?? {}).filter(worker => worker !== undefined);
      const kill = (signal: NodeJS.Signals) => {
        for (const worker of running) worker.process.kill(signal);
      };
      const ends = running.map(endOf);
      kill('SIGTERM');
      const overdue = setTimeout(() => kill('SIGKILL'), STOP_MS);
      await Promise.all(ends);
      clearTimeout(overdue);
    },
  };
}

interface End {
  readonly code: number | null;
  readonly signal: string | null;
  /** Why it could not start. */
  readonly reason?: string | undefined;
}

interface Child {
  readonly pid: number | undefined;
  /** Rejects with a StartupError if the process ends before. */
  readonly ready: Promise<Ready>;
  readonly ended: Promise<End>;
}

function childOf(worker: Worker, metrics: () => Promise<string>): Child {
  const ready = Promise.withResolvers<Ready>();
  // Only the start awaits it.
  ready.promise.catch(() => undefined);
  let reason: string | undefined;
  const tell = (message: ToChild) => worker.isConnected() && worker.send(message, undefined, () => undefined);
  worker.on('message', (message: FromChild) => {
    if (message.type === 'ready') ready.resolve(message.ready);
    else if (message.type === 'failed') reason = message.failure;
    else if (message.type === 'scrape')
      metrics().then(
        text => tell({ type: 'metrics', text }),
        () => tell({ type: 'metrics' }),
      );
  });
  // A process that the system could not start has ended at once.
  worker.on('error', () => undefined);
  // All of its messages have been read by then.
  const ended = endOf(worker).then(({ code, signal }) => {
    const how = signal ?? `exit code ${code}`;
    ready.reject(new StartupError(reason ?? `A process ended before it was ready (${how}).`));
    return { code, signal, reason };
  });
  return { pid: worker.process.pid, ready: ready.promise, ended };
}

/** Resolves once the process and its channel have ended. */
async function endOf(worker: Worker): Promise<End> {
  const child = worker.process;
  if (child.exitCode === null && child.signalCode === null) await once(child, 'close').catch(() => undefined);
  // If a connection was on its way to it, Node keeps a process among the listeners.
  worker.disconnect();
  return { code: child.exitCode, signal: child.signalCode };
}

// The messages between a primary process and its children.

export type FromChild =
  | { readonly type: 'ready'; readonly ready: Ready }
  /** Sent before its end by a process that cannot start. */
  | { readonly type: 'failed'; readonly failure: string }
  /** Asks for the metrics of all processes, which `metrics` returns. */
  | { readonly type: 'scrape' };

/** Without a text if the metrics are not available. */
export interface ToChild {
  readonly type: 'metrics';
  readonly text?: string | undefined;
}

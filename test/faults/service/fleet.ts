import { readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type Running, startArguments, startProcess } from '../../bench/processes.ts';
import { until } from '../../bench/until.ts';
import { freePort } from '../../support/ports.ts';
import { openTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts';

const PROBE = new URL('memory-probe.ts', import.meta.url).href;
export const ROOT = new URL('../../../', import.meta.url).pathname;

/** A process of the service as it is to run. */
interface Member {
  readonly role: 'api' | 'worker';
  readonly port: number;
  /** Where callers reach it. */
  readonly front: TcpProxy | undefined;
  running: Running | undefined;
}

export interface ProcessHealth {
  readonly megabytes: number;
  readonly sockets: number;
}

/** The processes of the service, which are killed, frozen and started again. */
export class Fleet {
  readonly #members = new Map<string, Member>();
  readonly #env: Readonly<Record<string, string>>;
  /** The folder of a checkout of the service. */
  readonly #root: string;
  readonly #folder: string;

  /** @param folder for what probes write */
  constructor(env: Readonly<Record<string, string>>, folder: string, root = ROOT) {
    this.#env = env;
    this.#folder = folder;
    this.#root = root;
  }

  /** Where the api can be reached. */
  get urls(): readonly string[] {
    return this.fronts.map(({ url }) => url);
  }

  get fronts(): readonly TcpProxy[] {
    return [...this.#members.values()].flatMap(({ front }) => front ?? []);
  }

  names(role?: Member['role']): readonly string[] {
    return [...this.#members].filter(([, member]) => role === undefined || member.role === role).map(([name]) => name);
  }

  /** Processes that have ended and were not started again. */
  get ended(): readonly string[] {
    return this.names().filter(name => {
      const child = this.#member(name).running?.child;
      return child === undefined || child.exitCode !== null || child.signalCode !== null;
    });
  }

  async add(name: string, role: Member['role']): Promise<void> {
    const port = await freePort();
    const front = role === 'api' ? await openTcpProxy(`http://127.0.0.1:${port}`) : undefined;
    this.#members.set(name, { role, port, front, running: undefined });
    await this.start(name);
  }

  /** @param options another checkout, and settings for this start alone */
  async start(name: string, { root = this.#root, env = {} }: { root?: string; env?: Record<string, string> } = {}) {
    const member = this.#member(name);
    const settings = { ...this.#env, PORT: String(member.port), ROLE: member.role, MEMORY_PROBE: this.#probe(name) };
    member.running = await startProcess(['--import', PROBE, ...(await startArguments(root))], { ...settings, ...env });
  }

  async stop(name: string): Promise<void> {
    await this.#member(name).running?.stop();
  }

  async kill(name: string): Promise<void> {
    const { running } = this.#member(name);
    running?.child.kill('SIGKILL');
    await running?.stop();
  }

  freeze(name: string): void {
    this.#member(name).running?.child.kill('SIGSTOP');
  }

  thaw(name: string): void {
    this.#member(name).running?.child.kill('SIGCONT');
  }

  /** Memory in use, and open sockets. */
  async health(name: string): Promise<ProcessHealth> {
    const child = this.#member(name).running?.child;
    const look = async () => JSON.parse(await readFile(this.#probe(name), 'utf8').catch(() => '{}'));
    const { look: before } = await look();
    child?.kill('SIGUSR2');
    const { megabytes } = await until(look, seen => seen.look !== before && seen.megabytes !== undefined);
    const folder = `/proc/${child?.pid}/fd`;
    const targets = await Promise.all((await readdir(folder)).map(fd => readlink(join(folder, fd)).catch(() => '')));
    return { megabytes, sockets: targets.filter(target => target.startsWith('socket:')).length };
  }

  async close(): Promise<void> {
    await Promise.all(this.names().map(name => this.kill(name)));
    await Promise.all(this.fronts.map(front => front.close()));
  }

  #probe(name: string): string {
    return join(this.#folder, `memory-${name.replaceAll(' ', '-')}`);
  }

  #member(name: string): Member {
    const member = this.#members.get(name);
    if (!member) throw new Error(`There is no process ${name}`);
    return member;
  }
}

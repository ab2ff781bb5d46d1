import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** A name server of an attacker: each name has answers of its own, one after the other, that nobody may keep. */
export interface NameServer {
  readonly address: string;
  /** Addresses that a name has at its first look-up, at its second, and so on; the last ones from then on. */
  set(name: string, ...answers: (readonly string[])[]): void;
  /** How often a name was asked for, by the type of record that was asked more often. */
  asked(name: string): number;
  close(): void;
}

const HEADER_BYTES = 12;
const TYPES: Readonly<Record<number, (address: string) => Buffer | undefined>> = {
  1: address => (address.includes(':') ? undefined : Buffer.from(address.split('.').map(Number))),
  28: address => (address.includes(':') ? ipv6Bytes(address) : undefined),
};

export async function startNameServer(): Promise<NameServer> {
  const names = new Map<string, readonly (readonly string[])[]>();
  const counts = new Map<string, number>();
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = question(query);
    const answers = names.get(name) ?? [];
    const count = counts.get(`${name} ${type}`) ?? 0;
    counts.set(`${name} ${type}`, count + 1);
    const addresses = answers[Math.min(count, answers.length - 1)] ?? [];
    const records = addresses.flatMap(one => TYPES[type]?.(one) ?? []).map(data => record(type, data));
    const header = Buffer.from(query.subarray(0, HEADER_BYTES));
    header.writeUInt16BE(0x8180, 2);
    header.writeUInt16BE(records.length, 6);
    header.writeUInt32BE(0, 8);
    socket.send(Buffer.concat([header, query.subarray(HEADER_BYTES, end), ...records]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    set: (name, ...answers) => names.set(name, answers),
    asked: name => Math.max(0, ...Object.keys(TYPES).map(type => counts.get(`${name} ${type}`) ?? 0)),
    close: () => socket.close(),
  };
}

function question(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** The address of the requested name, with a TTL of 0. */
function record(type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

function ipv6Bytes(address: string): Buffer {
  const [before = '', after] = address.split('::');
  const groups = (text: string) => text.split(':').filter(Boolean);
  const [head, tail] = [groups(before), groups(after ?? '')];
  const all = after === undefined ? head : [...head, ...Array(8 - head.length - tail.length).fill('0'), ...tail];
  return Buffer.from(all.map(group => group.padStart(4, '0')).join(''), 'hex');
}

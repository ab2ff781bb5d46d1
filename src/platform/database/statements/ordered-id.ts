import { randomBytes } from 'node:crypto';

const MAX_COUNT = 0xfff;

let lastMs = 0;
let count = 0;

/** A UUID of version 7 (RFC 9562): later ids of this process are greater, and ids of other processes nearly so. */
export function orderedId(): string {
  const now = Date.now();
  // Borrows from the next millisecond if one is used up, and never goes back with the clock.
  if (now > lastMs) [lastMs, count] = [now, 0];
  else if (count < MAX_COUNT) count++;
  else [lastMs, count] = [lastMs + 1, 0];
  const bytes = randomBytes(16);
  bytes.writeUIntBE(lastMs, 0, 6);
  bytes.writeUInt16BE(0x7000 | count, 6);
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

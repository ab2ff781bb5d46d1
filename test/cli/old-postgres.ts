import { createServer, type Server, type Socket } from 'node:net';

/**
 * A server that says it is PostgreSQL 14.12: as much of protocol version 3 as it takes to be asked. It lets everybody in
 * and answers every simple query with one row.
 */
export function oldPostgres(): Server {
  return createServer(socket => {
    let unread = Buffer.alloc(0);
    let isStarted = false;
    socket.on('error', () => {});
    socket.on('data', chunk => {
      unread = Buffer.concat([unread, chunk]);
      // The first message has no type.
      for (let head = isStarted ? 5 : 4; unread.length >= head; head = 5) {
        const length = unread.readInt32BE(head - 4) + head - 4;
        if (unread.length < length) return;
        const type = isStarted ? unread.toString('latin1', 0, 1) : 'startup';
        const body = unread.toString('utf8', head, length);
        unread = unread.subarray(length);
        isStarted = true;
        answer(socket, type, body);
      }
    });
  });
}

function answer(socket: Socket, type: string, body: string): void {
  if (type === 'X') socket.end();
  if (type === 'startup') {
    socket.write(message('R', int32(0)));
    socket.write(message('S', text('server_version'), text('14.12')));
    socket.write(READY);
  }
  if (type === 'Q') {
    const [name, value] = body.includes('server_version_num') ? ['server_version_num', '140012'] : ['answer', '1'];
    // One column: its name, of no table, type text of any length, sent as text.
    socket.write(message('T', int16(1), text(name), int32(0), int16(0), int32(25), int16(-1), int32(-1), int16(0)));
    socket.write(message('D', int16(1), int32(value.length), Buffer.from(value)));
    socket.write(message('C', text('SELECT 1')));
    socket.write(READY);
  }
}

function message(type: string, ...fields: readonly Buffer[]): Buffer {
  const body = Buffer.concat(fields);
  return Buffer.concat([Buffer.from(type), int32(body.length + 4), body]);
}

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(value);
  return bytes;
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

function text(value: string): Buffer {
  return Buffer.from(`${value}\0`);
}

const READY = message('Z', Buffer.from('I'));

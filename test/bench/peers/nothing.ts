import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';

// The least that a request and a statement can be: what the machine itself takes for them.

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 16 });

const server = createServer(async (request, response) => {
  if (request.url === '/statement') await pool.query({ name: 'nothing', text: 'select' });
  response.end();
});

server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
process.on('SIGTERM', () => process.exit(0));

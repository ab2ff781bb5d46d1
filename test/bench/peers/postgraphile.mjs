import { createServer } from 'node:http';
import pg from 'pg';
import { postgraphile } from 'postgraphile';
import { makePgService } from 'postgraphile/adaptors/pg';
import { grafserv } from 'postgraphile/grafserv/node';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';
import { companyOf } from './record.ts';

// A graph over the same tables that nobody wrote: PostGraphile 5 as it runs in production, with a pool as large as the
// service's. Statements are prepared, and documents and their plans kept, as by default. It has no `pgSettings`: with them
// each request would be a transaction of its own. No logging, no metrics, no limits.

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 16 });

const preset = {
  extends: [PostGraphileAmberPreset],
  // With it, a timeline could not be ordered by time.
  disablePlugins: ['PgIndexBehaviorsPlugin'],
  pgServices: [makePgService({ pool, schemas: ['public'] })],
  grafserv: { graphqlPath: '/graphql', graphiql: false, watch: false, websockets: false },
  grafast: { explain: false },
};

const server = createServer();
const serv = postgraphile(preset).createServ(grafserv);
await serv.addTo(server);
// In front of it, the key check that the other peers have.
const [answer] = server.listeners('request');
server.removeAllListeners('request');
server.on('request', async (request, response) => {
  const company = await companyOf(pool, String(request.headers['x-api-key']));
  if (company) answer(request, response);
  else response.writeHead(401).end();
});

server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`listening on http://127.0.0.1:${server.address().port}\n`);
});
process.on('SIGTERM', () => process.exit(0));

import { openEmbeddedPostgres } from '../../src/embedded-postgres/embedded-postgres.ts';

// A process of its own that opens the data folder, says where, and closes when its standard input ends.
const [, , dataDir = '', as] = process.argv;
const postgres = await openEmbeddedPostgres({ dataDir, as: as === 'tool' ? 'tool' : 'service', throwaway: true });
process.stdout.write(`${postgres.url}\n`);
process.stdin.resume().once('end', () => postgres.close());

import type { RowId } from './rows.ts';

const BATCHES = `PostgreSQL does two thirds of the work, and a fifth to a third more of it than for the peer: it locks each shipment before it writes, numbers
each change, and finds by secondary labels too. The update of the status writes to every index of the shipment, for the peer as well. In the process an event of
a batch of 1,000 takes about 40 µs (the peer 9): garbage collection is 12 of them, the check of the input 4, the writes to sockets 3, and no other part 2. A batch of
100 takes 15 to 40 µs an event more: each statement of its transaction is a write that wakes PostgreSQL, 18 % of the profile. Of a company two transactions
run at a time, and the peer's four.
Tried and not kept: a young generation of 32 MB took 12 % less CPU in the process for 45 MB more memory, and one of 64 MB 25 % less for 100 MB; code of our own for the
columns of the statements saved 0.15 µs.
Until 2026-11-28 this bench sent all events to 1,600 shipments, which got hundreds each: out-of-order events had those read again, and the ratio for batches of
1,000 was anywhere from 0.12 to 0.40.`;

const P99 = `The times are whole milliseconds, and rounds of the same code lie far apart, as the brackets show. The slowest wait most likely for
the others of their batch to be read and written, where the peer's pool lets each go on by itself; no profile has shown it yet. The medians at a
steady pace are alike (2 ms : 2 ms). Statements of at most 32 keys did not help: see \`tracking rest\`.`;

const READS_BY_NUMBER = `The service takes as much CPU for a read as the peer with two statements, in the process and in PostgreSQL together. It gathers reads, which
saves statements and system calls; where both are dear the ratio is greater (1.19, 1.58 and 0.89 on a machine half as fast). In the profile of the process the
writes to the two sockets take 28 %, since each wakes PostgreSQL or the load generator, and garbage collection, rows and fields of the driver another 14 %; no other
part takes 4 %. Statements of at most 32 keys in the place of 256 served 0.86 of the requests, and PostgreSQL took a third more (tried beside other work).`;

/**
 * Why a row of RESULTS.md falls short, as its profile showed: a sentence or a paragraph in Markdown. It is printed only
 * while the row falls short, so that it may stay here when it holds again.
 */
export const REASONS: Partial<Readonly<Record<RowId, string>>> = {
  'rest-fastify': READS_BY_NUMBER,
  'rest-duties': READS_BY_NUMBER,
  'rest-bare': READS_BY_NUMBER,
  'page-postgraphile': `The service reads shipments with their orders and timelines, then the warehouses of the page, each once. Its rows become objects twice (in the driver, then in
the executor); PostGraphile reads one JSON text that PostgreSQL made, and passes parts of it on. In the profile of the service garbage collection takes
22 %, rows of the driver 10 %, the writes to sockets 5 to 10 %, and the executor's list and object fields most of the rest. graphql-jit 0.8.9 makes the path of
each value beforehand, for errors that seldom come: 0.8.7, which does not, took 17 % less, but never frees its paths and orders mutations wrongly; changing the generated
code took 10 % less, by a replaced global \`Function\`. Both are left out.`,
  sofa: `SOFA gets the same schema, resolvers and loaders here, cut down to the fields of REST, and so does the same work in PostgreSQL, which is a third of the
time. What REST saves is parsing, validation and planning of a document for each request; that is 118 µs of 415.`,
  quotes: `The peer checks a key and prices. The service also limits rates, counts and logs the request, runs an operation of the
graph and keeps to a budget of work: about 100 µs more CPU in the process, and less than half of the peer's in PostgreSQL. Both check the input alike. The profile
is flat: the writes to the sockets of the caller and of PostgreSQL take 15 to 17 %, garbage collection 6, the check of the input 6.5, the log 4, the engine 3,
the key 2, and no other part 3. Explanations are built only if they are selected, and tariffs, connections and promises are in memory.
Tried and not kept, by turns with the commit before: 32 of the 85 promises of a quote fewer (1.01 of the CPU, 0.97 to 1.07 over four starts); warehouses from
memory (1.06, 0.92 to 1.20: quotes then end one by one, and not several in a turn of the event loop).`,
  address: `The call to the carrier goes through Mesh, which builds the request from the carrier's OpenAPI document, runs a GraphQL operation of its own, and
validates the response. The peer writes the request by hand. One check takes a third of a millisecond longer than with the peer. Where the stand-in of the carrier responds in
less than 0.1 ms, as here, the ratio shows this difference alone; carriers take 50 to 500 ms.`,
  'webhooks-bare': `The loop has no database. A delivery costs 195 µs of CPU in the worker, and it stores the attempt and ends the job in PostgreSQL, which uses the same two cores.`,
  'webhooks-rate': `Two cores carry PostgreSQL, the worker, the receivers and the load. A delivery costs 275 µs of CPU in the worker: the signature, the request,
and two writes to PostgreSQL (attempt and job), which are batched. The ratio to a loop that only signs and posts holds.`,
  'events-one': `The rounds lie on both sides of 1. The service takes less CPU than the peer, with PostgreSQL together: 918 : 1,367 µs an event.`,
  'events-twenty': `The calls share a transaction, and take less CPU than the peer's in the process and PostgreSQL together (1,112 : 1,300 µs an event on a
machine that did much else). The two take turns on a transaction, where the peer's run on both cores. The body of the webhook is the whole tracking record; the
peer's has three fields.`,
  'events-batch-100': BATCHES,
  'events-batch-1000': BATCHES,
  'events-latency': `A delivery waits for the commit, for the notification that wakes the worker, and for the worker's own fetch of the job. The slowest hundredth meets a
checkpoint or another batch of the worker; the medians are 14 ms.`,
  'soak-growth': `After two minutes of this load the heap is not yet where V8 lets it grow to: on a slow machine fewer requests have come by then. Over two hours
it grew by 4 % from the 20th minute (2026-11-26). An hour with 3,791,532 requests, partly beside other work, had 324 MB after 2 minutes, 356 after 20, 362 after 40
and 367 after 60 (2026-11-29).`,
  'soak-memory': `The load took 6,116,654 requests in two hours beside other work, and 1,622,277 in 20 minutes when it had the machine to itself: 371 MB then (335 MB
on a slower machine). Nothing grows: after a forced collection 80 MB of heap are in use at the start, and 92 after the load. Those 80 MB are 2,600 modules: 20 MB
are their sources, 18 their compiled code, 14 tables of properties; no object of the service keeps more than 1.1 MB. The largest packages are MikroORM (10 MB), Yoga (7), pg-boss (6)
and undici (5); Mesh, GraphiQL, the SDK of OpenTelemetry and the dashboard are loaded on demand. The program of Node takes 60 MB and memory outside of the heap 40 more. The rest is
room that V8 keeps for garbage: it lets a heap grow to about twice of what is in use.
Tried and not kept: young generations of 8 MB in place of 16 saved nothing and doubled garbage collection (5 to 8 % of the CPU of quotes became 12 to 19);
collecting earlier (\`--heap-growing-percent=30\`) saved 35 MB and cost 8 % of the requests; fewer arenas of malloc saved nothing.
The client of undici alone, by private paths, saved 6 of 216 MB at the start. The figures of
2026-11-26 are without the cache of code that \`npm start\` has, so they contain what strips types: 8 MB at the start, 11 MB of it in use.`,
  'invoice-check': `The service and PostgreSQL need 43 s of processor time together, on two cores that the bench shares: each line is read with its shipment, its tracking and what was billed before, priced, and written with its findings.`,
  'load-16': P99,
  'load-64': P99,
  'load-256': P99,
  'load-paced': P99,
};

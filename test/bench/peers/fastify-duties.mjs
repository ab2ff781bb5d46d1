import compress from '@fastify/compress';
import etag from '@fastify/etag';
import rateLimit from '@fastify/rate-limit';
import fastify, { LogController } from 'fastify';
import metrics from 'fastify-metrics';
import pino from 'pino';
import { addTracking, serve } from './fastify-tracking.ts';

// Fastify and pg with what the service does for each request besides: a limit for each key, an ETag, compression for
// whoever takes it, metrics by route, and a line in the log. Each by Fastify's own plugin, as its documentation has it.

/** One line a request, at its end, with what the service writes. */
class RequestLog extends LogController {
  incomingRequest() {}

  requestCompleted(_error, request, reply) {
    const { method, routeOptions } = request;
    const { statusCode: status, elapsedTime: durationMs } = reply;
    request.log.info({ method, route: routeOptions.url, status, durationMs }, 'request');
  }
}

const app = fastify({
  // Written in batches off the request's path, as the service's are.
  loggerInstance: pino(
    { timestamp: pino.stdTimeFunctions.isoTime, base: null },
    pino.destination({ dest: 1, sync: false, minLength: 4096, periodicFlush: 1000 }),
  ),
  logController: new RequestLog(),
});
// The service has a histogram and no summary, which would cost more than all else here.
await app.register(metrics, { routeMetrics: { enabled: { histogram: true, summary: false } } });
await app.register(rateLimit, {
  max: Number(process.env.RATE_LIMIT_READS),
  timeWindow: 60_000,
  keyGenerator: request => String(request.headers['x-api-key']),
});
await app.register(compress, { encodings: ['gzip'] });
await app.register(etag, { weak: true });
addTracking(app);
await serve(app);

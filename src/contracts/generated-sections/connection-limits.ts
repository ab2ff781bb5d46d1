import { HTTP_LIMITS } from '../../platform/limits/http-limits.ts';
import { SETTINGS } from '../../service-settings.ts';
import { duration } from './duration.ts';
import { count, table } from './markdown.ts';

export function connectionLimits(): string {
  const { maxConnectionsPerKey, maxPipelined, headersMs, requestMs, bodyWindowBytes, bodyWindowMs } = HTTP_LIMITS;
  const { bodyBytesPerCompany, bodyWaitMs, unreadMs, unreadStreamMs, keepAliveMs } = HTTP_LIMITS;
  const { MAX_STREAMS, MAX_STREAMS_PER_KEY } = SETTINGS.parse({});
  const slowest = bodyWindowBytes / 1024 / (bodyWindowMs / 1000);
  return table(
    ['What', 'At most', 'Beyond it'],
    [
      ['Open connections of a key', count(maxConnectionsPerKey), '429 `rate_limited`'],
      ['Requests that wait on one connection (pipelining)', count(maxPipelined), '429 `rate_limited`'],
      ['Address and headers of a request', '16 KiB', '431 `headers_too_large`'],
      ['Time for the headers to arrive', duration(headersMs), '408 `request_timeout`'],
      ['Time for the whole request to arrive', duration(requestMs), '408 `request_timeout`'],
      ['Pace of a body', `no slower than ${slowest} KiB a second`, '408 `request_timeout`'],
      [
        'Bodies that a company sends at the same time',
        `${bodyBytesPerCompany / 1024 / 1024} MiB together`,
        `429 \`rate_limited\` after ${duration(bodyWaitMs)}`,
      ],
      ['Time in which nothing of a response is read', duration(unreadMs), 'the connection is closed'],
      ['Open streams of a key, in each process', count(MAX_STREAMS_PER_KEY), '429 `rate_limited`'],
      ['Open streams of a process', count(MAX_STREAMS), '503 `unavailable`'],
      ['Time in which nothing of a stream is read', duration(unreadStreamMs), '`stream_interrupted`'],
      ['Idle time of a connection', duration(keepAliveMs), 'the connection is closed'],
    ],
  );
}

import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import type { Answer } from './outbound-exchange.ts';

/**
 * Decodes the body of a response that was sent compressed, whether or not it was asked for: carriers compress errors
 * too. The limit is for the decoded body, so a small response cannot become a large one in memory. Not undici's
 * interceptor, which reads no deflate without zlib's header and announces itself as an experiment on every start.
 */

/** Codings by their names in `Content-Encoding`; a body that is cut off is decoded as far as it goes. */
const FLUSHED = { finishFlush: constants.Z_SYNC_FLUSH };
const DECODERS: Readonly<Record<string, (bytes: Buffer) => NodeJS.ReadWriteStream>> = {
  gzip: () => createGunzip(FLUSHED),
  'x-gzip': () => createGunzip(FLUSHED),
  // Some servers send deflate without the header that RFC 9110 requires; its first byte tells which it is.
  deflate: ([first = 0]) => ((first & 0x0f) === 8 ? createInflate(FLUSHED) : createInflateRaw(FLUSHED)),
  br: () => createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH }),
};

/** The codings that a request accepts, for `Accept-Encoding`. */
export const ACCEPTED_CODINGS = 'gzip, deflate, br';

/** The most codings of one body. No server has a reason to compress a body more often. */
const MAX_CODINGS = 2;

/**
 * The response with its decoded body, at most `limit` bytes of it. A body in an unknown coding, or that cannot be
 * decoded, stays as it was sent.
 */
export async function decodedAnswer(answer: Answer, limit: number): Promise<Answer> {
  const codings = codingsOf(answer.headers['content-encoding']);
  const decoders = codings.flatMap(coding => DECODERS[coding] ?? []);
  if (answer.bytes.length === 0 || decoders.length !== codings.length || codings.length > MAX_CODINGS) return answer;
  let { bytes, isWhole } = answer;
  try {
    // The last coding was applied last.
    for (const decoder of decoders.toReversed()) {
      const decoded = await decodedStart(decoder(bytes), bytes, limit);
      bytes = decoded.subarray(0, limit);
      isWhole &&= decoded.length <= limit;
    }
  } catch {
    return answer;
  }
  return { ...answer, bytes, isWhole };
}

function codingsOf(header: unknown): string[] {
  return [header]
    .flat()
    .flatMap(value => (typeof value === 'string' ? value.toLowerCase().split(',') : []))
    .map(coding => coding.trim())
    .filter(coding => coding !== '' && coding !== 'identity');
}

/** Reads until there is more than the limit. */
async function decodedStart(decoder: NodeJS.ReadWriteStream, bytes: Buffer, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  decoder.end(bytes);
  for await (const chunk of decoder) {
    chunks.push(chunk as Buffer);
    size += (chunk as Buffer).length;
    if (size > limit) break;
  }
  return Buffer.concat(chunks, size);
}

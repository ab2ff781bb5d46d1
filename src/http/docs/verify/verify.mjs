import { createHmac, timingSafeEqual } from 'node:crypto';

const TOLERANCE_SECONDS = 300;

/**
 * The event of a webhook request, or an error if we didn't send it.
 *
 * @param {string} secret whsec_…, as it was shown when the endpoint was created
 * @param {Record<string, string>} headers of the request, with names in lower case
 * @param {Buffer} body exactly as received, before anything parses it
 */
export function verifiedEvent(secret, headers, body) {
  const id = headers['webhook-id'] ?? '';
  const timestamp = headers['webhook-timestamp'] ?? '';
  const age = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!/^\d+$/.test(timestamp) || age > TOLERANCE_SECONDS) throw new Error('timestamp too far from now');

  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
  // While a secret is being rotated there are several signatures; one of them is enough.
  const isOurs = (headers['webhook-signature'] ?? '').split(' ').some(entry => {
    const [version, signature = ''] = entry.split(',');
    const given = Buffer.from(signature, 'base64');
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
  if (!isOurs) throw new Error('signature does not match');
  return JSON.parse(body.toString('utf8'));
}

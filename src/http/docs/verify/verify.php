<?php
declare(strict_types=1);

const TOLERANCE_SECONDS = 300;

/**
 * The event of a webhook request, or an exception if we didn't send it.
 *
 * @param string $secret whsec_…, as it was shown when the endpoint was created
 * @param array<string, string> $headers of the request, with names in lower case:
 *        array_change_key_case(getallheaders(), CASE_LOWER)
 * @param string $body exactly as received: file_get_contents('php://input')
 */
function verifiedEvent(string $secret, array $headers, string $body): array
{
    $id = $headers['webhook-id'] ?? '';
    $timestamp = $headers['webhook-timestamp'] ?? '';
    if (!ctype_digit($timestamp) || abs(time() - (int) $timestamp) > TOLERANCE_SECONDS) {
        throw new RuntimeException('timestamp too far from now');
    }

    $key = base64_decode(substr($secret, strlen('whsec_')), true);
    if ($key === false) {
        throw new RuntimeException('the secret is not whsec_ and base64');
    }
    $expected = base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    // While a secret is being rotated there are several signatures; one of them is enough.
    foreach (explode(' ', $headers['webhook-signature'] ?? '') as $entry) {
        [$version, $signature] = array_pad(explode(',', $entry, 2), 2, '');
        if ($version === 'v1' && hash_equals($expected, $signature)) {
            return json_decode($body, true, 512, JSON_THROW_ON_ERROR);
        }
    }
    throw new RuntimeException('signature does not match');
}

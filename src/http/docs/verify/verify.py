import base64
import hashlib
import hmac
import json
import time

TOLERANCE_SECONDS = 300


def verified_event(secret: str, headers: dict[str, str], body: bytes) -> dict:
    """The event of a webhook request, or a ValueError if we didn't send it.

    secret: whsec_…, as it was shown when the endpoint was created
    headers: of the request, with names in lower case
    body: exactly as received, before anything parses it
    """
    event_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    if not (timestamp.isascii() and timestamp.isdigit()) or abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        raise ValueError("timestamp too far from now")

    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{event_id}.{timestamp}.".encode() + body
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    # While a secret is being rotated there are several signatures; one of them is enough.
    for entry in headers.get("webhook-signature", "").split(" "):
        version, _, signature = entry.partition(",")
        if version == "v1" and hmac.compare_digest(signature.encode(), expected):
            return json.loads(body)
    raise ValueError("signature does not match")

using System;
using System.Globalization;
using System.Linq;
using System.Security.Cryptography;
using System.Text;

public sealed class WebhookVerifier
{
    private const long ToleranceSeconds = 300;
    private readonly byte[] key;

    /// <param name="secret">whsec_…, as it was shown when the endpoint was created</param>
    public WebhookVerifier(string secret)
    {
        key = Convert.FromBase64String(secret.Substring("whsec_".Length));
    }

    /// <summary>Whether we sent a request.</summary>
    /// <param name="id">its header webhook-id</param>
    /// <param name="timestamp">its header webhook-timestamp</param>
    /// <param name="signatures">its header webhook-signature</param>
    /// <param name="body">exactly as received, before anything parses it</param>
    public bool Verify(string id, string timestamp, string signatures, byte[] body)
    {
        if (id is null || signatures is null) return false;
        if (!long.TryParse(timestamp, NumberStyles.None, CultureInfo.InvariantCulture, out long seconds)) return false;
        if (Math.Abs(DateTimeOffset.UtcNow.ToUnixTimeSeconds() - seconds) > ToleranceSeconds) return false;

        byte[] signed = Encoding.UTF8.GetBytes($"{id}.{timestamp}.").Concat(body).ToArray();
        using var hmac = new HMACSHA256(key);
        byte[] expected = Encoding.UTF8.GetBytes("v1," + Convert.ToBase64String(hmac.ComputeHash(signed)));
        // While a secret is being rotated there are several signatures; one of them is enough.
        return signatures.Split(' ').Any(signature =>
            CryptographicOperations.FixedTimeEquals(Encoding.UTF8.GetBytes(signature), expected));
    }
}

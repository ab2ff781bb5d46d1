import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public final class WebhookVerifier {
    private static final long TOLERANCE_SECONDS = 300;
    private final SecretKeySpec key;

    /** @param secret whsec_…, as it was shown when the endpoint was created */
    public WebhookVerifier(String secret) {
        byte[] bytes = Base64.getDecoder().decode(secret.substring("whsec_".length()));
        key = new SecretKeySpec(bytes, "HmacSHA256");
    }

    /**
     * Whether we sent a request.
     *
     * @param id its header webhook-id
     * @param timestamp its header webhook-timestamp
     * @param signatures its header webhook-signature
     * @param body exactly as received, before anything parses it
     */
    public boolean verify(String id, String timestamp, String signatures, byte[] body) throws GeneralSecurityException {
        if (id == null || timestamp == null || signatures == null || !timestamp.matches("[0-9]{1,12}")) return false;
        long age = Math.abs(Instant.now().getEpochSecond() - Long.parseLong(timestamp));
        if (age > TOLERANCE_SECONDS) return false;

        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(key);
        mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
        byte[] expected = ("v1," + Base64.getEncoder().encodeToString(mac.doFinal(body))).getBytes(StandardCharsets.UTF_8);
        // While a secret is being rotated there are several signatures; one of them is enough.
        for (String signature : signatures.split(" ")) {
            if (MessageDigest.isEqual(signature.getBytes(StandardCharsets.UTF_8), expected)) return true;
        }
        return false;
    }
}

package io.ariadne.io.cache;

import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/**
 * Computes names of folders, and keys of files. With the application's key both are HMAC-SHA256 of
 * it (RFC 2104): names then tell nothing even to those who guess addresses, and each file has a key
 * of its own, derived with the file's salt. Thread-safe.
 */
final class CacheKeys {
  /** Bytes of a digest. */
  static final int DIGEST_BYTES = 32;

  /** Bytes of a salt. */
  static final int SALT_BYTES = 32;

  private static final String HMAC = "HmacSHA256";

  private final SecretKeySpec master;
  private final SecureRandom random = new SecureRandom();

  /** Creates keys of an application, or names without encryption when the key is null. */
  CacheKeys(SecretKey key) {
    this.master = key == null ? null : new SecretKeySpec(key.getEncoded(), HMAC);
  }

  /** Returns whether files are encrypted. */
  boolean encrypts() {
    return master != null;
  }

  /** Returns the digest of texts, in hexadecimal; no two lists of texts have the same input. */
  String digest(String... texts) {
    int length = 0;
    byte[][] parts = new byte[texts.length][];
    for (int i = 0; i < texts.length; i++) {
      parts[i] = texts[i].getBytes(StandardCharsets.UTF_8);
      length += Integer.BYTES + parts[i].length;
    }
    ByteBuffer input = ByteBuffer.allocate(length);
    for (byte[] part : parts) {
      input.putInt(part.length).put(part);
    }
    return HexFormat.of().formatHex(hash("name", input.array()));
  }

  /** Returns a number that differs for different versions almost certainly; never 0. */
  long tag(String version) {
    String digest = digest("version", version);
    return Long.parseUnsignedLong(digest.substring(0, Long.BYTES * 2), 16) | 1;
  }

  /** Returns the salt of a new file. */
  byte[] newSalt() {
    byte[] salt = new byte[SALT_BYTES];
    random.nextBytes(salt);
    return salt;
  }

  /** Returns the cipher of a file, or null when files are not encrypted. */
  ChunkCipher cipher(byte[] salt) {
    if (master == null) {
      return null;
    }
    byte[] derived = hash("file", salt);
    int length = master.getEncoded().length;
    return new ChunkCipher(new SecretKeySpec(derived, 0, Math.min(length, derived.length), "AES"));
  }

  private byte[] hash(String purpose, byte[] input) {
    byte[] prefix = Arrays.copyOf(purpose.getBytes(StandardCharsets.US_ASCII), Long.BYTES);
    try {
      if (master == null) {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        digest.update(prefix);
        return digest.digest(input);
      }
      Mac mac = Mac.getInstance(HMAC);
      mac.init(master);
      mac.update(prefix);
      return mac.doFinal(input);
    } catch (GeneralSecurityException e) {
      throw new EngineException(ErrorCode.INTERNAL, "cannot compute names of cached files", e);
    }
  }
}

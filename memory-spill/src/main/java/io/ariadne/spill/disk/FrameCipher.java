package io.ariadne.spill.disk;

import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicLong;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Encrypts with AES in counter mode (NIST SP 800-38A, section 6.5) under a random key that never
 * leaves this process, so that bytes on disk are useless after the process ends. Frames have at
 * most 2^64 blocks, each with a nonce of its own in the upper half of the counter. Thread-safe.
 */
final class FrameCipher {
  private static final String TRANSFORMATION = "AES/CTR/NoPadding";
  private static final int BLOCK_BYTES = 16;

  private final SecretKeySpec key;
  private final AtomicLong nextNonce = new AtomicLong();

  /** Creates a random key. */
  FrameCipher(int keyBits) {
    byte[] bytes = new byte[keyBits / Byte.SIZE];
    new SecureRandom().nextBytes(bytes);
    this.key = new SecretKeySpec(bytes, "AES");
  }

  /** Returns a number that no other frame has. */
  long newNonce() {
    return nextNonce.getAndIncrement();
  }

  /** Encrypts or decrypts, which is the same, all of a buffer into another of equal size. */
  void apply(long nonce, ByteBuffer from, ByteBuffer to) {
    try {
      Cipher cipher = Cipher.getInstance(TRANSFORMATION);
      byte[] counter = ByteBuffer.allocate(BLOCK_BYTES).putLong(nonce).array();
      cipher.init(Cipher.ENCRYPT_MODE, key, new IvParameterSpec(counter));
      cipher.doFinal(from, to);
    } catch (GeneralSecurityException e) {
      throw new EngineException(
          ErrorCode.INTERNAL, "cannot encrypt spilled data with " + TRANSFORMATION, e);
    }
  }
}

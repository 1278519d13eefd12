package io.ariadne.shuffle.transport.ucx;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * The secret of one session: authenticates requests, and encrypts messages where that is set, by
 * AES-GCM with 256 bits. A nonce is a direction, a message number and a part, so that none is used
 * twice. Thread-safe.
 */
final class SessionKey {
  /** Bytes that a sealed message is longer. */
  static final int TAG_BYTES = 16;

  static final int KEY_BYTES = 32;

  private static final String ALGORITHM = "AES/GCM/NoPadding";
  private static final int NONCE_BYTES = 12;
  private static final int PART_BITS = 24;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final byte[] key;

  SessionKey(byte[] key) {
    this.key = key.clone();
  }

  /** Returns a fresh key. */
  static byte[] fresh() {
    byte[] key = new byte[KEY_BYTES];
    RANDOM.nextBytes(key);
    return key;
  }

  /** Who seals a message. */
  enum Direction {
    REQUEST,
    REPLY
  }

  private Cipher cipher(int mode, Direction direction, long number, int part)
      throws GeneralSecurityException {
    if (part < 0 || part >= 1 << PART_BITS) {
      throw new IllegalArgumentException("part " + part);
    }
    byte[] nonce =
        ByteBuffer.allocate(NONCE_BYTES)
            .putInt(direction.ordinal() << PART_BITS | part)
            .putLong(number)
            .array();
    Cipher cipher = Cipher.getInstance(ALGORITHM);
    cipher.init(
        mode, new SecretKeySpec(key, "AES"), new GCMParameterSpec(TAG_BYTES * Byte.SIZE, nonce));
    return cipher;
  }

  /** Encrypts a message into {@link #TAG_BYTES} more bytes. */
  void seal(Direction direction, long number, int part, ByteBuffer plain, ByteBuffer target) {
    try {
      cipher(Cipher.ENCRYPT_MODE, direction, number, part).doFinal(plain.duplicate(), target);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("AES-GCM of the JDK has failed", e);
    }
  }

  /**
   * Decrypts a message.
   *
   * @return whether it is what the holder of the key has sealed under these numbers
   */
  boolean open(Direction direction, long number, int part, ByteBuffer sealed, ByteBuffer target) {
    try {
      cipher(Cipher.DECRYPT_MODE, direction, number, part).doFinal(sealed.duplicate(), target);
      return true;
    } catch (GeneralSecurityException e) {
      return false;
    }
  }
}

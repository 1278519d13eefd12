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
    REPLY,
    BEGIN,
    END
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

  /** Returns an encrypted message, {@link #TAG_BYTES} longer, in direct memory. */
  ByteBuffer seal(Direction direction, long number, int part, ByteBuffer plain) {
    ByteBuffer sealed = ByteBuffer.allocateDirect(plain.remaining() + TAG_BYTES);
    seal(direction, number, part, plain, sealed);
    return sealed.flip();
  }

  /**
   * Encrypts a message.
   *
   * @param sealed takes the encrypted bytes, {@link #TAG_BYTES} more
   */
  void seal(Direction direction, long number, int part, ByteBuffer plain, ByteBuffer sealed) {
    try {
      cipher(Cipher.ENCRYPT_MODE, direction, number, part).doFinal(plain.duplicate(), sealed);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("AES-GCM of the JDK has failed", e);
    }
  }

  /**
   * Returns a decrypted message; null when it is not what the holder of the key has sealed under
   * these numbers.
   */
  ByteBuffer open(Direction direction, long number, int part, ByteBuffer sealed) {
    if (sealed.remaining() < TAG_BYTES) {
      return null;
    }
    ByteBuffer plain = ByteBuffer.allocate(sealed.remaining() - TAG_BYTES);
    return open(direction, number, part, sealed, plain) ? plain.flip() : null;
  }

  /**
   * Decrypts a message.
   *
   * @param plain takes the bytes, {@link #TAG_BYTES} less; may be the same memory
   * @return whether it is what the holder of the key has sealed under these numbers; else the
   *     contents of {@code plain} are undefined
   */
  boolean open(Direction direction, long number, int part, ByteBuffer sealed, ByteBuffer plain) {
    if (sealed.remaining() < TAG_BYTES) {
      return false;
    }
    try {
      cipher(Cipher.DECRYPT_MODE, direction, number, part).doFinal(sealed.duplicate(), plain);
      return true;
    } catch (GeneralSecurityException e) {
      return false;
    }
  }
}

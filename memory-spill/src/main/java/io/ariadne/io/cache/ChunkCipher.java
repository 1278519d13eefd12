package io.ariadne.io.cache;

import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Encrypts and authenticates the table and the chunks of one file with AES-GCM (NIST SP 800-38D).
 * The key belongs to this file alone and each part has a number, which is its nonce: no nonce is
 * used twice with a key, and parts cannot be exchanged. Thread-safe.
 */
final class ChunkCipher {
  /** Bytes that a part grows by. */
  static final int TAG_BYTES = 16;

  /** Number of the table; chunks have the numbers above. */
  static final long TABLE = 0;

  private static final String TRANSFORMATION = "AES/GCM/NoPadding";
  private static final int NONCE_BYTES = 12;

  private final SecretKeySpec key;

  ChunkCipher(SecretKeySpec key) {
    this.key = key;
  }

  /**
   * Encrypts a part.
   *
   * @param number the part's number
   * @param associated bytes that are authenticated too, may be empty
   * @param plain all remaining bytes are encrypted
   * @param stored receives them and the tag
   */
  void encrypt(long number, byte[] associated, ByteBuffer plain, ByteBuffer stored) {
    try {
      apply(Cipher.ENCRYPT_MODE, number, associated, plain, stored);
    } catch (GeneralSecurityException e) {
      throw failed(e);
    }
  }

  /**
   * Decrypts a part.
   *
   * @return whether the part is authentic; if not, the contents of {@code plain} are undefined
   */
  boolean decrypt(long number, byte[] associated, ByteBuffer stored, ByteBuffer plain) {
    try {
      apply(Cipher.DECRYPT_MODE, number, associated, stored, plain);
      return true;
    } catch (AEADBadTagException e) {
      return false;
    } catch (GeneralSecurityException e) {
      throw failed(e);
    }
  }

  private void apply(int mode, long number, byte[] associated, ByteBuffer from, ByteBuffer to)
      throws GeneralSecurityException {
    byte[] nonce = new byte[NONCE_BYTES];
    ByteBuffer.wrap(nonce).putLong(Integer.BYTES, number);
    Cipher cipher = Cipher.getInstance(TRANSFORMATION);
    cipher.init(mode, key, new GCMParameterSpec(TAG_BYTES * Byte.SIZE, nonce));
    cipher.updateAAD(associated);
    cipher.doFinal(from, to);
  }

  private static EngineException failed(GeneralSecurityException e) {
    return new EngineException(
        ErrorCode.INTERNAL, "cannot encrypt cached ranges with " + TRANSFORMATION, e);
  }
}

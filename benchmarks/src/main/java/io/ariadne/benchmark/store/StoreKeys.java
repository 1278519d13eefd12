package io.ariadne.benchmark.store;

import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * The keys of a local store. No message or log has the secret one.
 *
 * @param accessKey names the keys
 * @param secretKey signs requests
 */
public record StoreKeys(String accessKey, String secretKey) {
  private static final int ACCESS_BYTES = 8;
  private static final int SECRET_BYTES = 20;

  /** Returns new random keys. */
  public static StoreKeys random() {
    SecureRandom random = new SecureRandom();
    return new StoreKeys("AK" + hex(random, ACCESS_BYTES), hex(random, SECRET_BYTES));
  }

  private static String hex(SecureRandom random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return HexFormat.of().withUpperCase().formatHex(bytes);
  }

  @Override
  public String toString() {
    return "keys " + accessKey;
  }
}

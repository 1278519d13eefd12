package io.ariadne.it.scan;

import java.util.Base64;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.crypto.keytools.KmsClient;

/** A key management service for tests, without secrets. */
public final class TestingKms implements KmsClient {
  @Override
  public void initialize(
      Configuration configuration, String instanceId, String instanceUrl, String accessToken) {}

  @Override
  public String wrapKey(byte[] key, String masterKey) {
    return masterKey + ":" + Base64.getEncoder().encodeToString(key);
  }

  @Override
  public byte[] unwrapKey(String wrapped, String masterKey) {
    return Base64.getDecoder().decode(wrapped.substring(masterKey.length() + 1));
  }
}

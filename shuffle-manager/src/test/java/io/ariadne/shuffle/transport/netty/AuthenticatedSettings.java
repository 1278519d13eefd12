package io.ariadne.shuffle.transport.netty;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.network.crypto.AuthClientBootstrap;
import org.apache.spark.network.crypto.AuthServerBootstrap;
import org.apache.spark.network.sasl.SecretKeyHolder;
import org.apache.spark.network.util.TransportConf;

/** Connections between those that know a secret, as Spark's settings make them. */
public final class AuthenticatedSettings {
  private static final String APPLICATION = "application";

  private AuthenticatedSettings() {}

  private record Secret(String secret) implements SecretKeyHolder {
    @Override
    public String getSaslUser(String application) {
      return "user";
    }

    @Override
    public String getSecretKey(String application) {
      return secret;
    }
  }

  /** Returns settings of encrypted connections. */
  static TcpSettings encrypted(String secret) {
    return of(
        secret,
        Map.of(
            "spark.network.crypto.enabled", "true",
            "spark.network.crypto.saslFallback", "false"));
  }

  /**
   * Returns settings of connections of an executor that is scanned.
   *
   * @param secret what its peers know
   * @param encrypts whether the connections are encrypted; else they are only authenticated
   */
  public static TcpSettings scanned(String secret, boolean encrypts) {
    Map<String, String> settings = new HashMap<>();
    settings.put("spark.network.crypto.enabled", String.valueOf(encrypts));
    settings.put("spark.network.auth.rpcTimeout", "3s");
    return of(secret, settings);
  }

  private static TcpSettings of(String secret, Map<String, String> settings) {
    TransportConf conf = AbstractTestTcpTransport.conf(settings);
    return new TcpSettings(
        conf,
        "127.0.0.1",
        0,
        0,
        List.of(new AuthClientBootstrap(conf, APPLICATION, new Secret(secret))),
        List.of(new AuthServerBootstrap(conf, new Secret(secret))));
  }
}

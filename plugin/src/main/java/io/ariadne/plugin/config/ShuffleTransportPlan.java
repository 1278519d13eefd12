package io.ariadne.plugin.config;

import io.ariadne.shuffle.spark.ShuffleTransport;
import org.apache.spark.SparkConf;

/**
 * Whether an executor serves map outputs in memory by Ariadne's transport.
 *
 * @param isOurs false when Spark's block transfer moves them
 * @param ports where to listen; null when it is not ours
 * @param description the end of the start-up line
 */
public record ShuffleTransportPlan(
    boolean isOurs, ShuffleTransport.Ports ports, String description) {
  private static final String IO_ENCRYPTION = "spark.io.encryption.enabled";
  private static final String AUTHENTICATION = "spark.authenticate";
  private static final String CRYPTO = "spark.network.crypto.enabled";
  private static final String SASL = "spark.authenticate.enableSaslEncryption";
  private static final String TLS = "spark.ssl.rpc.enabled";
  private static final String PORT_RETRIES = "spark.port.maxRetries";
  private static final int DEFAULT_PORT_RETRIES = 16;

  /**
   * Decides.
   *
   * @param conf the application's settings
   * @param settings Ariadne's
   */
  public static ShuffleTransportPlan of(SparkConf conf, StartupConfig.Shuffle settings) {
    if (!ShuffleMode.of(conf).keepsOutputs() || ExecutorCores.isLocal(ExecutorCores.master(conf))) {
      return spark(""); // no map outputs in memory, or no other executors
    }
    if (settings.transport() == ShuffleTransportKind.SPARK) {
      return spark(", moved by Spark's block transfer");
    }
    if (conf.getBoolean(IO_ENCRYPTION, false) && !encryptsConnections(conf)) {
      // Spark sends the bytes of files, which are encrypted then.
      return spark(
          ", moved by Spark's block transfer: with "
              + IO_ENCRYPTION
              + " its blocks are encrypted, and connections are not");
    }
    return new ShuffleTransportPlan(
        true,
        new ShuffleTransport.Ports(
            settings.port(), conf.getInt(PORT_RETRIES, DEFAULT_PORT_RETRIES)),
        ", moved over TCP");
  }

  private static boolean encryptsConnections(SparkConf conf) {
    boolean authenticates = conf.getBoolean(AUTHENTICATION, false);
    return conf.getBoolean(TLS, false)
        || (authenticates && (conf.getBoolean(CRYPTO, false) || conf.getBoolean(SASL, false)));
  }

  private static ShuffleTransportPlan spark(String description) {
    return new ShuffleTransportPlan(false, null, description);
  }
}

package io.ariadne.plugin.config;

import io.ariadne.bridge.task.ConnectionSettings;
import io.ariadne.shuffle.spark.ShuffleTransport;
import io.ariadne.shuffle.transport.ucx.RdmaDevices;
import io.ariadne.shuffle.transport.ucx.UcxSecurity;
import java.util.Optional;
import org.apache.spark.SparkConf;

/**
 * Whether an executor serves map outputs in memory by Ariadne's transport.
 *
 * @param isOurs false when Spark's block transfer moves them
 * @param ports where to listen; null when it is not ours
 * @param encryption how connections are encrypted
 * @param ucx what is done to messages over UCX; empty when it is not used
 * @param description a part of the start-up line
 * @param advice what to change for Ariadne's transport; empty when it is in use
 */
public record ShuffleTransportPlan(
    boolean isOurs,
    ShuffleTransport.Ports ports,
    String encryption,
    Optional<UcxSecurity> ucx,
    String description,
    String advice) {
  private static final String IO_ENCRYPTION = "spark.io.encryption.enabled";
  private static final String AUTHENTICATION = "spark.authenticate";
  private static final String CRYPTO = "spark.network.crypto.enabled";
  private static final String SASL = "spark.authenticate.enableSaslEncryption";
  private static final String TLS = "spark.ssl.rpc.enabled";
  private static final String PORT_RETRIES = "spark.port.maxRetries";
  private static final int DEFAULT_PORT_RETRIES = 16;
  private static final String PLAIN = "not encrypted";

  /**
   * Decides.
   *
   * @param conf the application's settings
   * @param settings Ariadne's
   */
  public static ShuffleTransportPlan of(SparkConf conf, StartupConfig.Shuffle settings) {
    ShuffleMode mode = ShuffleMode.of(conf);
    String encryption = encryption(conf);
    if (ExecutorCores.isLocal(ExecutorCores.master(conf))) {
      return spark(encryption, "", "there are no other executors");
    }
    if (!mode.keepsOutputs()) {
      return spark(
          encryption,
          "",
          mode.needsOurs()
              ? "set spark.shuffle.manager=" + ShuffleMode.MANAGER_CLASS
              : "map outputs are files: " + mode.reasonForFiles().orElseThrow());
    }
    if (settings.transport() == ShuffleTransportKind.SPARK) {
      return spark(
          encryption,
          ", moved by Spark's block transfer",
          "set " + ConfigKeys.SHUFFLE_TRANSPORT.name() + "=tcp");
    }
    if (conf.getBoolean(IO_ENCRYPTION, false) && encryption.equals(PLAIN)) {
      // Spark sends the bytes of files, which are encrypted then.
      String reason =
          "with " + IO_ENCRYPTION + " its blocks are encrypted, and connections are not";
      return spark(
          encryption,
          ", moved by Spark's block transfer: " + reason,
          "encrypt connections, by " + TLS + " or " + CRYPTO + ": " + reason);
    }
    return new ShuffleTransportPlan(
        true,
        new ShuffleTransport.Ports(
            settings.port(), conf.getInt(PORT_RETRIES, DEFAULT_PORT_RETRIES)),
        encryption,
        usesUcx(settings.transport()) ? Optional.of(ucx(conf, encryption)) : Optional.empty(),
        ", moved over ",
        "");
  }

  private static boolean usesUcx(ShuffleTransportKind kind) {
    return kind == ShuffleTransportKind.UCX
        || (kind == ShuffleTransportKind.AUTO && !RdmaDevices.activePorts().isEmpty());
  }

  private static UcxSecurity ucx(SparkConf conf, String encryption) {
    boolean encrypts = !encryption.equals(PLAIN);
    return new UcxSecurity(encrypts || conf.getBoolean(AUTHENTICATION, false), encrypts);
  }

  private static String encryption(SparkConf conf) {
    if (ConnectionSettings.HAS_TLS && conf.getBoolean(TLS, false)) {
      return "TLS";
    }
    if (!conf.getBoolean(AUTHENTICATION, false)) {
      return PLAIN;
    }
    if (conf.getBoolean(CRYPTO, false)) {
      return "AES";
    }
    return conf.getBoolean(SASL, false) ? "SASL" : PLAIN;
  }

  private static ShuffleTransportPlan spark(String encryption, String description, String advice) {
    return new ShuffleTransportPlan(false, null, encryption, Optional.empty(), description, advice);
  }
}

package io.ariadne.bridge.task;

import org.apache.spark.SecurityManager;
import org.apache.spark.SparkConf;
import org.apache.spark.network.netty.SparkTransportConf;
import org.apache.spark.network.util.TransportConf;
import scala.Option;

/** Spark's settings of connections between executors: their maker differs between Spark lines. */
public final class ConnectionSettings {
  /** Whether {@code spark.ssl.rpc.*} encrypts connections. */
  public static final boolean HAS_TLS = false;

  /** The settings {@code spark.shuffle.io.*} apply. */
  private static final String MODULE = "shuffle";

  private ConnectionSettings() {}

  /**
   * Returns the settings of connections that move shuffle blocks.
   *
   * @param conf the application's settings
   * @param security has the secrets, and the keys of encrypted connections where Spark has them
   * @param cores cores of the process, which bound the number of threads
   */
  public static TransportConf of(SparkConf conf, SecurityManager security, int cores) {
    return SparkTransportConf.fromSparkConf(conf, MODULE, cores, Option.empty());
  }
}

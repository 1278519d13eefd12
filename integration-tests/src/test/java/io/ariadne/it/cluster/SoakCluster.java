package io.ariadne.it.cluster;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.deploy.master.Master$;
import org.apache.spark.deploy.worker.Worker$;
import org.apache.spark.rpc.RpcEnv;
import scala.Option;

/**
 * A standalone cluster whose master and workers are in this process, as those of {@code
 * local-cluster} are, but each worker at an address of its own: Spark starts no speculative attempt
 * on the host of the first one.
 */
final class SoakCluster implements AutoCloseable {
  private static final int CORES = 2;
  private static final int MEGABYTES = 1024;
  private static final String ADDRESSES = "127.0.0.";

  private final List<RpcEnv> started = new ArrayList<>();
  private final String masterUrl;

  /**
   * Starts it; Spark starts an executor on each worker.
   *
   * @param conf the application's settings
   */
  SoakCluster(SparkConf conf, int workers) {
    try {
      String host = ADDRESSES + 1;
      var master = Master$.MODULE$.startRpcEnvAndEndpoint(host, 0, 0, conf);
      started.add(master._1());
      masterUrl = "spark://" + host + ":" + master._1().address().port();
      for (int i = 0; i < workers; i++) {
        started.add(
            Worker$.MODULE$.startRpcEnvAndEndpoint(
                ADDRESSES + (i + 1),
                0,
                0,
                CORES,
                MEGABYTES,
                new String[] {masterUrl},
                null,
                Option.apply(i + 1),
                conf,
                Option.empty()));
      }
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /** Returns what {@code spark.master} has to be. */
  String masterUrl() {
    return masterUrl;
  }

  @Override
  public void close() {
    for (int i = started.size() - 1; i >= 0; i--) {
      started.get(i).shutdown();
      started.get(i).awaitTermination();
    }
    started.clear();
  }
}

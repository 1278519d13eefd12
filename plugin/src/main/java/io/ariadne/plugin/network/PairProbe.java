package io.ariadne.plugin.network;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.executor.ExecutorRuntime;
import io.ariadne.executor.ProcessRuntime;
import io.ariadne.plugin.config.ShuffleTransportPlan;
import io.ariadne.plugin.config.StartupConfig;
import io.ariadne.shuffle.spark.ShuffleTransport;
import io.ariadne.shuffle.transport.FetchFailure;
import java.io.IOException;
import java.io.Serial;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import org.apache.spark.BarrierTaskContext;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import scala.collection.Iterator;
import scala.runtime.AbstractFunction1;

/**
 * The tasks of one round of the network check. One task of each executor measures the way to it
 * from another: in round {@code r} executor {@code i} measures executor {@code i + r}, so that each
 * sends to one and receives from one at the same time.
 */
final class PairProbe extends AbstractFunction1<Iterator<Integer>, Iterator<PairResult>>
    implements Serializable {
  static final long MEGA = 1_000_000;
  static final long MAX_MEGABYTES = 100_000;
  static final long DEFAULT_BYTES = 64 * MEGA;

  @Serial private static final long serialVersionUID = 1;
  private static final String SEPARATOR = "\t";

  private final long bytes;
  private final int round;

  /**
   * Creates the tasks of a round.
   *
   * @param bytes how many are moved for each pair
   * @param round from 1 to the number of executors less one
   */
  PairProbe(long bytes, int round) {
    this.bytes = bytes;
    this.round = round;
  }

  /** An executor; the first of its tasks measures. */
  private record Member(String executor, String host) {
    static Member parse(String line) {
      String[] parts = line.split(SEPARATOR);
      return new Member(parts[0], parts[1]);
    }

    @Override
    public String toString() {
      return executor + " at " + host;
    }
  }

  @Override
  public Iterator<PairResult> apply(Iterator<Integer> ignored) {
    BarrierTaskContext task = BarrierTaskContext.get();
    SparkEnv env = SparkEnv.get();
    String mine = env.executorId() + SEPARATOR + env.blockManager().blockManagerId().host();
    String[] lines = task.allGather(mine);
    // Sorted, because tasks of another round may be on other executors.
    List<String> distinct = Arrays.stream(lines).distinct().sorted().toList();
    int self = distinct.indexOf(mine);
    boolean measures = Arrays.asList(lines).indexOf(mine) == task.partitionId();
    List<PairResult> results = new ArrayList<>();
    if (measures && distinct.size() > 1) {
      Member from = Member.parse(distinct.get((self + round) % distinct.size()));
      results.add(measure(from, Member.parse(mine), env.conf()));
    }
    return ScalaCollections.iterator(results.iterator());
  }

  private PairResult measure(Member from, Member to, SparkConf conf) {
    Optional<ExecutorRuntime> runtime = ProcessRuntime.find();
    if (runtime.isEmpty()) {
      return unmeasured(from, to, "none", "set spark.plugins=io.ariadne.AriadnePlugin");
    }
    ShuffleTransportPlan plan = ShuffleTransportPlan.of(conf, StartupConfig.of(conf).shuffle());
    if (!plan.isOurs()) {
      return unmeasured(from, to, "Spark's block transfer", plan.advice());
    }
    try {
      Optional<ShuffleTransport.Probe> probe =
          ShuffleTransport.of(runtime.get()).probe(from.executor(), bytes);
      return probe.isEmpty()
          ? unmeasured(from, to, "none", "executor " + from + " has not told the driver its port")
          : new PairResult(
              from.toString(),
              to.toString(),
              probe.get().transport() + ", " + plan.encryption(),
              probe.get().latencyNanos(),
              probe.get().bytesPerSecond(),
              plan.ucx().isPresent() && probe.get().transport().equals("tcp")
                  ? to + " asks " + from + " over TCP instead of UCX; its log says why"
                  : "");
    } catch (FetchFailure e) {
      return unmeasured(
          from, to, "none", advice(from, to, e.getCause() == null ? e : e.getCause()));
    } catch (RuntimeException e) {
      // The other pairs are measured all the same.
      return unmeasured(
          from, to, "none", "from executor " + from + " to executor " + to + ": " + e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("the check is cancelled", e);
    }
  }

  /** Returns what to change when blocks did not arrive. */
  private static String advice(Member from, Member to, Throwable cause) {
    // A closed port refuses connections, or swallows them.
    String message = String.valueOf(cause.getMessage());
    boolean mayBeClosed =
        cause instanceof TimeoutException
            || (cause instanceof IOException
                && (message.startsWith("Failed to connect")
                    || message.startsWith("Connecting to")));
    return mayBeClosed
        ? "open the port of executor " + from + " (spark.ariadne.shuffle.port): " + cause
        : "executor " + to + " gets nothing from executor " + from + ": " + cause;
  }

  private static PairResult unmeasured(Member from, Member to, String transport, String advice) {
    return new PairResult(from.toString(), to.toString(), transport, 0, 0, advice);
  }
}

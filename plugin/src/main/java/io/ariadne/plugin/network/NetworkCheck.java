package io.ariadne.plugin.network;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * An application for administrators: measures how map outputs move between the executors of a
 * cluster, and prints a line per pair. Started by {@code spark-submit} with the cluster's settings.
 */
public final class NetworkCheck {
  private NetworkCheck() {}

  /** Runs the check; an argument is the number of megabytes per pair. */
  public static void main(String[] arguments) {
    long bytes = arguments.length > 0 ? megabytes(arguments[0]) : PairProbe.DEFAULT_BYTES;
    JavaSparkContext context =
        new JavaSparkContext(
            SparkContext.getOrCreate(new SparkConf().setAppName("Ariadne network check")));
    try {
      System.out.print(NetworkReport.of(measure(context, bytes)).text());
    } finally {
      context.stop();
    }
  }

  private static long megabytes(String text) {
    try {
      long count = Long.parseLong(text);
      if (count > 0 && count <= PairProbe.MAX_MEGABYTES) {
        return count * PairProbe.MEGA;
      }
    } catch (NumberFormatException e) {
      // The message below has it.
    }
    throw new IllegalArgumentException(
        "'" + text + "' is not a number of megabytes from 1 to " + PairProbe.MAX_MEGABYTES);
  }

  /** Measures every pair, as many at the same time as there are executors. */
  static List<PairResult> measure(JavaSparkContext context, long bytes) {
    int slots = context.defaultParallelism();
    ClassTag<PairResult> tag = ClassTag$.MODULE$.apply(PairResult.class);
    // A barrier stage starts all its tasks at the same time, so that every executor has some.
    var measured =
        context
            .parallelize(IntStream.range(0, slots).boxed().toList(), slots)
            .rdd()
            .barrier()
            .mapPartitions(new PairProbe(bytes), false, tag);
    return new ArrayList<>(new JavaRDD<>(measured, tag).collect());
  }
}

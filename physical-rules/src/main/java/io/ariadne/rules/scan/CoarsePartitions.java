package io.ariadne.rules.scan;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.bridge.file.FileScanLine;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.execution.FileSourceScanExec;
import org.apache.spark.sql.execution.datasources.FilePartition;
import org.apache.spark.sql.execution.datasources.FileScanRDD;
import org.apache.spark.sql.execution.datasources.PartitionedFile;
import org.apache.spark.sql.internal.SQLConf;

/**
 * Plans coarser partitions of a scan than Spark's. All compute threads of a process work on each
 * partition, so more partitions than task slots only add tasks.
 *
 * <p>Spark's files, splits and pruning stay as they are. Neighbouring partitions are merged, so the
 * rows of all partitions keep Spark's order. Used on Spark's driver. Stateless.
 */
public final class CoarsePartitions {
  /** Most bytes of files in one partition, unless a single split of Spark's has more. */
  static final long MAX_PARTITION_BYTES = 512L << 20;

  /** Bytes of files up to which all may be one partition. */
  static final long MAX_SINGLE_BYTES = 4L << 30;

  /** The bytes that opening a file counts as, in addition to its own bytes. */
  private static final long OPEN_COST_BYTES = 32 << 10;

  /** Settings by which a user asks for partitions of a certain size or number. */
  private static final List<String> PARTITION_SETTINGS =
      List.of(
          SQLConf.FILES_MAX_PARTITION_BYTES().key(),
          SQLConf.FILES_OPEN_COST_IN_BYTES().key(),
          SQLConf.FILES_MIN_PARTITION_NUM().key(),
          SQLConf.FILES_MAX_PARTITION_NUM().key(),
          SQLConf.LEAF_NODE_DEFAULT_PARALLELISM().key());

  private CoarsePartitions() {}

  /**
   * Returns whether a scan's partitions may be merged as far as the scan itself goes: it has no
   * buckets, no setting asks for partitions of a certain size, and the number of executors does not
   * follow the number of tasks. Cheap and without effects.
   */
  public static boolean mayMerge(FileSourceScanExec scan) {
    SQLConf conf = scan.conf();
    return !scan.bucketedScan()
        && PARTITION_SETTINGS.stream().noneMatch(conf::contains)
        && !scan.sparkContext().conf().getBoolean("spark.dynamicAllocation.enabled", false);
  }

  /**
   * Returns whether all files of a scan may be one partition: its partitions may be merged, all
   * threads there are belong to this process, and the files are not too large. Lists the files,
   * which happens once per scan.
   */
  public static boolean mayBeSingle(FileSourceScanExec scan) {
    return mayMerge(scan)
        && scan.sparkContext().isLocal()
        && FileScanLine.listedBytes(scan) <= MAX_SINGLE_BYTES;
  }

  /**
   * Returns the partitions of a scan, numbered from 0. Lists and prunes its files.
   *
   * @param layout what the plan above the scan allows
   * @param scan Spark's node, whose subqueries have ended
   */
  public static List<FilePartition> of(PartitionLayout layout, FileSourceScanExec scan) {
    List<FilePartition> partitions = planned(scan);
    return switch (layout) {
      case SPARK -> partitions;
      case SINGLE -> merge(partitions, 1);
      case PER_SLOT ->
          prefersHosts(scan.sparkContext(), partitions)
              ? partitions
              : merge(partitions, count(bytes(partitions), slots(scan.sparkContext())));
    };
  }

  /** Returns Spark's partitions; those of tables with buckets come from the RDD Spark makes. */
  private static List<FilePartition> planned(FileSourceScanExec scan) {
    return scan.relation().bucketSpec().isEmpty()
        ? FileScanLine.plannedPartitions(scan)
        : ScalaCollections.list(((FileScanRDD) (RDD<?>) scan.inputRDD()).filePartitions());
  }

  /** Returns whether files are near some executors and far from others. */
  private static boolean prefersHosts(SparkContext context, List<FilePartition> partitions) {
    return !context.isLocal()
        && partitions.stream()
            .flatMap(partition -> Arrays.stream(partition.files()))
            .flatMap(file -> Arrays.stream(file.locations()))
            .anyMatch(host -> !host.equals("localhost"));
  }

  /** Returns how many tasks run at the same time, as far as is known; at least 1. */
  public static int slots(SparkContext context) {
    SparkConf conf = context.conf();
    return Math.max(context.defaultParallelism() / conf.getInt("spark.task.cpus", 1), 1);
  }

  private static long bytes(List<FilePartition> partitions) {
    return partitions.stream()
        .flatMap(partition -> Arrays.stream(partition.files()))
        .mapToLong(PartitionedFile::length)
        .sum();
  }

  /** Returns the number of partitions: the smallest multiple of the slots that holds all bytes. */
  static int count(long bytes, int slots) {
    long roundBytes = MAX_PARTITION_BYTES * slots;
    long rounds = Math.max((bytes + roundBytes - 1) / roundBytes, 1);
    return (int) Math.min(rounds * slots, Integer.MAX_VALUE);
  }

  /**
   * Merges neighbouring partitions.
   *
   * @param planned partitions with their files in order
   * @param count partitions to have at the most
   * @return as many partitions of about equally many bytes, fewer when there are fewer files; those
   *     that were given when they are not more; with a count of 1 exactly one
   */
  static List<FilePartition> merge(List<FilePartition> planned, int count) {
    if (planned.size() <= count && !planned.isEmpty()) {
      return planned;
    }
    PartitionedFile[] files =
        planned.stream()
            .flatMap(partition -> Arrays.stream(partition.files()))
            .toArray(PartitionedFile[]::new);
    if (count == 1) {
      return List.of(new FilePartition(0, files));
    }
    long total = 0;
    for (PartitionedFile file : files) {
      total += cost(file);
    }
    List<FilePartition> merged = new ArrayList<>();
    int first = 0;
    long before = 0;
    for (int i = 0; i < files.length; i++) {
      before += cost(files[i]);
      boolean isLast = i == files.length - 1;
      if (isLast || part(before + cost(files[i + 1]) / 2, total, count) > merged.size()) {
        merged.add(new FilePartition(merged.size(), Arrays.copyOfRange(files, first, i + 1)));
        first = i + 1;
      }
    }
    return merged;
  }

  private static long cost(PartitionedFile file) {
    return file.length() + OPEN_COST_BYTES;
  }

  /** Returns in which of so many equal parts of a range a position lies. */
  private static long part(long position, long total, int count) {
    return (long) ((double) position / total * count);
  }
}

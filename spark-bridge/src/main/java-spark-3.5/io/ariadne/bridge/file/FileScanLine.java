package io.ariadne.bridge.file;

import io.ariadne.bridge.ScalaCollections;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.SparkUpgradeException;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.trees.TreeNodeTag;
import org.apache.spark.sql.errors.QueryExecutionErrors;
import org.apache.spark.sql.execution.FileSourceScanExec;
import org.apache.spark.sql.execution.PartitionedFileUtil;
import org.apache.spark.sql.execution.datasources.FilePartition;
import org.apache.spark.sql.execution.datasources.FileStatusWithMetadata;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.execution.datasources.PartitionDirectory;
import org.apache.spark.sql.execution.datasources.PartitionedFile;
import org.apache.spark.sql.execution.datasources.SchemaColumnConvertNotSupportedException;
import org.apache.spark.sql.execution.metric.SQLMetric;
import scala.Option;
import scala.Tuple2;

/**
 * What differs between Spark lines in file scans, here for line 3.5. Every line has a class of
 * this name with the same methods. <p>{@code QueryExecutionErrors} is private[sql], but public
 * in bytecode.
 */
public final class FileScanLine {
  private static final TreeNodeTag<ListedMetrics> LISTED_METRICS =
      new TreeNodeTag<>("ariadneListedMetrics");

  /**
   * The driver metrics that listing has set, by name.
   *
   * @param scan identifies the node
   * @param values the metrics
   */
  private record ListedMetrics(int scan, Map<String, Long> values) {}

  private FileScanLine() {}

  /** Returns whether the reader converts like Spark 4, which widens more types than Spark 3.5. */
  public static boolean widensTypes() {
    return false;
  }

  /** Returns Hadoop's configuration for a relation: the session's options and the relation's. */
  public static Configuration hadoopConfiguration(HadoopFsRelation relation) {
    return relation.sparkSession().sessionState().newHadoopConfWithOptions(relation.options());
  }

  /**
   * Returns the size of the files that a scan lists, before dynamic pruning. Lists them once per
   * scan.
   */
  public static long listedBytes(FileSourceScanExec scan) {
    long bytes = 0;
    for (PartitionDirectory directory : listed(scan)) {
      for (FileStatusWithMetadata file :
          ScalaCollections.<FileStatusWithMetadata>list(directory.files())) {
        bytes += file.getLen();
      }
    }
    return bytes;
  }

  /** Returns the number of files that a scan lists. Lists them like {@link #listedBytes}. */
  public static long listedFiles(FileSourceScanExec scan) {
    int files = 0;
    for (PartitionDirectory directory : listed(scan)) {
      files += directory.files().size();
    }
    return files;
  }

  /**
   * Lists the files of a scan during planning. Spark sets the scan's driver metrics when it
   * lists, and without adaptive execution it resets them between planning and execution. They
   * are saved for {@link #restoreMetrics}.
   */
  private static PartitionDirectory[] listed(FileSourceScanExec scan) {
    PartitionDirectory[] directories = scan.selectedPartitions();
    if (listedMetrics(scan).isEmpty()) {
      Map<String, Long> values = new HashMap<>();
      for (Tuple2<String, SQLMetric> metric : driverMetrics(scan)) {
        if (!metric._2().isZero()) {
          values.put(metric._1(), metric._2().value());
        }
      }
      scan.setTagValue(LISTED_METRICS, new ListedMetrics(System.identityHashCode(scan), values));
    }
    return directories;
  }

  private static void restoreMetrics(FileSourceScanExec scan) {
    Map<String, Long> values = listedMetrics(scan);
    for (Tuple2<String, SQLMetric> metric : driverMetrics(scan)) {
      if (values.containsKey(metric._1())) {
        metric._2().set(values.get(metric._1()));
      }
    }
  }

  /**
   * Returns the saved metrics of exactly this scan. A copy of the scan has its tags but lists
   * files again.
   */
  private static Map<String, Long> listedMetrics(FileSourceScanExec scan) {
    Option<ListedMetrics> kept = scan.getTagValue(LISTED_METRICS);
    return kept.isDefined() && kept.get().scan() == System.identityHashCode(scan)
        ? kept.get().values()
        : Map.of();
  }

  private static List<Tuple2<String, SQLMetric>> driverMetrics(FileSourceScanExec scan) {
    return ScalaCollections.list(scan.driverMetrics());
  }

  /**
   * Returns the partitions that Spark plans for a scan, without creating Spark's reader. Lists
   * and prunes the files and posts the scan's metrics. The scan's subqueries must have ended.
   *
   * @param scan scan of a table without buckets
   */
  public static List<FilePartition> plannedPartitions(FileSourceScanExec scan) {
    SparkSession session = scan.relation().sparkSession();
    restoreMetrics(scan); // before dynamic pruning, which sets some of them
    PartitionDirectory[] directories = scan.dynamicallySelectedPartitions();
    long maxSplitBytes =
        FilePartition.maxSplitBytes(session, ScalaCollections.seq(List.of(directories)));
    List<PartitionedFile> files = new ArrayList<>();
    for (PartitionDirectory directory : directories) {
      for (FileStatusWithMetadata file :
          ScalaCollections.<FileStatusWithMetadata>list(directory.files())) {
        Path path = file.getPath();
        files.addAll(
            ScalaCollections.<PartitionedFile>list(
                PartitionedFileUtil.splitFiles(
                    session,
                    file,
                    path,
                    isSplitable(scan, path),
                    maxSplitBytes,
                    directory.values())));
      }
    }
    files.sort(Comparator.comparingLong(PartitionedFile::length).reversed());
    scan.sendDriverMetrics();
    return ScalaCollections.list(
        FilePartition.getFilePartitions(session, ScalaCollections.seq(files), maxSplitBytes));
  }

  private static boolean isSplitable(FileSourceScanExec scan, Path path) {
    HadoopFsRelation relation = scan.relation();
    return relation.fileFormat().isSplitable(relation.sparkSession(), relation.options(), path);
  }

  /** Returns the exception that Spark makes of a failure to open a file, before any handler. */
  static Throwable failureToOpen(Throwable cause) {
    return cause instanceof FileNotFoundException missing
        ? QueryExecutionErrors.readCurrentFileNotFoundError(missing)
        : cause;
  }

  /**
   * Returns whether {@code spark.sql.files.ignoreCorruptFiles} ignores a failure of Spark's
   * reader, for a file that the file system serves ({@code FileScanRDD}).
   *
   * @param cause the exception that the reader raises
   */
  static boolean isOfCorruptFile(Throwable cause) {
    return cause instanceof RuntimeException || cause instanceof IOException;
  }

  /**
   * Returns the exception that Spark's scan makes of a failure of its reader, for the first file
   * of a partition. Source: {@code FileScanRDD.nextIterator}, whose handler covers the reading
   * of a file's first batch, but neither its opening nor later batches. Spark wraps the failure
   * of a later file once more for each file before it; here it is wrapped once.
   *
   * @param path the file
   * @param cause the exception that the reader raises
   * @param isInFirstBatch whether it is raised while the first batch of the file is read
   */
  public static Throwable failure(String path, Throwable cause, boolean isInFirstBatch) {
    if (!isInFirstBatch || cause instanceof SparkUpgradeException) {
      return cause;
    }
    if (cause instanceof SchemaColumnConvertNotSupportedException mismatch) {
      return QueryExecutionErrors.unsupportedSchemaColumnConvertError(
          path,
          mismatch.getColumn(),
          mismatch.getLogicalType(),
          mismatch.getPhysicalType(),
          mismatch);
    }
    return cause.getCause() instanceof SparkUpgradeException upgrade
        ? upgrade
        : QueryExecutionErrors.cannotReadFilesError(cause, path);
  }
}

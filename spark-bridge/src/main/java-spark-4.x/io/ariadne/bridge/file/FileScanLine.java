package io.ariadne.bridge.file;

import io.ariadne.bridge.ScalaCollections;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.SparkUpgradeException;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.errors.QueryExecutionErrors;
import org.apache.spark.sql.execution.FileSourceScanExec;
import org.apache.spark.sql.execution.ListingPartition;
import org.apache.spark.sql.execution.PartitionedFileUtil;
import org.apache.spark.sql.execution.ScanFileListing;
import org.apache.spark.sql.execution.datasources.FilePartition;
import org.apache.spark.sql.execution.datasources.FileStatusWithMetadata;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.execution.datasources.PartitionedFile;
import org.apache.spark.sql.execution.datasources.SchemaColumnConvertNotSupportedException;

/**
 * What differs between Spark lines in file scans, here for lines 4.1 and 4.2. Every line has a
 * class of this name with the same methods. <p>{@code QueryExecutionErrors} is private[sql], but
 * public in bytecode.
 */
public final class FileScanLine {
  private FileScanLine() {}

  /** Returns whether the reader converts like Spark 4, which widens more types than Spark 3.5. */
  public static boolean widensTypes() {
    return true;
  }

  /** Returns Hadoop's configuration for a relation: the session's options and the relation's. */
  public static Configuration hadoopConfiguration(HadoopFsRelation relation) {
    return ((SparkSession) relation.sparkSession())
        .sessionState()
        .newHadoopConfWithOptions(relation.options());
  }

  /**
   * Returns the size of the files that a scan lists, before dynamic pruning. Lists them once per
   * scan.
   */
  public static long listedBytes(FileSourceScanExec scan) {
    return scan.selectedPartitions().totalFileSize();
  }

  /** Returns the number of files that a scan lists. Lists them like {@link #listedBytes}. */
  public static long listedFiles(FileSourceScanExec scan) {
    return scan.selectedPartitions().totalNumberOfFiles();
  }

  /**
   * Returns the partitions that Spark plans for a scan, without creating Spark's reader. Lists
   * and prunes the files and posts the scan's metrics. The scan's subqueries must have ended.
   *
   * @param scan scan of a table without buckets
   */
  public static List<FilePartition> plannedPartitions(FileSourceScanExec scan) {
    SparkSession session = (SparkSession) scan.relation().sparkSession();
    ScanFileListing listing = scan.dynamicallySelectedPartitions();
    long maxSplitBytes = FilePartition.maxSplitBytes(session, listing);
    List<PartitionedFile> files = new ArrayList<>();
    var directories = listing.filePartitionIterator();
    while (directories.hasNext()) {
      ListingPartition directory = directories.next();
      var statuses = directory.files();
      while (statuses.hasNext()) {
        FileStatusWithMetadata file = statuses.next();
        Path path = file.getPath();
        files.addAll(
            ScalaCollections.<PartitionedFile>list(
                PartitionedFileUtil.splitFiles(
                    file, path, isSplitable(scan, path), maxSplitBytes, directory.values())));
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

  /**
   * Returns the exception that Spark makes of a failure to open a file, before any handler: the
   * same exception.
   */
  static Throwable failureToOpen(Throwable cause) {
    return cause;
  }

  /**
   * Returns whether {@code spark.sql.files.ignoreCorruptFiles} ignores a failure of Spark's
   * reader, for a file that the file system serves ({@code FileScanRDD} and {@code
   * DataSourceUtils.shouldIgnoreCorruptFileException}).
   *
   * @param cause the exception that the reader raises
   */
  static boolean isOfCorruptFile(Throwable cause) {
    return cause instanceof RuntimeException
        || cause instanceof IOException
        || cause instanceof InternalError;
  }

  /**
   * Returns the exception that Spark's scan makes of a failure of its reader (4.1: {@code
   * FileDataSourceV2.attachFilePath}).
   *
   * @param path the file
   * @param cause the exception that the reader raises
   * @param isInFirstBatch whether it is raised while the first batch of the file is read; no
   * difference in these lines
   */
  public static Throwable failure(String path, Throwable cause, boolean isInFirstBatch) {
    if (cause instanceof SparkUpgradeException) {
      return cause;
    }
    if (cause instanceof SchemaColumnConvertNotSupportedException mismatch) {
      return QueryExecutionErrors.parquetColumnDataTypeMismatchError(
          path,
          mismatch.getColumn(),
          mismatch.getLogicalType(),
          mismatch.getPhysicalType(),
          mismatch);
    }
    return cause instanceof FileNotFoundException missing
        ? QueryExecutionErrors.fileNotExistError(path, missing)
        : QueryExecutionErrors.cannotReadFilesError(cause, path);
  }
}

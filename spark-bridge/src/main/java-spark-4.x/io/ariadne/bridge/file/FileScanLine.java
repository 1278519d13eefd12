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
 * What differs between Spark lines in file scans: here lines 4.1 and 4.2. Every line has a class of
 * this name with the same methods.
 *
 * <p>{@code QueryExecutionErrors} is private[sql], public in bytecode.
 */
public final class FileScanLine {
  private FileScanLine() {}

  /** Returns whether the reader converts as Spark 4 does: it widens more types than Spark 3.5. */
  public static boolean widensTypes() {
    return true;
  }

  /** Returns Hadoop's settings for a relation: the session's and the relation's options. */
  public static Configuration hadoopConfiguration(HadoopFsRelation relation) {
    return ((SparkSession) relation.sparkSession())
        .sessionState()
        .newHadoopConfWithOptions(relation.options());
  }

  /**
   * Returns the bytes of the files a scan has listed, before dynamic pruning. Lists them, once per
   * scan.
   */
  public static long listedBytes(FileSourceScanExec scan) {
    return scan.selectedPartitions().totalFileSize();
  }

  /** Returns how many files a scan has listed, as {@link #listedBytes} does. */
  public static long listedFiles(FileSourceScanExec scan) {
    return scan.selectedPartitions().totalNumberOfFiles();
  }

  /**
   * Returns the partitions Spark plans for a scan, without making Spark's reader. Lists and prunes
   * the files and posts the scan's figures; the scan's subqueries must have ended.
   *
   * @param scan of a table without buckets
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

  /** Returns what Spark makes of the failure to open a file, before any handler: the same. */
  static Throwable failureToOpen(Throwable cause) {
    return cause;
  }

  /**
   * Returns whether a failure of Spark's reader, of a file that the file system hands out, is one
   * that {@code spark.sql.files.ignoreCorruptFiles} passes over ({@code FileScanRDD} and {@code
   * DataSourceUtils.shouldIgnoreCorruptFileException}).
   *
   * @param cause what the reader raises
   */
  static boolean isOfCorruptFile(Throwable cause) {
    return cause instanceof RuntimeException
        || cause instanceof IOException
        || cause instanceof InternalError;
  }

  /**
   * Returns what a scan of Spark's makes of a failure of its reader (4.1: {@code
   * FileDataSourceV2.attachFilePath}).
   *
   * @param path the file
   * @param cause what the reader raises
   * @param isInFirstBatch whether while the first batch of the file is read: the same here
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

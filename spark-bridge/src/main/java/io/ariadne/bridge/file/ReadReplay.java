package io.ariadne.bridge.file;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.Serializable;
import java.net.URI;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.BlockMissingException;
import org.apache.hadoop.mapred.FileSplit;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskID;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.apache.hadoop.security.AccessControlException;
import org.apache.parquet.HadoopReadOptions;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.ParquetInputFormat;
import org.apache.parquet.hadoop.metadata.FileMetaData;
import org.apache.parquet.hadoop.util.HadoopInputFile;
import org.apache.spark.TaskContext;
import org.apache.spark.internal.config.ConfigEntry;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.DateTimeUtils;
import org.apache.spark.sql.catalyst.util.RebaseDateTime.RebaseSpec;
import org.apache.spark.sql.execution.FileSourceScanExec;
import org.apache.spark.sql.execution.datasources.DataSourceUtils;
import org.apache.spark.sql.execution.datasources.parquet.ParquetOptions;
import org.apache.spark.sql.execution.datasources.parquet.ParquetReadSupport;
import org.apache.spark.sql.execution.datasources.parquet.ParquetWriteSupport;
import org.apache.spark.sql.execution.datasources.parquet.VectorizedParquetRecordReader;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.StructType;

/**
 * Reads a slice of a Parquet file with Spark's own reader to find out what it raises. Used for
 * files that Ariadne's reader could not read, so that class, condition and message of the error are
 * Spark's. Created on Spark's driver, used on executors by any thread.
 *
 * <p>The reader gets what {@code ParquetFileFormat.buildReaderWithPartitionValues} gives it (Spark
 * 3.5.8 and 4.1.3), except pushed filters, which only save it row groups.
 */
public final class ReadReplay implements Serializable {
  private static final long serialVersionUID = 1L;
  private static final int BATCH_ROWS = 4096;

  private final SparkFiles files;
  private final String schema;
  private final Map<String, String> settings;
  private final String datetimeRebaseMode;
  private final String int96RebaseMode;
  private final String int96Zone;

  /**
   * What Spark's reader raises.
   *
   * @param cause the exception, as {@code FileScanRDD} gets it
   * @param stage what the reader was doing
   * @param isPassedOver whether a scan that ignores corrupt files skips the rest of the file
   */
  public record Failure(Throwable cause, Stage stage, boolean isPassedOver) {}

  /** The steps in which Spark's reader processes a slice. */
  public enum Stage {
    OPENING,
    FIRST_BATCH,
    LATER_BATCH
  }

  private ReadReplay(
      SparkFiles files,
      String schema,
      Map<String, String> settings,
      ParquetOptions options,
      String int96Zone) {
    this.files = files;
    this.schema = schema;
    this.settings = settings;
    this.datetimeRebaseMode = options.datetimeRebaseModeInRead();
    this.int96RebaseMode = options.int96RebaseModeInRead();
    this.int96Zone = int96Zone;
  }

  /**
   * Returns a replay that reads slices as Spark's scan does.
   *
   * @param scan scan of Parquet files
   * @param files opens them
   */
  public static ReadReplay of(FileSourceScanExec scan, SparkFiles files) {
    SQLConf conf = scan.conf();
    return new ReadReplay(
        files,
        scan.requiredSchema().json(),
        settings(conf),
        new ParquetOptions(scan.relation().options(), conf),
        conf.isParquetINT96TimestampConversion() ? conf.sessionLocalTimeZone() : null);
  }

  /** Source: {@code ParquetFileFormat}, {@code setupHadoopConf} since Spark 4.1. */
  private static Map<String, String> settings(SQLConf conf) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put(ParquetInputFormat.READ_SUPPORT_CLASS, ParquetReadSupport.class.getName());
    for (ConfigEntry<?> entry :
        new ConfigEntry<?>[] {
          SQLConf.SESSION_LOCAL_TIMEZONE(),
          SQLConf.NESTED_SCHEMA_PRUNING_ENABLED(),
          SQLConf.CASE_SENSITIVE(),
          SQLConf.PARQUET_BINARY_AS_STRING(),
          SQLConf.PARQUET_INT96_AS_TIMESTAMP(),
          SQLConf.PARQUET_INFER_TIMESTAMP_NTZ_ENABLED(),
          SQLConf.LEGACY_PARQUET_NANOS_AS_LONG()
        }) {
      settings.put(entry.key(), String.valueOf(conf.getConf(entry)));
    }
    return settings;
  }

  /**
   * Reads a slice in batches, which are discarded, until Spark's reader fails.
   *
   * @param address the file's address as Spark has it: percent-encoded, with scheme
   * @param start first byte
   * @param lengthInBytes number of bytes
   * @return null when Spark's reader reads all of it, cannot run (out of memory, or a class of this
   *     Spark differs), or the task is killed
   */
  public Failure failure(String address, long start, long lengthInBytes) {
    Stage[] stage = {Stage.OPENING};
    try {
      read(new Path(URI.create(address)), start, lengthInBytes, stage);
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    } catch (Exception | AssertionError | InternalError e) { // every exception is a result
      return isKilled() ? null : failure(e, stage[0]);
    } catch (OutOfMemoryError | LinkageError e) { // from a damaged file
      return null;
    }
  }

  private static Failure failure(Throwable cause, Stage stage) {
    Throwable raised = stage == Stage.OPENING ? FileScanLine.failureToOpen(cause) : cause;
    return new Failure(raised, stage, isPassedOver(raised));
  }

  /**
   * Returns whether a failure counts as damage. Source: {@code FileScanRDD}: a file that the file
   * system refuses to serve may be intact.
   */
  static boolean isPassedOver(Throwable cause) {
    boolean isRefused =
        cause instanceof FileNotFoundException
            || cause instanceof AccessControlException
            || cause instanceof BlockMissingException;
    return !isRefused && FileScanLine.isOfCorruptFile(cause);
  }

  private static boolean isKilled() {
    TaskContext context = TaskContext.get();
    return Thread.currentThread().isInterrupted() || (context != null && context.isInterrupted());
  }

  private void read(Path path, long start, long lengthInBytes, Stage[] stage)
      throws IOException, InterruptedException {
    Configuration configuration = configuration();
    try (VectorizedParquetRecordReader reader =
        reader(metadata(path, start, lengthInBytes, configuration))) {
      reader.initialize(
          new FileSplit(path, start, lengthInBytes, new String[0]),
          new TaskAttemptContextImpl(
              configuration, new TaskAttemptID(new TaskID(new JobID(), TaskType.MAP, 0), 0)));
      reader.initBatch(new StructType(), InternalRow.empty());
      reader.enableReturningBatches();
      stage[0] = Stage.FIRST_BATCH;
      while (!isKilled() && reader.nextKeyValue()) {
        reader.getCurrentValue();
        stage[0] = Stage.LATER_BATCH;
      }
    }
  }

  private Configuration configuration() {
    Configuration configuration = new Configuration(files.configuration());
    settings.forEach(configuration::set);
    configuration.set(ParquetReadSupport.SPARK_ROW_REQUESTED_SCHEMA(), schema);
    configuration.set(ParquetWriteSupport.SPARK_ROW_SCHEMA(), schema);
    return configuration;
  }

  private static FileMetaData metadata(
      Path path, long start, long lengthInBytes, Configuration configuration) throws IOException {
    try (ParquetFileReader file =
        ParquetFileReader.open(
            HadoopInputFile.fromPath(path, configuration),
            HadoopReadOptions.builder(configuration, path)
                .withRange(start, start + lengthInBytes)
                .build())) {
      return file.getFileMetaData();
    }
  }

  private VectorizedParquetRecordReader reader(FileMetaData metadata) {
    Map<String, String> pairs = metadata.getKeyValueMetaData();
    RebaseSpec datetime = DataSourceUtils.datetimeRebaseSpec(pairs::get, datetimeRebaseMode);
    RebaseSpec int96 = DataSourceUtils.int96RebaseSpec(pairs::get, int96RebaseMode);
    boolean isLocal = int96Zone != null && !metadata.getCreatedBy().startsWith("parquet-mr");
    ZoneId zone = isLocal ? DateTimeUtils.getZoneId(int96Zone) : null;
    return new VectorizedParquetRecordReader(
        zone,
        datetime.mode().toString(),
        datetime.timeZone(),
        int96.mode().toString(),
        int96.timeZone(),
        false,
        BATCH_ROWS);
  }
}

package io.ariadne.rules.scan;

import io.ariadne.bridge.file.ReadReplay;
import io.ariadne.bridge.file.SparkFiles;
import io.ariadne.bridge.task.InputFiles;
import io.ariadne.columnar.type.Schema;
import io.ariadne.executor.ExecutorRuntime;
import io.ariadne.io.ReadCounters;
import io.ariadne.operator.SplitSourceFactory;
import io.ariadne.parquet.scan.FileSlice;
import io.ariadne.parquet.scan.ParquetScanSpec;
import io.ariadne.parquet.scan.ParquetSplitSource;
import io.ariadne.parquet.scan.ReferenceReader;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.execution.datasources.FilePartition;
import org.apache.spark.sql.execution.datasources.PartitionedFile;

/** A scan in the form that its tasks use. Shipped to executors. */
public final class ParquetTaskScan implements Serializable {
  private static final long serialVersionUID = 1L;

  private final ParquetScanSpec spec;
  private final List<FileConstant> constants;
  private final SparkFiles opener;
  private final ReadReplay replay;

  /**
   * Creates a scan.
   *
   * @param spec what is read from every file
   * @param constants the constant columns
   * @param opener opens the files
   * @param replay reads slices again with Spark's reader when Ariadne's reader has failed
   */
  ParquetTaskScan(
      ParquetScanSpec spec, List<FileConstant> constants, SparkFiles opener, ReadReplay replay) {
    this.spec = spec;
    this.constants = List.copyOf(constants);
    this.opener = opener;
    this.replay = replay;
  }

  /** Returns the output columns of the scan. */
  public Schema schema() {
    return spec.schema();
  }

  /**
   * Returns the source of one task's batches.
   *
   * @param partition the files
   * @param files records the file of each batch, if a node may ask for it
   * @param runtime reads them
   */
  public SplitSourceFactory source(
      FilePartition partition, InputFiles files, ExecutorRuntime runtime) {
    List<FileSlice> slices = new ArrayList<>();
    for (PartitionedFile file : partition.files()) {
      files.place(slices.size(), file.urlEncodedPath(), file.start(), file.length());
      slices.add(slice(file));
    }
    int batchRows = runtime.batchRows(spec.options().batchRows());
    ParquetScanSpec read = spec.withBatchRows(batchRows);
    return (context, counters) ->
        ParquetSplitSource.factory(
                read,
                slices,
                new ListedFiles(opener, partition, ReadCounters.of(counters)),
                this::failure,
                files.isAsked(),
                runtime.readAhead())
            .create(context, counters);
  }

  private ReferenceReader.Failure failure(FileSlice slice) {
    ReadReplay.Failure failure = replay.failure(slice.path(), slice.start(), slice.lengthInBytes());
    return failure == null
        ? null
        : new ReferenceReader.Failure(
            failure.cause(), isInFirstBatch(failure.stage()), failure.isPassedOver());
  }

  private boolean isInFirstBatch(ReadReplay.Stage stage) {
    return stage == ReadReplay.Stage.FIRST_BATCH || (stage == ReadReplay.Stage.OPENING && isLazy());
  }

  /** Spark opens files as if it read them where it may have to pass over them. */
  private boolean isLazy() {
    return spec.options().ignoresCorruptFiles() || spec.options().ignoresMissingFiles();
  }

  private FileSlice slice(PartitionedFile file) {
    return new FileSlice(
        file.urlEncodedPath(),
        file.start(),
        file.length(),
        constants.stream().map(constant -> constant.of(file)).toList());
  }
}

package io.ariadne.rules.scan;

import io.ariadne.bridge.file.SparkFiles;
import io.ariadne.columnar.type.Schema;
import io.ariadne.expression.Literal;
import io.ariadne.operator.SplitSourceFactory;
import io.ariadne.parquet.scan.FileSlice;
import io.ariadne.parquet.scan.ParquetScanSpec;
import io.ariadne.parquet.scan.ParquetSplitSource;
import io.ariadne.rules.expression.ColumnTypes;
import io.ariadne.rules.expression.Constants;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.datasources.FilePartition;
import org.apache.spark.sql.execution.datasources.PartitionedFile;
import org.apache.spark.sql.types.DataType;

/** A scan as its tasks see it. Shipped to executors. */
public final class ParquetTaskScan implements Serializable {
  private static final long serialVersionUID = 1L;

  private final ParquetScanSpec spec;
  private final List<Integer> partitionPositions;
  private final List<DataType> partitionTypes;
  private final SparkFiles files;

  /**
   * Creates a scan.
   *
   * @param spec what is read of every file
   * @param partitionPositions which partition value each constant column is
   * @param partitionTypes Spark's types of those
   * @param files opens the files
   */
  ParquetTaskScan(
      ParquetScanSpec spec,
      List<Integer> partitionPositions,
      List<DataType> partitionTypes,
      SparkFiles files) {
    this.spec = spec;
    this.partitionPositions = List.copyOf(partitionPositions);
    this.partitionTypes = List.copyOf(partitionTypes);
    this.files = files;
  }

  /** Returns the columns the scan puts out. */
  public Schema schema() {
    return spec.schema();
  }

  /** Returns the source of one task's batches. */
  public SplitSourceFactory source(FilePartition partition) {
    List<FileSlice> slices = new ArrayList<>();
    for (PartitionedFile file : partition.files()) {
      slices.add(slice(file));
    }
    return ParquetSplitSource.factory(
        spec, slices, slice -> files.open(slice.path(), slice.fileLengthInBytes()));
  }

  private FileSlice slice(PartitionedFile file) {
    return new FileSlice(
        file.urlEncodedPath(),
        file.start(),
        file.length(),
        file.fileSize(),
        file.modificationTime(),
        constants(file.partitionValues()));
  }

  private List<Literal> constants(InternalRow partitionValues) {
    List<Literal> constants = new ArrayList<>();
    for (int i = 0; i < partitionPositions.size(); i++) {
      DataType type = partitionTypes.get(i);
      Object value = partitionValues.get(partitionPositions.get(i), type);
      constants.add(Constants.tryOf(value, ColumnTypes.of(type).orElseThrow()).orElseThrow());
    }
    return constants;
  }
}

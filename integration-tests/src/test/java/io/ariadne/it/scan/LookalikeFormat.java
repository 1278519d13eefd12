package io.ariadne.it.scan;

import org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat;

/**
 * A table format that extends Spark's Parquet, as Delta's does: its files may not be all there is.
 */
public final class LookalikeFormat extends ParquetFileFormat {
  private static final long serialVersionUID = 1L;

  @Override
  public String shortName() {
    return "lookalike";
  }
}

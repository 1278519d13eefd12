package io.ariadne.parquet.metadata;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.testing.TestingAllocator;
import io.ariadne.parquet.testing.ParquetMrFiles;
import io.ariadne.parquet.testing.ParquetTestingFiles;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Compares footers of the public files of apache/parquet-testing with parquet-mr's. */
class TestParquetTestingFooters {
  /** parquet-mr fails with a NullPointerException on an annotation it does not know. */
  private static final String BEYOND_PARQUET_MR = "unknown-logical-type.parquet";

  @Test
  void readsUnknownAnnotations() throws IOException {
    FileMetadata metadata =
        MetadataComparison.read(
            ParquetTestingFiles.folder().resolve(BEYOND_PARQUET_MR),
            ColumnSelection.ALL,
            new TestingAllocator());
    assertTrue(
        metadata.leaves().stream()
            .anyMatch(leaf -> leaf.annotation().kind() == LogicalKind.UNRECOGNISED));
  }

  @TestFactory
  Stream<DynamicTest> testSameAsParquetMr() {
    return ParquetTestingFiles.files().stream()
        .filter(file -> !file.endsWith(BEYOND_PARQUET_MR))
        .map(
            file ->
                DynamicTest.dynamicTest(
                    file.getFileName().toString(),
                    () ->
                        MetadataComparison.assertSame(
                            ParquetMrFiles.footer(file),
                            MetadataComparison.read(
                                file, ColumnSelection.ALL, new TestingAllocator()))));
  }
}

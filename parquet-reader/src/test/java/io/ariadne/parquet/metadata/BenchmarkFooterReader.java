package io.ariadne.parquet.metadata;

import io.ariadne.columnar.testing.TestingAllocator;
import io.ariadne.io.LocalFileReader;
import io.ariadne.parquet.testing.ParquetMrFiles;
import io.ariadne.parquet.testing.RandomGroups;
import io.ariadne.parquet.testing.WriterOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Types;

/**
 * Measures the time to open a file and read its footer, warm, for this reader and parquet-mr: the
 * median of many runs, in microseconds, for files of different width. A main class without
 * arguments.
 */
public final class BenchmarkFooterReader {
  private static final int ROUNDS = 400;

  private BenchmarkFooterReader() {}

  private interface Opening {
    Object open() throws IOException;
  }

  private static double medianMicros(int rounds, Opening opening) throws IOException {
    double[] micros = new double[rounds];
    for (int i = 0; i < rounds; i++) {
      long begin = System.nanoTime();
      if (opening.open() == null) {
        throw new IllegalStateException("nothing was read");
      }
      micros[i] = (System.nanoTime() - begin) / 1000.0;
    }
    Arrays.sort(micros, rounds / 2, rounds); // the first half warms up
    return micros[rounds / 2 + rounds / 4];
  }

  private static MessageType schema(int columns) {
    Types.MessageTypeBuilder builder = Types.buildMessage();
    for (int i = 0; i < columns; i++) {
      builder.optional(PrimitiveTypeName.INT64).named("column_" + i);
    }
    return builder.named("wide");
  }

  /** Runs. */
  public static void main(String[] arguments) throws IOException {
    TestingAllocator allocator = new TestingAllocator();
    Path file = Files.createTempFile("footer", ".parquet");
    try {
      for (int columns : new int[] {4, 16, 100, 1000, 10_000}) {
        MessageType schema = schema(columns);
        RandomGroups groups = new RandomGroups(new Random(1), 100, 0.1);
        int rows = Math.max(3, 10_000 / columns);
        ParquetMrFiles.write(
            file,
            schema,
            groups.rows(schema, rows),
            WriterOptions.PLAIN.withRowGroupBytes(20_000),
            Map.of());
        int rounds = columns > 1000 ? ROUNDS / 8 : ROUNDS;
        ColumnSelection three =
            ColumnSelection.of(List.of("column_0", "column_2", "column_3"), List.of());
        double all = time(file, ColumnSelection.ALL, allocator, rounds);
        double some = time(file, three, allocator, rounds);
        double theirs = medianMicros(rounds, () -> ParquetMrFiles.footer(file));
        FileMetadata metadata = MetadataComparison.read(file, three, allocator);
        System.out.printf(
            "%d columns, %d row groups: all columns %.0f us, three columns %.0f us, "
                + "parquet-mr %.0f us%n",
            columns, metadata.rowGroups().size(), all, some, theirs);
      }
    } finally {
      Files.delete(file);
    }
  }

  private static double time(
      Path file, ColumnSelection selection, TestingAllocator allocator, int rounds)
      throws IOException {
    return medianMicros(
        rounds,
        () -> {
          try (LocalFileReader reader = LocalFileReader.open(file)) {
            return FooterReader.read(reader, "file", selection, allocator);
          }
        });
  }
}

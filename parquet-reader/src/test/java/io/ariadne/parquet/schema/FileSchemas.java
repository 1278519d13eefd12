package io.ariadne.parquet.schema;

import io.ariadne.columnar.testing.TestingAllocator;
import io.ariadne.parquet.metadata.ColumnSelection;
import io.ariadne.parquet.metadata.FileMetadata;
import io.ariadne.parquet.metadata.FooterReader;
import io.ariadne.parquet.testing.MemoryFile;
import io.ariadne.parquet.testing.ParquetMrFiles;
import io.ariadne.parquet.testing.WriterOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.parquet.schema.MessageTypeParser;

/** Footers of files without rows, by schema. */
final class FileSchemas {
  private FileSchemas() {}

  /** Returns the footer of a file with these fields, in the syntax of parquet-mr. */
  static FileMetadata of(String fields) {
    return of(fields, Map.of());
  }

  static FileMetadata of(String fields, Map<String, String> keyValues) {
    try {
      Path file = Files.createTempFile("schema", ".parquet");
      try {
        ParquetMrFiles.write(
            file,
            MessageTypeParser.parseMessageType("message m { " + fields + " }"),
            List.of(),
            WriterOptions.PLAIN,
            keyValues);
        MemoryFile memory = new MemoryFile("schema.parquet", Files.readAllBytes(file));
        return FooterReader.read(
            memory, "schema.parquet", ColumnSelection.ALL, new TestingAllocator());
      } finally {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

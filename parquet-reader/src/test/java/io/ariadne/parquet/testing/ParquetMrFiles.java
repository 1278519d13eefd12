package io.ariadne.parquet.testing;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;

/** Writes and opens files through parquet-mr. */
public final class ParquetMrFiles {
  private ParquetMrFiles() {}

  /**
   * Writes a file.
   *
   * @param file path of the file
   * @param schema its schema
   * @param rows its rows
   * @param options how it is written
   * @param keyValues additional key-value pairs of the footer
   */
  public static void write(
      Path file,
      MessageType schema,
      List<Group> rows,
      WriterOptions options,
      Map<String, String> keyValues)
      throws IOException {
    write(builder(file, schema, options).withExtraMetaData(keyValues), rows);
  }

  /**
   * Writes a file with given encodings.
   *
   * @param file path of the file
   * @param schema its schema
   * @param rows its rows
   * @param options how it is written; the encodings decide whether there are dictionaries
   * @param encodings by names of top-level columns
   */
  public static void writeEncoded(
      Path file,
      MessageType schema,
      List<Group> rows,
      WriterOptions options,
      Map<String, Encoding> encodings)
      throws IOException {
    ExampleParquetWriter.Builder builder = builder(file, schema, options);
    new ForcedEncodings(encodings).installIn(builder);
    write(builder, rows);
  }

  private static void write(ExampleParquetWriter.Builder builder, List<Group> rows)
      throws IOException {
    try (ParquetWriter<Group> writer = builder.build()) {
      for (Group row : rows) {
        writer.write(row);
      }
    }
  }

  private static ExampleParquetWriter.Builder builder(
      Path file, MessageType schema, WriterOptions options) {
    ExampleParquetWriter.Builder builder =
        ExampleParquetWriter.builder(new LocalOutputFile(file))
            .withType(schema)
            .withConf(new Configuration(false))
            .withWriteMode(ParquetFileWriter.Mode.OVERWRITE)
            .withWriterVersion(options.version())
            .withCompressionCodec(options.codec())
            .withDictionaryEncoding(options.dictionary())
            .withRowGroupSize(options.rowGroupBytes())
            .withMinRowCountForPageSizeCheck(1)
            .withMaxRowCountForPageSizeCheck(100)
            .withPageRowCountLimit(options.pageRows())
            .withStatisticsEnabled(options.statistics())
            .withPageWriteChecksumEnabled(options.checksums())
            .withByteStreamSplitEncoding(options.byteStreamSplit());
    if (options.bloomFilters()) {
      for (ColumnDescriptor column : schema.getColumns()) {
        boolean isBoolean =
            column.getPrimitiveType().getPrimitiveTypeName() == PrimitiveTypeName.BOOLEAN;
        if (!isBoolean) {
          builder.withBloomFilterNDV(String.join(".", column.getPath()), 500);
        }
      }
    }
    if (options.codec() == CompressionCodecName.BROTLI) {
      builder.withCodecFactory(new StoredBrotli());
    }
    return builder;
  }

  /** Opens a file; the caller closes it. */
  public static ParquetFileReader open(Path file) throws IOException {
    return ParquetFileReader.open(
        new LocalInputFile(file),
        ParquetReadOptions.builder(new PlainParquetConfiguration()).build());
  }

  /** Reads a footer. */
  public static ParquetMetadata footer(Path file) throws IOException {
    try (ParquetFileReader reader = open(file)) {
      return reader.getFooter();
    }
  }
}

package io.ariadne.parquet.testing;

import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;

/**
 * The options of parquet-mr's writer that tests vary.
 *
 * @param version version of the data pages
 * @param codec codec of the pages
 * @param dictionary whether columns may be dictionary-encoded
 * @param rowGroupBytes bytes after which a row group ends
 * @param pageRows rows after which a page ends
 * @param bloomFilters whether every column gets a bloom filter
 * @param statistics whether there are statistics
 * @param checksums whether pages have checksums
 * @param byteStreamSplit whether floats are encoded by BYTE_STREAM_SPLIT
 */
public record WriterOptions(
    WriterVersion version,
    CompressionCodecName codec,
    boolean dictionary,
    long rowGroupBytes,
    int pageRows,
    boolean bloomFilters,
    boolean statistics,
    boolean checksums,
    boolean byteStreamSplit) {
  /** One row group, V1 pages, dictionaries, uncompressed. */
  public static final WriterOptions PLAIN =
      new WriterOptions(
          WriterVersion.PARQUET_1_0,
          CompressionCodecName.UNCOMPRESSED,
          true,
          1 << 30,
          20_000,
          false,
          true,
          false,
          false);

  /** Returns these options with another codec. */
  public WriterOptions withCodec(CompressionCodecName other) {
    return new WriterOptions(
        version,
        other,
        dictionary,
        rowGroupBytes,
        pageRows,
        bloomFilters,
        statistics,
        checksums,
        byteStreamSplit);
  }

  /** Returns these options with another page version and use of dictionaries. */
  public WriterOptions withPages(WriterVersion other, boolean hasDictionary, int rows) {
    return new WriterOptions(
        other,
        codec,
        hasDictionary,
        rowGroupBytes,
        rows,
        bloomFilters,
        statistics,
        checksums,
        byteStreamSplit);
  }

  /** Returns these options with smaller row groups. */
  public WriterOptions withRowGroupBytes(long bytes) {
    return new WriterOptions(
        version,
        codec,
        dictionary,
        bytes,
        pageRows,
        bloomFilters,
        statistics,
        checksums,
        byteStreamSplit);
  }

  /** Returns these options with other extras. */
  public WriterOptions withExtras(boolean bloom, boolean stats, boolean crc, boolean split) {
    return new WriterOptions(
        version, codec, dictionary, rowGroupBytes, pageRows, bloom, stats, crc, split);
  }
}

package io.ariadne.benchmark.cloudsort;

import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.api.WriteSupport;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.RecordConsumer;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Types;

/**
 * Writes a Parquet file of records with the columns {@code key} and {@code payload}, uncompressed
 * and without dictionaries. Not thread-safe.
 */
final class RecordFileWriter implements AutoCloseable {
  /** Name of the column with the first bytes of a record. */
  static final String KEY = "key";

  /** Name of the column with the other bytes. */
  static final String PAYLOAD = "payload";

  private static final MessageType SCHEMA =
      Types.buildMessage()
          .required(PrimitiveTypeName.BINARY)
          .named(KEY)
          .required(PrimitiveTypeName.BINARY)
          .named(PAYLOAD)
          .named("record");

  private final ParquetWriter<byte[]> writer;

  /** Creates a file, or replaces it. */
  RecordFileWriter(OutputFile file, Configuration configuration) throws IOException {
    writer =
        new Builder(file)
            .withConf(configuration)
            .withWriteMode(ParquetFileWriter.Mode.OVERWRITE)
            .withCompressionCodec(CompressionCodecName.UNCOMPRESSED)
            .withDictionaryEncoding(false)
            .build();
  }

  /** Writes a record, whose array the caller may reuse. */
  void write(byte[] record) throws IOException {
    writer.write(record);
  }

  @Override
  public void close() throws IOException {
    writer.close();
  }

  private static final class Builder extends ParquetWriter.Builder<byte[], Builder> {
    Builder(OutputFile file) {
      super(file);
    }

    @Override
    protected Builder self() {
      return this;
    }

    @Override
    @SuppressWarnings("deprecation") // its replacement is not in the parquet-java of Spark 3.5
    protected WriteSupport<byte[]> getWriteSupport(Configuration configuration) {
      return new Records();
    }
  }

  private static final class Records extends WriteSupport<byte[]> {
    private RecordConsumer consumer;

    @Override
    @SuppressWarnings("deprecation") // its replacement is not in the parquet-java of Spark 3.5
    public WriteContext init(Configuration configuration) {
      return new WriteContext(SCHEMA, Map.of());
    }

    @Override
    public void prepareForWrite(RecordConsumer consumer) {
      this.consumer = consumer;
    }

    @Override
    public void write(byte[] record) {
      consumer.startMessage();
      add(0, KEY, record, 0, SortRecords.KEY_BYTES);
      add(1, PAYLOAD, record, SortRecords.KEY_BYTES, SortRecords.PAYLOAD_BYTES);
      consumer.endMessage();
    }

    private void add(int column, String name, byte[] record, int start, int length) {
      consumer.startField(name, column);
      consumer.addBinary(Binary.fromReusedByteArray(record, start, length));
      consumer.endField(name, column);
    }
  }
}

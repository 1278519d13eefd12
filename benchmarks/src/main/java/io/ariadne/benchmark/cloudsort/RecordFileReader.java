package io.ariadne.benchmark.cloudsort;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.ColumnReader;
import org.apache.parquet.column.impl.ColumnReadStoreImpl;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.example.DummyRecordConverter;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.io.InputFile;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;

/**
 * Reads the records of a Parquet file with parquet-java, in the order of the file. Not thread-safe.
 */
final class RecordFileReader implements AutoCloseable {
  private static final PrimitiveTypeName BINARY = PrimitiveTypeName.BINARY;

  private final ParquetFileReader file;
  private final MessageType schema;
  private final ColumnDescriptor keyColumn;
  private final ColumnDescriptor payloadColumn;
  private ColumnReader keys;
  private ColumnReader payloads;
  private long rowsLeft;
  private String defect;

  /**
   * Opens a file.
   *
   * @throws IOException when its columns are not those of records
   */
  RecordFileReader(InputFile input) throws IOException {
    file = ParquetFileReader.open(input);
    try {
      schema = file.getFileMetaData().getSchema();
      keyColumn = column(RecordFileWriter.KEY, input);
      payloadColumn = column(RecordFileWriter.PAYLOAD, input);
    } catch (IOException e) {
      file.close();
      throw e;
    }
  }

  private ColumnDescriptor column(String name, InputFile input) throws IOException {
    String[] path = {name};
    if (schema.getFieldCount() == 2 && schema.containsPath(path)) {
      ColumnDescriptor column = schema.getColumnDescription(path);
      boolean isBinary = column.getPrimitiveType().getPrimitiveTypeName() == BINARY;
      if (isBinary && column.getMaxRepetitionLevel() == 0) {
        return column;
      }
    }
    throw new IOException(
        "%s has not the two binary columns key and payload, but %s".formatted(input, schema));
  }

  /**
   * Reads the next record.
   *
   * @param record receives its bytes
   * @return whether there was a record; {@link #defect} tells whether it has the right lengths
   */
  boolean next(byte[] record) throws IOException {
    while (rowsLeft == 0) {
      PageReadStore group = file.readNextRowGroup();
      if (group == null) {
        return false;
      }
      ColumnReadStoreImpl columns =
          new ColumnReadStoreImpl(
              group,
              new DummyRecordConverter(schema).getRootConverter(),
              schema,
              file.getFileMetaData().getCreatedBy());
      keys = columns.getColumnReader(keyColumn);
      payloads = columns.getColumnReader(payloadColumn);
      rowsLeft = group.getRowCount();
    }
    rowsLeft--;
    defect = null;
    take(keys, record, 0, SortRecords.KEY_BYTES);
    take(payloads, record, SortRecords.KEY_BYTES, SortRecords.PAYLOAD_BYTES);
    return true;
  }

  /** Returns what is wrong with the lengths of the last record's values; null for nothing. */
  String defect() {
    return defect;
  }

  private void take(ColumnReader column, byte[] record, int start, int length) {
    ColumnDescriptor descriptor = column.getDescriptor();
    if (column.getCurrentDefinitionLevel() < descriptor.getMaxDefinitionLevel()) {
      defect = "its " + descriptor.getPath()[0] + " is null";
    } else {
      ByteBuffer value = column.getBinary().toByteBuffer();
      if (value.remaining() == length) {
        value.get(value.position(), record, start, length);
      } else {
        defect =
            "its %s has %d bytes instead of %d"
                .formatted(descriptor.getPath()[0], value.remaining(), length);
      }
    }
    column.consume();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}

package io.ariadne.parquet.testing;

import java.lang.reflect.Field;
import java.util.Map;
import org.apache.parquet.bytes.ByteBufferAllocator;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.column.values.ValuesWriter;
import org.apache.parquet.column.values.bytestreamsplit.ByteStreamSplitValuesWriter.DoubleByteStreamSplitValuesWriter;
import org.apache.parquet.column.values.bytestreamsplit.ByteStreamSplitValuesWriter.FixedLenByteArrayByteStreamSplitValuesWriter;
import org.apache.parquet.column.values.bytestreamsplit.ByteStreamSplitValuesWriter.FloatByteStreamSplitValuesWriter;
import org.apache.parquet.column.values.bytestreamsplit.ByteStreamSplitValuesWriter.IntegerByteStreamSplitValuesWriter;
import org.apache.parquet.column.values.bytestreamsplit.ByteStreamSplitValuesWriter.LongByteStreamSplitValuesWriter;
import org.apache.parquet.column.values.delta.DeltaBinaryPackingValuesWriterForInteger;
import org.apache.parquet.column.values.delta.DeltaBinaryPackingValuesWriterForLong;
import org.apache.parquet.column.values.deltalengthbytearray.DeltaLengthByteArrayValuesWriter;
import org.apache.parquet.column.values.deltastrings.DeltaByteArrayWriter;
import org.apache.parquet.column.values.dictionary.DictionaryValuesWriter.PlainBinaryDictionaryValuesWriter;
import org.apache.parquet.column.values.dictionary.DictionaryValuesWriter.PlainDoubleDictionaryValuesWriter;
import org.apache.parquet.column.values.dictionary.DictionaryValuesWriter.PlainFixedLenArrayDictionaryValuesWriter;
import org.apache.parquet.column.values.dictionary.DictionaryValuesWriter.PlainFloatDictionaryValuesWriter;
import org.apache.parquet.column.values.dictionary.DictionaryValuesWriter.PlainIntegerDictionaryValuesWriter;
import org.apache.parquet.column.values.dictionary.DictionaryValuesWriter.PlainLongDictionaryValuesWriter;
import org.apache.parquet.column.values.factory.ValuesWriterFactory;
import org.apache.parquet.column.values.plain.BooleanPlainValuesWriter;
import org.apache.parquet.column.values.plain.FixedLenByteArrayPlainValuesWriter;
import org.apache.parquet.column.values.plain.PlainValuesWriter;
import org.apache.parquet.column.values.rle.RunLengthBitPackingHybridValuesWriter;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.schema.PrimitiveType;

/** Makes parquet-mr write each column in a given encoding, whatever the page version. */
public final class ForcedEncodings implements ValuesWriterFactory {
  private static final int MAX_DICTIONARY = 1 << 20;
  private static final int INT96_BYTES = 12;

  private final Map<String, Encoding> encodings;
  private WriterVersion version;
  private int slabBytes;
  private int pageBytes;
  private ByteBufferAllocator allocator;

  /**
   * Creates a factory.
   *
   * @param encodings by the names of top-level columns; RLE_DICTIONARY for dictionaries
   */
  public ForcedEncodings(Map<String, Encoding> encodings) {
    this.encodings = Map.copyOf(encodings);
  }

  /** Makes a builder's writer use this; parquet-mr's builder has no method for it. */
  void installIn(ParquetWriter.Builder<?, ?> builder) {
    try {
      Field field = ParquetWriter.Builder.class.getDeclaredField("encodingPropsBuilder");
      field.setAccessible(true);
      ((ParquetProperties.Builder) field.get(builder)).withValuesWriterFactory(this);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void initialize(ParquetProperties properties) {
    version = properties.getWriterVersion();
    slabBytes = properties.getInitialSlabSize();
    pageBytes = properties.getPageSizeThreshold();
    allocator = properties.getAllocator();
  }

  @Override
  public ValuesWriter newValuesWriter(ColumnDescriptor column) {
    PrimitiveType type = column.getPrimitiveType();
    return switch (encodings.get(column.getPath()[0])) {
      case PLAIN -> plain(type);
      case RLE -> new RunLengthBitPackingHybridValuesWriter(1, slabBytes, pageBytes, allocator);
      case DELTA_BINARY_PACKED ->
          type.getPrimitiveTypeName() == PrimitiveType.PrimitiveTypeName.INT32
              ? new DeltaBinaryPackingValuesWriterForInteger(slabBytes, pageBytes, allocator)
              : new DeltaBinaryPackingValuesWriterForLong(slabBytes, pageBytes, allocator);
      case DELTA_LENGTH_BYTE_ARRAY ->
          new DeltaLengthByteArrayValuesWriter(slabBytes, pageBytes, allocator);
      case DELTA_BYTE_ARRAY -> new DeltaByteArrayWriter(slabBytes, pageBytes, allocator);
      case BYTE_STREAM_SPLIT -> split(type);
      case RLE_DICTIONARY -> dictionary(type);
      default -> throw new IllegalArgumentException(column.toString());
    };
  }

  private ValuesWriter plain(PrimitiveType type) {
    return switch (type.getPrimitiveTypeName()) {
      case BOOLEAN -> new BooleanPlainValuesWriter();
      case FIXED_LEN_BYTE_ARRAY, INT96 -> {
        boolean isInt96 = type.getPrimitiveTypeName() == PrimitiveType.PrimitiveTypeName.INT96;
        yield new FixedLenByteArrayPlainValuesWriter(
            isInt96 ? INT96_BYTES : type.getTypeLength(), slabBytes, pageBytes, allocator);
      }
      default -> new PlainValuesWriter(slabBytes, pageBytes, allocator);
    };
  }

  /**
   * Returns a dictionary writer even where it does not pay, under the name that the page version
   * has for it.
   */
  @SuppressWarnings("deprecation") // the name that pages of version 1 have for it
  private ValuesWriter dictionary(PrimitiveType type) {
    boolean isOld = version == WriterVersion.PARQUET_1_0;
    Encoding ids = isOld ? Encoding.PLAIN_DICTIONARY : Encoding.RLE_DICTIONARY;
    Encoding entries = isOld ? Encoding.PLAIN_DICTIONARY : Encoding.PLAIN;
    return switch (type.getPrimitiveTypeName()) {
      case INT32 -> new PlainIntegerDictionaryValuesWriter(MAX_DICTIONARY, ids, entries, allocator);
      case INT64 -> new PlainLongDictionaryValuesWriter(MAX_DICTIONARY, ids, entries, allocator);
      case FLOAT -> new PlainFloatDictionaryValuesWriter(MAX_DICTIONARY, ids, entries, allocator);
      case DOUBLE -> new PlainDoubleDictionaryValuesWriter(MAX_DICTIONARY, ids, entries, allocator);
      case BINARY -> new PlainBinaryDictionaryValuesWriter(MAX_DICTIONARY, ids, entries, allocator);
      case INT96 ->
          new PlainFixedLenArrayDictionaryValuesWriter(
              MAX_DICTIONARY, INT96_BYTES, ids, entries, allocator);
      case FIXED_LEN_BYTE_ARRAY ->
          new PlainFixedLenArrayDictionaryValuesWriter(
              MAX_DICTIONARY, type.getTypeLength(), ids, entries, allocator);
      default -> throw new IllegalArgumentException(type.toString());
    };
  }

  private ValuesWriter split(PrimitiveType type) {
    return switch (type.getPrimitiveTypeName()) {
      case INT32 -> new IntegerByteStreamSplitValuesWriter(slabBytes, pageBytes, allocator);
      case INT64 -> new LongByteStreamSplitValuesWriter(slabBytes, pageBytes, allocator);
      case FLOAT -> new FloatByteStreamSplitValuesWriter(slabBytes, pageBytes, allocator);
      case DOUBLE -> new DoubleByteStreamSplitValuesWriter(slabBytes, pageBytes, allocator);
      case FIXED_LEN_BYTE_ARRAY ->
          new FixedLenByteArrayByteStreamSplitValuesWriter(
              type.getTypeLength(), slabBytes, pageBytes, allocator);
      default -> throw new IllegalArgumentException(type.toString());
    };
  }
}

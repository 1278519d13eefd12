package io.ariadne.columnar.testing;

import io.ariadne.columnar.ColumnReader;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.Dictionary;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.builder.ColumnBuilder;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Converts columns to dictionary columns of equal values: entries in random order, some of them
 * twice, some used by no row, and any code under nulls.
 */
public final class DictionaryEncoder {
  private static final int DUPLICATE_ONE_IN = 8;

  private final Random random;
  private final BufferAllocator allocator;

  /**
   * Creates an encoder.
   *
   * @param random choices
   * @param allocator where buffers come from
   */
  public DictionaryEncoder(Random random, BufferAllocator allocator) {
    this.random = random;
    this.allocator = allocator;
  }

  /**
   * Encodes the columns of a batch that have no children.
   *
   * @param batch ownership passes to the encoder
   * @param encoding which columns
   * @return a batch of equal values, owned by the caller
   */
  public RecordBatch encode(RecordBatch batch, ColumnEncoding encoding) {
    List<ColumnVector> columns = new ArrayList<>();
    try (batch) {
      for (int i = 0; i < batch.columnCount(); i++) {
        boolean encodes = canEncode(batch.column(i)) && encoding.choose(random);
        columns.add(encodes ? encode(batch.column(i)) : batch.takeColumn(i));
      }
      return new RecordBatch(batch.schema(), batch.rowCount(), columns, batch.sequence());
    } catch (RuntimeException | Error e) {
      columns.forEach(ColumnVector::close);
      throw e;
    }
  }

  /** Returns whether a column may have a dictionary: it is neither nested nor encoded already. */
  public static boolean canEncode(ColumnVector column) {
    return switch (column.physicalType()) {
      case OFFSETS, NONE, DICTIONARY32 -> false;
      default -> true;
    };
  }

  /**
   * Encodes a column.
   *
   * @param column plain, without children; stays owned by the caller
   * @return a dictionary column of equal values, owned by the caller
   */
  public ColumnVector encode(ColumnVector column) {
    ColumnReader reader = new ColumnReader(column);
    Map<Object, List<Integer>> codesOf = new HashMap<>();
    Dictionary dictionary = dictionaryOf(reader, codesOf);
    MemoryBuffer codes = null;
    try {
      int rows = column.rowCount();
      codes = allocator.allocate(PhysicalType.DICTIONARY32.dataLengthInBytes(rows));
      for (int row = 0; row < rows; row++) {
        codes.putInt((long) row * Integer.BYTES, code(reader, row, codesOf, dictionary));
      }
      MemoryBuffer validity = column.validity() == null ? null : copyOf(column.validity());
      return ColumnVector.ofDictionary(dictionary, rows, codes, validity, column.nullCount());
    } catch (RuntimeException | Error e) {
      dictionary.release();
      if (codes != null) {
        codes.close();
      }
      throw e;
    }
  }

  private MemoryBuffer copyOf(MemoryBuffer bits) {
    MemoryBuffer copy = allocator.allocate(bits.lengthInBytes());
    for (long i = 0; i < bits.lengthInBytes(); i++) {
      copy.putByte(i, bits.getByte(i));
    }
    return copy;
  }

  private int code(
      ColumnReader reader, int row, Map<Object, List<Integer>> codesOf, Dictionary dictionary) {
    if (reader.isNull(row)) {
      return random.nextInt(dictionary.entryCount());
    }
    List<Integer> codes = codesOf.get(key(value(reader, row)));
    return codes.get(random.nextInt(codes.size()));
  }

  private Dictionary dictionaryOf(ColumnReader reader, Map<Object, List<Integer>> codesOf) {
    ColumnVector column = reader.column();
    List<Object> entries = new ArrayList<>();
    Map<Object, Object> seen = new HashMap<>();
    for (int row = 0; row < column.rowCount(); row++) {
      if (!reader.isNull(row)) {
        Object value = value(reader, row);
        boolean isNew = seen.put(key(value), value) == null;
        if (isNew || random.nextInt(DUPLICATE_ONE_IN * column.rowCount()) == 0) {
          entries.add(value);
        }
      }
    }
    RandomValues values = new RandomValues(random);
    for (int i = entries.isEmpty() ? 1 : random.nextInt(3); i > 0; i--) {
      entries.add(values.flat(column.type()));
    }
    Collections.shuffle(entries, random);
    try (ColumnBuilder builder =
        ColumnBuilder.create(column.type(), column.physicalType(), allocator)) {
      for (int code = 0; code < entries.size(); code++) {
        builder.appendValue(entries.get(code));
        codesOf.computeIfAbsent(key(entries.get(code)), key -> new ArrayList<>()).add(code);
      }
      return new Dictionary(builder.build());
    }
  }

  private static Object value(ColumnReader reader, int row) {
    return reader.column().type() == PrimitiveType.STRING
        ? reader.getBytes(row)
        : reader.getValue(row);
  }

  private static Object key(Object value) {
    return value instanceof byte[] bytes ? ByteBuffer.wrap(bytes) : value;
  }
}

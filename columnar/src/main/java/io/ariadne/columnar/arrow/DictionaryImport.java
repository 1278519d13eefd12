package io.ariadne.columnar.arrow;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.Dictionary;
import io.ariadne.columnar.buffer.Bitmaps;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.builder.ColumnBuilder;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import java.util.HashMap;
import java.util.Map;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.types.pojo.ArrowType;

/**
 * Imports the dictionary-encoded vectors of one batch; vectors of one dictionary share it.
 *
 * <p>Codes are copied: widened to 32 bits, checked, and zero under nulls. Arrow's dictionaries may
 * have nulls, a {@link Dictionary} may not: rows with such a code become null.
 */
final class DictionaryImport implements AutoCloseable {
  /** A dictionary and the validity of Arrow's entries, null when all have a value. */
  private record Imported(Dictionary dictionary, MemoryBuffer validity) {
    boolean isNull(long code) {
      return validity != null && !Bitmaps.isSet(validity.address(), code);
    }
  }

  private final ArrowImporter importer;
  private final DictionaryProvider provider;
  private final BufferAllocator allocator;
  private final Map<Long, Imported> imported = new HashMap<>();

  /** Prepares the import of a batch; the caller closes it after the last column. */
  DictionaryImport(ArrowImporter importer, DictionaryProvider provider, BufferAllocator allocator) {
    this.importer = importer;
    this.provider = provider;
    this.allocator = allocator;
  }

  /** Returns the field of a vector, with the type of the values when it has codes. */
  Field fieldOf(org.apache.arrow.vector.types.pojo.Field field) {
    if (field.getDictionary() == null) {
      return ArrowTypes.fromArrow(field);
    }
    Field values = ArrowTypes.fromArrow(entriesOf(field).getField());
    return new Field(field.getName(), values.type(), field.isNullable());
  }

  private FieldVector entriesOf(org.apache.arrow.vector.types.pojo.Field field) {
    long id = field.getDictionary().getId();
    org.apache.arrow.vector.dictionary.Dictionary found = provider.lookup(id);
    if (found == null) {
      throw new EngineException(
          ErrorCode.UNSUPPORTED,
          "Arrow field " + field.getName() + ": dictionary " + id + " is not there; decode it");
    }
    return found.getVector();
  }

  /** Imports a vector of codes; returns a column owned by the caller. */
  ColumnVector importCodes(FieldVector vector, int rows) {
    if (vector.getValueCount() < rows) {
      throw ArrowImporter.corrupt(vector, "has " + vector.getValueCount() + " values, not " + rows);
    }
    FieldVector entries = entriesOf(vector.getField());
    if (entries.getValueCount() == 0) {
      return nulls(vector, rows);
    }
    long id = vector.getField().getDictionary().getId();
    Imported values = imported.get(id);
    if (values == null) {
      values = importEntries(entries);
      imported.put(id, values);
    }
    return codes(vector, rows, values);
  }

  /** A dictionary without entries belongs to a column without values. */
  private ColumnVector nulls(FieldVector vector, int rows) {
    if (vector.getNullCount() < vector.getValueCount()) {
      throw ArrowImporter.corrupt(vector, "has codes of an empty dictionary");
    }
    try (ColumnBuilder builder =
        ColumnBuilder.create(fieldOf(vector.getField()).type(), allocator)) {
      for (int row = 0; row < rows; row++) {
        builder.appendNull();
      }
      return builder.build();
    }
  }

  private Imported importEntries(FieldVector vector) {
    ColumnVector column = importer.importVector(vector);
    MemoryBuffer validity = column.validity();
    ColumnVector entries =
        new ColumnVector(
            column.type(),
            column.physicalType(),
            column.rowCount(),
            column.data(),
            null,
            0,
            column.heaps(),
            column.children());
    try {
      return new Imported(new Dictionary(entries), validity);
    } catch (IllegalArgumentException e) {
      Closer closer = new Closer();
      closer.close(entries);
      closer.close(validity);
      closer.suppressIn(e);
      throw new EngineException(
          ErrorCode.UNSUPPORTED, "Arrow dictionary of " + vector.getField(), e);
    }
  }

  private ColumnVector codes(FieldVector vector, int rows, Imported values) {
    long bitmapBytes = PhysicalType.BOOL.dataLengthInBytes(rows);
    MemoryBuffer codes = null;
    MemoryBuffer validity = null;
    try {
      codes = allocator.allocateZeroed(PhysicalType.DICTIONARY32.dataLengthInBytes(rows));
      validity = allocator.allocateZeroed(bitmapBytes);
      int nulls = rows - copyCodes(vector, rows, values, codes, validity);
      if (nulls == 0) {
        validity.close();
        validity = null;
      }
      Dictionary dictionary = values.dictionary().retain();
      return ColumnVector.ofDictionary(dictionary, rows, codes, validity, nulls);
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      closer.close(codes);
      closer.close(validity);
      closer.suppressIn(e);
      throw e;
    }
  }

  /** Copies the codes of rows with a value and sets their bits; returns their number. */
  private static int copyCodes(
      FieldVector vector, int rows, Imported values, MemoryBuffer codes, MemoryBuffer validity) {
    ArrowType.Int type = (ArrowType.Int) vector.getField().getType();
    int width = type.getBitWidth() / Byte.SIZE;
    ArrowBuf source = vector.getFieldBuffers().get(1);
    ArrowImporter.checkCapacity(vector, source, (long) rows * width);
    int entryCount = values.dictionary().entryCount();
    int count = 0;
    for (int row = 0; row < rows; row++) {
      if (vector.isNull(row)) {
        continue;
      }
      long code = code(source.memoryAddress() + (long) row * width, type);
      if (code < 0 || code >= entryCount) {
        throw ArrowImporter.corrupt(vector, "code " + code + " of " + entryCount + " entries");
      }
      if (!values.isNull(code)) {
        codes.putInt((long) row * Integer.BYTES, (int) code);
        Bitmaps.set(validity.address(), row);
        count++;
      }
    }
    return count;
  }

  private static long code(long address, ArrowType.Int type) {
    boolean isSigned = type.getIsSigned();
    return switch (type.getBitWidth()) {
      case Byte.SIZE ->
          isSigned ? Memory.getByte(address) : Byte.toUnsignedLong(Memory.getByte(address));
      case Short.SIZE ->
          isSigned ? Memory.getShort(address) : Short.toUnsignedLong(Memory.getShort(address));
      case Integer.SIZE ->
          isSigned ? Memory.getInt(address) : Integer.toUnsignedLong(Memory.getInt(address));
      default -> Memory.getLong(address);
    };
  }

  /** Releases the dictionaries. */
  @Override
  public void close() {
    Closer closer = new Closer();
    for (Imported one : imported.values()) {
      closer.close(one.dictionary()::release);
      closer.close(one.validity());
    }
    closer.rethrow();
  }
}

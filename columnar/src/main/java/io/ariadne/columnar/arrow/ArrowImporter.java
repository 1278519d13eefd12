package io.ariadne.columnar.arrow;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Bitmaps;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.columnar.buffer.SharedBuffer;
import io.ariadne.columnar.builder.ListBuilder;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.columnar.type.StructType;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.DictionaryProvider;

/**
 * Imports Arrow vectors as batches, in default layouts.
 *
 * <p>A buffer is shared, not copied, when its layout is the same, it starts at a multiple of 64
 * bytes and may be read up to the next multiple after its end. That applies to values, list
 * offsets, validity and the characters of strings. Decimals of 18 digits and fewer are narrowed to
 * 64 bits. Views of strings are always created anew. Shared buffers are retained until the column
 * is closed; they stay charged to Arrow's allocator and must not be written to. The caller keeps
 * ownership of the vectors and may close them at once. Offsets, views and narrowed values are
 * checked; views and offsets under nulls never point outside.
 */
public final class ArrowImporter {
  private final BufferAllocator allocator;

  /**
   * Creates an importer.
   *
   * @param allocator where copies come from; HOST or PINNED
   */
  public ArrowImporter(BufferAllocator allocator) {
    this.allocator = allocator;
  }

  /**
   * Imports all columns.
   *
   * @param root the vectors, each of at least {@code root.getRowCount()} values
   * @param sequence the batch's place in its stream
   * @return a batch owned by the caller
   * @throws EngineException UNSUPPORTED for a type without a counterpart and for dictionary
   *     encoding without dictionaries; CORRUPT_DATA when buffers are too short or offsets lead
   *     outside
   */
  public RecordBatch importRoot(VectorSchemaRoot root, long sequence) {
    return importRoot(root, sequence, new DictionaryProvider.MapDictionaryProvider());
  }

  /**
   * Imports all columns; vectors of dictionary encoding become dictionary columns.
   *
   * @param root the vectors, each of at least {@code root.getRowCount()} values
   * @param sequence the batch's place in its stream
   * @param dictionaries the values of codes of columns; codes inside nested columns are refused
   * @return a batch owned by the caller
   * @throws EngineException UNSUPPORTED for a type without a counterpart and for codes whose
   *     dictionary is not there; CORRUPT_DATA when buffers are too short, or offsets or codes lead
   *     outside
   */
  public RecordBatch importRoot(
      VectorSchemaRoot root, long sequence, DictionaryProvider dictionaries) {
    List<Field> fields = new ArrayList<>();
    List<ColumnVector> columns = new ArrayList<>();
    boolean done = false;
    try (DictionaryImport encoded = new DictionaryImport(this, dictionaries, allocator)) {
      for (FieldVector vector : root.getFieldVectors()) {
        Field field = encoded.fieldOf(vector.getField());
        fields.add(field);
        columns.add(
            vector.getField().getDictionary() == null
                ? importVector(vector, field.type(), root.getRowCount())
                : encoded.importCodes(vector, root.getRowCount()));
      }
      done = true;
    } finally {
      if (!done) {
        columns.forEach(ColumnVector::close);
      }
    }
    return new RecordBatch(new Schema(fields), root.getRowCount(), columns, sequence);
  }

  /**
   * Imports one column of all the vector's values.
   *
   * @param vector the values
   * @return a column owned by the caller
   * @throws EngineException as {@link #importRoot}
   */
  public ColumnVector importVector(FieldVector vector) {
    DataType type = ArrowTypes.fromArrow(vector.getField()).type();
    return importVector(vector, type, vector.getValueCount());
  }

  ColumnVector importVector(FieldVector vector, DataType type, int rows) {
    if (vector.getValueCount() < rows) {
      throw corrupt(vector, "has " + vector.getValueCount() + " values, not " + rows);
    }
    Parts parts = new Parts();
    boolean done = false;
    try {
      List<ArrowBuf> buffers = vector.getFieldBuffers();
      importValidity(vector, type, rows, parts);
      switch (type.defaultPhysicalType()) {
        case VIEW16 -> new StringImport(vector, rows, parts.validity, allocator).into(parts);
        case OFFSETS -> importList(vector, type, rows, parts);
        case NONE -> importStruct(vector, type, rows, parts);
        default ->
            parts.data =
                isNarrowed(type)
                    ? narrow(vector, buffers.get(1), rows, parts.validity)
                    : share(vector, buffers.get(1), dataLength(type, rows));
      }
      done = true;
    } finally {
      if (!done) {
        parts.close();
      }
    }
    return new ColumnVector(
        type,
        type.defaultPhysicalType(),
        rows,
        parts.data,
        parts.validity,
        parts.nullCount,
        parts.heaps,
        parts.children);
  }

  private static long dataLength(DataType type, int rows) {
    return type.defaultPhysicalType().dataLengthInBytes(rows);
  }

  private static boolean isNarrowed(DataType type) {
    return type instanceof DecimalType && type.defaultPhysicalType() == PhysicalType.I64;
  }

  private void importValidity(FieldVector vector, DataType type, int rows, Parts parts) {
    long length = PhysicalType.BOOL.dataLengthInBytes(rows);
    if (type == PrimitiveType.NULL) {
      parts.validity = allocator.allocateZeroed(length);
      parts.nullCount = rows;
      return;
    }
    ArrowBuf bits = vector.getFieldBuffers().get(0);
    if (rows == 0 || bits.capacity() == 0) {
      return;
    }
    checkCapacity(vector, bits, length);
    int nulls = rows - (int) Bitmaps.countSet(bits.memoryAddress(), rows);
    if (nulls > 0) {
      parts.validity = share(vector, bits, length);
      parts.nullCount = nulls;
    }
  }

  private void importList(FieldVector vector, DataType type, int rows, Parts parts) {
    FieldVector elements = vector.getChildrenFromFields().get(0);
    int elementRows = elements.getValueCount();
    if (rows == 0) {
      parts.data = allocator.allocateZeroed(Integer.BYTES);
      elementRows = 0;
    } else {
      ArrowBuf offsets = vector.getFieldBuffers().get(1);
      long length = PhysicalType.OFFSETS.dataLengthInBytes(rows);
      checkCapacity(vector, offsets, length);
      int before = 0;
      for (int row = 0; row <= rows; row++) {
        int offset = Memory.getInt(offsets.memoryAddress() + (long) row * Integer.BYTES);
        if (offset < before || offset > elementRows) {
          throw corrupt(vector, "offset " + offset + " of row " + row + " of " + elementRows);
        }
        before = offset;
      }
      parts.data = share(vector, offsets, length);
    }
    parts.children.add(importVector(elements, ListBuilder.elementType(type), elementRows));
  }

  private void importStruct(FieldVector vector, DataType type, int rows, Parts parts) {
    if (type instanceof StructType struct) {
      List<FieldVector> members = vector.getChildrenFromFields();
      if (members.size() != struct.fields().size()) {
        throw new EngineException(
            ErrorCode.UNSUPPORTED, "Arrow struct with equal names: " + vector.getField());
      }
      for (int i = 0; i < members.size(); i++) {
        parts.children.add(importVector(members.get(i), struct.fields().get(i).type(), rows));
      }
    }
  }

  /** Copies 128-bit decimals to 64 bits; under nulls they may be anything. */
  private MemoryBuffer narrow(FieldVector vector, ArrowBuf source, int rows, MemoryBuffer valid) {
    int width = PhysicalType.I128.widthInBytes();
    checkCapacity(vector, source, (long) rows * width);
    MemoryBuffer target = allocator.allocate((long) rows * Long.BYTES);
    long from = source.memoryAddress();
    long to = rows == 0 ? 0 : target.address();
    for (int row = 0; row < rows; row++) {
      long low = Memory.getLong(from + (long) row * width);
      long high = Memory.getLong(from + (long) row * width + Long.BYTES);
      boolean fits = high == low >> (Long.SIZE - 1);
      if (!fits && (valid == null || Bitmaps.isSet(valid.address(), row))) {
        target.close();
        throw corrupt(vector, "the value of row " + row + " does not fit 64 bits");
      }
      Memory.putLong(to + (long) row * Long.BYTES, low);
    }
    return target;
  }

  private MemoryBuffer share(FieldVector vector, ArrowBuf source, long length) {
    return share(vector, source, length, allocator);
  }

  /**
   * Shares the first {@code length} bytes of a buffer, or copies them when the rules ask for it.
   */
  static MemoryBuffer share(
      FieldVector vector, ArrowBuf source, long length, BufferAllocator allocator) {
    if (length == 0) {
      return allocator.allocate(0);
    }
    checkCapacity(vector, source, length);
    long address = source.memoryAddress();
    long padded = MemoryBuffer.padded(length);
    if (address % MemoryBuffer.ALIGNMENT == 0 && source.capacity() >= padded) {
      source.getReferenceManager().retain();
      return new MemoryBuffer(
          address,
          length,
          padded,
          MemoryTier.HOST,
          buffer -> source.getReferenceManager().release());
    }
    MemoryBuffer copy = allocator.allocate(length);
    Memory.copy(address, copy.address(), length);
    return copy;
  }

  static void checkCapacity(FieldVector vector, ArrowBuf buffer, long length) {
    if (buffer.capacity() < length) {
      throw corrupt(vector, "a buffer of " + buffer.capacity() + " bytes instead of " + length);
    }
  }

  static EngineException corrupt(FieldVector vector, String what) {
    return new EngineException(
        ErrorCode.CORRUPT_DATA, "Arrow vector " + vector.getField() + ": " + what);
  }

  /** The parts of a column under construction. */
  static final class Parts {
    MemoryBuffer data;
    MemoryBuffer validity;
    int nullCount;
    final List<SharedBuffer> heaps = new ArrayList<>();
    final List<ColumnVector> children = new ArrayList<>();

    void close() {
      if (data != null) {
        data.close();
      }
      if (validity != null) {
        validity.close();
      }
      heaps.forEach(SharedBuffer::release);
      children.forEach(ColumnVector::close);
    }
  }
}

package io.ariadne.columnar.arrow;

import io.ariadne.columnar.ColumnReader;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.DictionaryDecoder;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;

/**
 * Exports batches in host memory as Arrow vectors.
 *
 * <p>Validity, fixed-width values, bits and list offsets are shared. They stay charged to their
 * pool, which gets them back when any thread closes the last vector of the column; Arrow's
 * allocator counts them as well while they are open. In Arrow's memory, strings are copied from
 * views to offsets, decimals of fewer than 128 bits are widened, and dictionary columns are
 * decoded: few consumers of vectors, and none of Spark's, support dictionaries of other vectors.
 */
public final class ArrowExporter {
  private static final int DECIMAL_BYTES = 16;

  private final BufferAllocator allocator;

  /**
   * Creates an exporter.
   *
   * @param allocator Arrow's allocator for the vectors; must allow foreign allocations
   */
  public ArrowExporter(BufferAllocator allocator) {
    this.allocator = allocator;
  }

  /**
   * Exports a batch.
   *
   * @param batch in HOST or PINNED memory; ownership passes to the exporter, also when this throws
   * @return vectors owned by the caller
   * @throws EngineException OUT_OF_MEMORY when a column has 2^31 bytes of strings or more: split
   *     the batch
   * @throws org.apache.arrow.memory.OutOfMemoryException when Arrow's allocator refuses
   */
  public VectorSchemaRoot export(RecordBatch batch) {
    VectorSchemaRoot root = null;
    boolean done = false;
    try (batch) {
      root = VectorSchemaRoot.create(ArrowTypes.toArrow(batch.schema()), allocator);
      for (int i = 0; i < batch.columnCount(); i++) {
        ExportedColumn column = new ExportedColumn(batch.takeColumn(i));
        try {
          load(column, column.column(), root.getFieldVectors().get(i));
        } finally {
          column.release();
        }
      }
      root.setRowCount(batch.rowCount());
      done = true;
    } finally {
      if (!done && root != null) {
        root.close();
      }
    }
    return root;
  }

  private void load(ExportedColumn owner, ColumnVector column, FieldVector vector) {
    List<ArrowBuf> buffers = new ArrayList<>();
    try {
      if (column.type() != PrimitiveType.NULL) {
        buffers.add(share(owner, column.validity()));
        addData(owner, column, buffers);
      }
      vector.loadFieldBuffers(new ArrowFieldNode(column.rowCount(), column.countNulls()), buffers);
    } finally {
      buffers.forEach(ArrowBuf::close);
    }
    List<FieldVector> members = vector.getChildrenFromFields();
    if (members.size() != column.children().size()) {
      throw new EngineException(
          ErrorCode.UNSUPPORTED, "Arrow cannot hold equal names in a struct: " + column.type());
    }
    for (int i = 0; i < members.size(); i++) {
      load(owner, column.children().get(i), members.get(i));
    }
  }

  private void addData(ExportedColumn owner, ColumnVector column, List<ArrowBuf> buffers) {
    if (column.valueLayout() == PhysicalType.VIEW16) {
      addStrings(column, buffers);
    } else if (column.type() instanceof DecimalType && column.valueLayout() != PhysicalType.I128) {
      buffers.add(widen(column));
    } else if (column.dictionary() != null) {
      buffers.add(decode(column));
    } else if (column.physicalType() != PhysicalType.NONE) {
      buffers.add(share(owner, column.data()));
    }
  }

  private ArrowBuf share(ExportedColumn owner, MemoryBuffer buffer) {
    return buffer == null || buffer.lengthInBytes() == 0
        ? allocator.getEmpty()
        : owner.share(buffer, allocator);
  }

  private ArrowBuf decode(ColumnVector column) {
    long length = column.valueLayout().dataLengthInBytes(column.rowCount());
    if (length == 0) {
      return allocator.getEmpty();
    }
    ArrowBuf target = allocator.buffer(length);
    try (MemoryBuffer values =
        new MemoryBuffer(
            target.memoryAddress(), length, target.capacity(), MemoryTier.HOST, view -> {})) {
      DictionaryDecoder.decodeTo(column, values);
    } catch (RuntimeException | Error e) {
      target.close();
      throw e;
    }
    target.writerIndex(length);
    return target;
  }

  private ArrowBuf widen(ColumnVector column) {
    ColumnReader reader = new ColumnReader(column);
    ArrowBuf target = allocator.buffer((long) column.rowCount() * DECIMAL_BYTES);
    long address = target.memoryAddress();
    for (int row = 0; row < column.rowCount(); row++) {
      long value = reader.getIntegral(row);
      Memory.putLong(address, value);
      Memory.putLong(address + Long.BYTES, value >> (Long.SIZE - 1));
      address += DECIMAL_BYTES;
    }
    target.writerIndex((long) column.rowCount() * DECIMAL_BYTES);
    return target;
  }

  /** Adds offsets and characters; under nulls strings are empty. */
  private void addStrings(ColumnVector column, List<ArrowBuf> buffers) {
    ColumnReader reader = new ColumnReader(column);
    int rows = column.rowCount();
    ArrowBuf offsets = allocator.buffer((rows + 1L) * Integer.BYTES);
    buffers.add(offsets);
    long end = 0;
    for (int row = 0; row < rows; row++) {
      Memory.putInt(offsets.memoryAddress() + (long) row * Integer.BYTES, (int) end);
      end += reader.isNull(row) ? 0 : reader.getByteLength(row);
      if (end > Integer.MAX_VALUE) {
        throw new EngineException(
            ErrorCode.OUT_OF_MEMORY,
            "the strings of " + rows + " rows do not fit 32-bit offsets: split the batch");
      }
    }
    Memory.putInt(offsets.memoryAddress() + (long) rows * Integer.BYTES, (int) end);
    offsets.writerIndex((rows + 1L) * Integer.BYTES);
    ArrowBuf characters = end == 0 ? allocator.getEmpty() : allocator.buffer(end);
    buffers.add(characters);
    characters.writerIndex(end);
    long target = characters.memoryAddress();
    for (int row = 0; row < rows; row++) {
      if (!reader.isNull(row)) {
        int length = reader.getByteLength(row);
        Memory.copy(reader.getBytesAddress(row), target, length);
        target += length;
      }
    }
  }
}

package io.ariadne.kernel.column;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.kernel.column.GatherKernel.Target;
import java.util.ArrayList;
import java.util.List;

/**
 * Gathers rows of columns, also of nested ones: gathers the entries of lists by their own row
 * numbers, level by level. The host reads row numbers and offsets. Used by one thread.
 */
public final class RowGather {
  private final GatherKernel gather;
  private final BufferAllocator allocator;

  /**
   * Prepares.
   *
   * @param gather copies rows of flat columns
   * @param allocator memory of the same tier
   */
  public RowGather(GatherKernel gather, BufferAllocator allocator) {
    this.gather = gather;
    this.allocator = allocator;
  }

  /**
   * Gathers rows of a column.
   *
   * @param column stays the caller's; nested columns in host memory
   * @param indices 32-bit row numbers; for nested columns in host memory
   * @param count how many
   * @return a column owned by the caller
   */
  public ColumnVector gather(ColumnVector column, MemoryBuffer indices, int count) {
    return switch (column.physicalType()) {
      case OFFSETS -> lists(column, indices, count);
      case NONE -> structs(column, indices, count);
      default -> gather.gather(column, indices, count);
    };
  }

  /**
   * Gathers rows of all columns of a batch. The arguments are those of {@link #gather(ColumnVector,
   * MemoryBuffer, int)}.
   *
   * @return a batch with the same sequence number, owned by the caller
   */
  public RecordBatch gather(RecordBatch batch, MemoryBuffer indices, int count) {
    List<ColumnVector> columns = new ArrayList<>();
    try {
      for (int i = 0; i < batch.columnCount(); i++) {
        columns.add(gather(batch.column(i), indices, count));
      }
      return new RecordBatch(batch.schema(), count, columns, batch.sequence());
    } catch (RuntimeException | Error e) {
      throw closing(e, null, null, columns);
    }
  }

  private ColumnVector structs(ColumnVector column, MemoryBuffer indices, int count) {
    MemoryBuffer validity = null;
    List<ColumnVector> children = new ArrayList<>();
    try {
      validity = validity(column, indices, count);
      for (ColumnVector child : column.children()) {
        children.add(gather(child, indices, count));
      }
      return nested(column, count, null, validity, children);
    } catch (RuntimeException | Error e) {
      throw closing(e, null, validity, children);
    }
  }

  private ColumnVector lists(ColumnVector column, MemoryBuffer indices, int count) {
    MemoryBuffer validity = null;
    MemoryBuffer offsets = null;
    List<ColumnVector> children = new ArrayList<>();
    try {
      validity = validity(column, indices, count);
      offsets = allocator.allocate(PhysicalType.OFFSETS.dataLengthInBytes(count));
      int entries = ListEntries.putOffsets(column, indices, count, offsets);
      try (MemoryBuffer numbers = ListEntries.numbers(column, indices, count, entries, allocator)) {
        for (ColumnVector child : column.children()) {
          children.add(gather(child, numbers, entries));
        }
      }
      return nested(column, count, offsets, validity, children);
    } catch (RuntimeException | Error e) {
      throw closing(e, offsets, validity, children);
    }
  }

  private static ColumnVector nested(
      ColumnVector source,
      int count,
      MemoryBuffer data,
      MemoryBuffer validity,
      List<ColumnVector> children) {
    return new ColumnVector(
        source.type(),
        source.physicalType(),
        count,
        data,
        validity,
        ColumnVector.UNKNOWN_NULL_COUNT,
        List.of(),
        children);
  }

  /** Closes what was made; returns the exception to throw, which is unchecked. */
  private static RuntimeException closing(
      Throwable failure, MemoryBuffer data, MemoryBuffer validity, List<ColumnVector> children) {
    Closer closer = new Closer();
    closer.close(data);
    closer.close(validity);
    children.forEach(closer::close);
    closer.suppressIn(failure);
    if (failure instanceof Error error) {
      throw error;
    }
    return (RuntimeException) failure;
  }

  private MemoryBuffer validity(ColumnVector column, MemoryBuffer indices, int count) {
    if (column.validity() == null) {
      return null;
    }
    MemoryBuffer bits = allocator.allocate(PhysicalType.BOOL.dataLengthInBytes(count));
    try {
      // not closed: the bits belong to the column
      ColumnVector flags =
          ColumnVector.flat(
              PrimitiveType.BOOLEAN, PhysicalType.BOOL, column.rowCount(), column.validity(), null);
      gather.run(flags, indices, 0, count, new Target(bits, 0, null));
      return bits;
    } catch (RuntimeException | Error e) {
      bits.close();
      throw e;
    }
  }
}

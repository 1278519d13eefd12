package io.ariadne.operator.join;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.kernel.join.JoinRowsKernel;
import io.ariadne.operator.OperatorContext;
import java.util.BitSet;

/**
 * Has a bit for each build row, or each group of build rows. The bit says whether one pipeline
 * driver has paired the row or group with a probe row.
 */
final class BuildMarks implements AutoCloseable {
  private final JoinTable table;
  private final OperatorContext context;
  private final int count;
  private final MemoryBuffer bits;

  /**
   * Creates marks with nothing paired.
   *
   * @param table a table whose {@link JoinTable#matches} is not null; its owner keeps ownership
   */
  BuildMarks(JoinTable table, OperatorContext context) {
    this.table = table;
    this.context = context;
    this.count = table.marks();
    long bytes = PhysicalType.BOOL.dataLengthInBytes(Math.max(count, 1));
    this.bits = context.kernelAllocator().allocate(MemoryBuffer.padded(bytes));
    try {
      context.backend().clear(bits, 0, bits.capacityInBytes());
      table.matches().begin();
    } catch (RuntimeException | Error e) {
      bits.close();
      throw e;
    }
  }

  /** Marks the build rows of pairs. */
  void mark(Pairs pairs, JoinRowsKernel kernel) {
    kernel.mark(pairs.buildRows(), pairs.count(), count, bits);
  }

  /**
   * Marks the build groups of a probe batch's rows. The caller has already looked the groups up.
   */
  void markGroups(ProbeBatch probe, JoinRowsKernel kernel) {
    kernel.mark(probe.groups(), probe.rowCount(), count, bits);
  }

  /**
   * Adds these marks to those of the other drivers. If this driver is the last one to end, returns
   * what all drivers have paired, else null.
   */
  BitSet end() {
    // not closed: its bits are this object's
    ColumnVector column =
        ColumnVector.flat(PrimitiveType.BOOLEAN, PhysicalType.BOOL, count, bits, null);
    if (context.transfer().isOnHost(column)) {
      return table.matches().end(bits, count);
    }
    try (ColumnVector copy = context.transfer().copyToHost(column)) {
      return table.matches().end(copy.data(), count);
    }
  }

  @Override
  public void close() {
    bits.close();
  }
}

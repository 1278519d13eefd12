package io.ariadne.operator.join;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.kernel.join.JoinRowsKernel;
import io.ariadne.operator.OperatorContext;
import java.util.BitSet;

/**
 * Records which build rows, or groups of build rows, one pipeline driver has paired: a bit for
 * each.
 */
final class BuildMarks implements AutoCloseable {
  private final JoinTable table;
  private final OperatorContext context;
  private final int count;
  private final MemoryBuffer bits;

  /**
   * Creates marks with nothing paired.
   *
   * @param table has {@link JoinTable#matches}; stays its owner's
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

  /** Marks the build groups of the rows of a batch; the groups are known. */
  void markGroups(ProbeBatch probe, JoinRowsKernel kernel) {
    kernel.mark(probe.groups(), probe.rowCount(), count, bits);
  }

  /**
   * Ends the marks; returns what all drivers have paired when this driver is the last, else null.
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

package io.ariadne.operator.join;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.kernel.join.JoinRowsKernel;
import io.ariadne.operator.OperatorContext;
import java.util.BitSet;

/** What of a table one thread of work has paired: a bit for each build row, or group of these. */
final class BuildMarks implements AutoCloseable {
  private final JoinTable table;
  private final OperatorContext context;
  private final int count;
  private final MemoryBuffer bits;

  /**
   * Begins, with nothing paired.
   *
   * @param table one that has {@link JoinTable#matches}; stays its owner's
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

  /** Marks what the rows of a batch are paired with, by their groups, which are known. */
  void markGroups(ProbeBatch probe, JoinRowsKernel kernel) {
    kernel.mark(probe.groups(), probe.rowCount(), count, bits);
  }

  /** Ends; returns what all threads of work have paired if this is the last one, else null. */
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

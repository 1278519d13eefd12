package io.ariadne.operator.join;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.kernel.join.JoinChains;
import io.ariadne.operator.OperatorContext;
import java.util.BitSet;

/** Finds the rows of groups, in steps. */
final class GroupRowLists implements AutoCloseable {
  /** Rows and groups of one step, which takes about ten milliseconds. */
  static final int STEP = 1 << 21;

  private final int step;
  private final BitSet groups;
  private final BitSet rows = new BitSet();
  private final ColumnVector starts; // on the host, as is the next field
  private final ColumnVector listed;
  private final boolean areCopies;
  private int group;
  private int next;
  private int end;

  /**
   * Prepares.
   *
   * @param groups the groups whose rows are wanted
   * @param chains the rows of each group; stay their owner's, open as long as this is
   * @param step rows and groups per step; {@link #STEP} except in tests
   */
  GroupRowLists(BitSet groups, JoinChains chains, OperatorContext context, int step) {
    this.step = step;
    this.groups = groups;
    this.group = groups.nextSetBit(0);
    // not closed: their memory is the chains'
    ColumnVector seenStarts = numbers(chains.starts());
    ColumnVector seenRows = numbers(chains.rows());
    this.areCopies = !context.transfer().isOnHost(seenStarts);
    this.starts = areCopies ? context.transfer().copyToHost(seenStarts) : seenStarts;
    try {
      this.listed = areCopies ? context.transfer().copyToHost(seenRows) : seenRows;
    } catch (RuntimeException | Error e) {
      if (areCopies) {
        starts.close();
      }
      throw e;
    }
    open();
  }

  private static ColumnVector numbers(MemoryBuffer buffer) {
    int count = Math.toIntExact(buffer.lengthInBytes() / Integer.BYTES);
    return ColumnVector.flat(PrimitiveType.INT32, PhysicalType.I32, count, buffer, null);
  }

  private void open() {
    if (group >= 0) {
      next = starts.data().getInt((long) group * Integer.BYTES);
      end = starts.data().getInt((group + 1L) * Integer.BYTES);
    }
  }

  /** Does one step; returns whether all rows have been found. */
  boolean find() {
    for (int i = 0; i < step && group >= 0; i++) {
      if (next < end) {
        rows.set(listed.data().getInt((long) next * Integer.BYTES));
        next++;
      } else {
        group = groups.nextSetBit(group + 1);
        open();
      }
    }
    return group < 0;
  }

  /** Returns the rows found so far. */
  BitSet rows() {
    return rows;
  }

  @Override
  public void close() {
    if (areCopies) {
      Closer closer = new Closer();
      closer.close(starts);
      closer.close(listed);
      closer.rethrow();
    }
  }
}

package io.ariadne.operator.join;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.kernel.hash.GroupHashKernel;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.key.KeyColumns;
import java.util.List;

/**
 * Computes the hashes of rows' keys, such that equal keys have equal hashes on both sides. Used by
 * one thread at a time.
 */
final class KeyHashes implements AutoCloseable {
  private final OperatorContext context;
  private final KeyColumns keys;
  private final GroupHashKernel kernel;

  /**
   * Prepares.
   *
   * @param keys of the rows to be hashed
   */
  KeyHashes(KeyColumns.Keys keys, OperatorContext context) {
    this.context = context;
    this.keys = new KeyColumns(keys, context);
    try {
      this.kernel =
          new GroupHashKernel(context.backend(), context.kernelAllocator(), layouts(keys));
    } catch (RuntimeException | Error e) {
      this.keys.close();
      throw e;
    }
  }

  /** Returns the layouts in which keys are computed. */
  static List<PhysicalType> layouts(KeyColumns.Keys keys) {
    return keys.expressions().stream().map(key -> key.type().defaultPhysicalType()).toList();
  }

  /**
   * Computes the hashes of a batch.
   *
   * @param batch stays the caller's
   * @return a 64-bit hash per row, in host memory, owned by the caller
   */
  MemoryBuffer of(RecordBatch batch) {
    int rowCount = batch.rowCount();
    MemoryBuffer hashes = context.kernelAllocator().allocate((long) rowCount * Long.BYTES);
    try {
      keys.use(batch, columns -> kernel.hash(columns, rowCount, hashes));
    } catch (RuntimeException | Error e) {
      hashes.close();
      throw e;
    }
    ColumnVector column =
        ColumnVector.flat(PrimitiveType.INT64, PhysicalType.I64, rowCount, hashes, null);
    if (context.transfer().isOnHost(column)) {
      return hashes; // not closed: the column's only memory is this buffer
    }
    try (column) {
      return context.transfer().copyToHost(column).data();
    }
  }

  /** Returns whether a key of a batch, which stays the caller's, is null. */
  boolean hasNullKey(RecordBatch batch) {
    boolean[] found = new boolean[1];
    keys.use(
        batch,
        columns -> {
          for (ColumnVector column : columns) {
            ColumnVector read =
                context.transfer().isOnHost(column)
                    ? column
                    : context.transfer().copyToHost(column);
            found[0] |= read.countNulls() > 0;
            if (read != column) {
              read.close();
            }
          }
        });
    return found[0];
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(kernel);
    closer.close(keys);
    closer.rethrow();
  }
}

package io.ariadne.operator.project;

import io.ariadne.backend.ArgumentBlock;
import io.ariadne.backend.Backend;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.Dictionary;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.kernel.column.ColumnTransfer;
import io.ariadne.kernel.column.EntryMaskKernel;
import io.ariadne.kernel.column.SelectRowsKernel;
import io.ariadne.operator.OperatorContext;
import java.util.List;

/**
 * Evaluates a predicate over a dictionary column once per entry instead of once per row. Caches the
 * truth values of the last dictionary. Used by one thread at a time.
 */
final class EntryTruths implements AutoCloseable {
  private final OperatorContext context;
  private final Schema schema;
  private final ByRow predicate;
  private final SelectRowsKernel selection;
  private EntryMaskKernel kernel; // null until it is needed
  private MemoryBuffer truths; // a byte per entry
  private long dictionaryId;
  private Boolean isTrueOfNull; // null until it is known

  /** Evaluates the predicate row by row. */
  interface ByRow {
    /** Lists the rows of a batch for which the predicate is true; returns their number. */
    int select(RecordBatch batch, MemoryBuffer indices);
  }

  /**
   * Creates an evaluation.
   *
   * @param schema the only column
   * @param predicate reads that column; must not raise errors
   * @param selection lists rows; stays the caller's
   * @param context where the predicate runs
   */
  EntryTruths(Schema schema, ByRow predicate, SelectRowsKernel selection, OperatorContext context) {
    this.context = context;
    this.schema = schema;
    this.predicate = predicate;
    this.selection = selection;
  }

  /** Returns whether evaluating a column per entry is possible and pays. */
  boolean applies(ColumnVector column) {
    return column.dictionary() != null
        && column.dictionary().entryCount() <= column.rowCount()
        && context.transfer().isForKernels(column)
        && context.transfer().isForKernels(column.dictionary().entries())
        && (column.validity() == null || !isTrueOfNull(column.dictionary().valueLayout()));
  }

  private boolean isTrueOfNull(PhysicalType layout) {
    if (isTrueOfNull == null) {
      try (MemoryBuffer data = cleared(layout.dataLengthInBytes(1));
          MemoryBuffer validity = cleared(PhysicalType.BOOL.dataLengthInBytes(1));
          MemoryBuffer found = cleared(SelectRowsKernel.indexBytes(1))) {
        // not closed: the buffers are closed here
        ColumnVector row = ColumnVector.flat(schema.field(0).type(), layout, 1, data, validity);
        RecordBatch view = new RecordBatch(schema, 1, List.of(row), 0);
        isTrueOfNull = predicate.select(view, found) > 0;
      }
    }
    return isTrueOfNull;
  }

  private MemoryBuffer cleared(long lengthInBytes) {
    MemoryBuffer buffer = context.kernelAllocator().allocate(lengthInBytes);
    return ColumnTransfer.filled(
        buffer, () -> context.backend().clear(buffer, 0, buffer.capacityInBytes()));
  }

  /**
   * Lists the rows for which the predicate is true.
   *
   * @param column a column that {@link #applies} accepts; stays the caller's
   * @param indices a buffer for the row numbers
   * @return how many rows
   */
  int select(ColumnVector column, MemoryBuffer indices) {
    if (kernel == null) {
      kernel = new EntryMaskKernel(context.backend());
    }
    evaluate(column.dictionary());
    int rows = column.rowCount();
    try (MemoryBuffer mask = context.kernelAllocator().allocate(EntryMaskKernel.maskBytes(rows))) {
      kernel.run(column.data(), rows, truths, mask);
      // not closed: its buffers belong to the mask and to the column
      ColumnVector bits =
          ColumnVector.flat(
              PrimitiveType.BOOLEAN, PhysicalType.BOOL, rows, mask, column.validity());
      return selection.run(bits, indices);
    }
  }

  private void evaluate(Dictionary dictionary) {
    if (truths != null && dictionary.id() == dictionaryId) {
      return;
    }
    forget();
    ColumnVector entries = dictionary.entries();
    int count = entries.rowCount();
    // not closed: its column belongs to the dictionary
    RecordBatch view = new RecordBatch(schema, count, List.of(entries), 0);
    Backend backend = context.backend();
    try (MemoryBuffer found =
            context.kernelAllocator().allocate(SelectRowsKernel.indexBytes(count));
        ArgumentBlock numbers = new ArgumentBlock(Math.max(count, 1) * Integer.BYTES);
        ArgumentBlock bytes = new ArgumentBlock(Math.max(count, 1))) {
      int chosen = predicate.select(view, found);
      backend.read(found, 0, numbers.address(), (long) chosen * Integer.BYTES);
      for (int i = 0; i < chosen; i++) {
        Memory.putByte(bytes.address() + numbers.getInt(i * Integer.BYTES), (byte) 1);
      }
      MemoryBuffer target = context.kernelAllocator().allocate(Math.max(count, 1));
      truths =
          ColumnTransfer.filled(target, () -> backend.write(bytes.address(), target, 0, count));
      dictionaryId = dictionary.id();
    }
  }

  private void forget() {
    MemoryBuffer old = truths;
    truths = null;
    if (old != null) {
      old.close();
    }
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(this::forget);
    closer.close(kernel);
    closer.rethrow();
  }
}

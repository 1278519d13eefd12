package io.ariadne.operator.sort;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.RetainedBytes;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.operator.OperatorContext;
import io.ariadne.spill.SpillPlacement;
import io.ariadne.spill.SpillableBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Buffers spillable batches until they are sorted together. Used by one thread at a time. */
final class BufferedBatches implements AutoCloseable {
  private static final SpillPlacement WAITING = SpillPlacement.at(1, true);

  private final OperatorContext context;
  private final List<SpillableBatch> batches = new ArrayList<>();
  private final RetainedBytes bytes = new RetainedBytes();
  private long rowCount;

  BufferedBatches(OperatorContext context) {
    this.context = context;
  }

  /** Adds a batch in host memory, ownership passes to this object. */
  void add(RecordBatch batch) {
    rowCount += batch.rowCount();
    bytes.add(batch);
    batches.add(context.spill().add(batch, WAITING));
  }

  /** Returns the number of buffered batches. */
  int count() {
    return batches.size();
  }

  /** Returns the number of buffered rows. */
  long rowCount() {
    return rowCount;
  }

  /** Returns the bytes of the rows in memory; shared heaps and dictionaries count once. */
  long bytes() {
    return bytes.bytes();
  }

  /**
   * Returns the sorted rows; the buffered batches stay until they are freed.
   *
   * @param sort sorts them
   * @param limit the most rows wanted
   * @param batchRows the most rows of a batch
   * @return batches in host memory, owned by the caller
   */
  List<RecordBatch> sorted(BatchSort sort, int limit, int batchRows) {
    List<Piece> pieces = new ArrayList<>();
    int opened = 0;
    try {
      for (SpillableBatch batch : batches) {
        pieces.add(Piece.of(batch.read(context.allocator())));
        opened++;
      }
      return sort.sort(pieces, limit, batchRows);
    } finally {
      Closer closer = new Closer();
      for (SpillableBatch batch : batches.subList(0, opened)) {
        closer.close(batch::unread);
      }
      closer.rethrow();
    }
  }

  /**
   * Hands over all batches, one by one. When this throws, those that were not handed over stay
   * buffered.
   *
   * @param target takes ownership of each batch, also when it throws
   */
  void drainTo(Consumer<RecordBatch> target) {
    while (!batches.isEmpty()) {
      RecordBatch batch = batches.get(batches.size() - 1).take(context.allocator());
      batches.remove(batches.size() - 1);
      rowCount -= batch.rowCount();
      target.accept(batch);
    }
    forget();
  }

  private void forget() {
    batches.clear();
    rowCount = 0;
    bytes.clear();
  }

  /** Frees the buffered batches; more may be added. */
  @Override
  public void close() {
    Closer closer = new Closer();
    batches.forEach(closer::close);
    forget();
    closer.rethrow();
  }
}

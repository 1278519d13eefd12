package io.ariadne.parquet.scan;

import io.ariadne.columnar.buffer.Closer;
import io.ariadne.io.ReadAheadScan;
import io.ariadne.operator.Split;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * The slices of a scan that have not been used, in order. Opens the next ones ahead of their use if
 * their storage is slow. Used by one thread at a time.
 */
final class SliceQueue implements AutoCloseable {
  /** Opens slices. Called by several threads at once. */
  interface Opener {
    /**
     * Opens a slice.
     *
     * @param slice the slice
     * @param number its index in the scan
     * @param slicesAfter how many slices follow
     * @return its splits, owned by the caller
     */
    List<Split> open(FileSlice slice, long number, int slicesAfter);

    /** Returns how many bytes opening a slice reads in all likelihood. */
    long bytesToOpen(FileSlice slice);
  }

  private final Deque<FileSlice> slices;
  private final Opener opener;

  /** Opens slices ahead; null when each is opened by the thread that needs it. */
  private final ReadAheadScan ahead;

  private final Deque<SliceOpening> openings = new ArrayDeque<>();
  private long nextNumber;

  SliceQueue(List<FileSlice> slices, Opener opener, ReadAheadScan ahead) {
    this.slices = new ArrayDeque<>(slices);
    this.opener = opener;
    this.ahead = ahead;
  }

  boolean isEmpty() {
    return slices.isEmpty() && openings.isEmpty();
  }

  /** Returns the next slice, which stays in the queue; null at the end. */
  SliceOpening peek() {
    while (!slices.isEmpty() && mayOpen(slices.element())) {
      openings.add(open(slices.remove(), nextNumber++));
    }
    return openings.peek();
  }

  private boolean mayOpen(FileSlice next) {
    return openings.isEmpty()
        || (ahead != null && ahead.mayPrepare(openings.size(), opener.bytesToOpen(next)));
  }

  /** Removes the next slice, which the caller then owns; null at the end. */
  SliceOpening poll() {
    peek();
    return openings.poll();
  }

  private SliceOpening open(FileSlice slice, long number) {
    int after = slices.size();
    return ahead == null
        ? SliceOpening.onDemand(slice, () -> opener.open(slice, number, after))
        : SliceOpening.ahead(
            slice,
            ahead.prepare(() -> opener.open(slice, number, after), opener.bytesToOpen(slice)));
  }

  @Override
  public void close() {
    slices.clear();
    Closer closer = new Closer();
    openings.forEach(closer::close);
    openings.clear();
    closer.rethrow();
  }
}

package io.ariadne.fragment;

import io.ariadne.columnar.BatchSource;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.type.Schema;
import java.util.ArrayList;
import java.util.List;

/** Yields given values batch by batch; remembers who pulled and whether it was closed. */
public class TestingSource implements BatchSource {
  private final BufferAllocator allocator;
  private final List<long[]> batches;
  private final Thread owner = Thread.currentThread();
  private int next;
  private volatile boolean closed;
  private volatile boolean foreignPull;
  private volatile boolean pulling;
  private volatile boolean closedDuringPull;

  /** Creates a source that must be pulled by the thread that creates it. */
  public TestingSource(BufferAllocator allocator, List<long[]> batches) {
    this.allocator = allocator;
    this.batches = new ArrayList<>(batches);
  }

  /** Does something before each batch: pauses, fails, blocks. */
  protected void beforeBatch(int index) {}

  @Override
  public Schema schema() {
    return LongBatches.SCHEMA;
  }

  @Override
  public RecordBatch next() {
    foreignPull |= Thread.currentThread() != owner;
    if (closed) {
      throw new IllegalStateException("pulled after close");
    }
    pulling = true;
    try {
      beforeBatch(next);
    } finally {
      pulling = false;
    }
    if (next == batches.size()) {
      return null;
    }
    return LongBatches.of(allocator, next, batches.get(next++));
  }

  @Override
  public void close() {
    closedDuringPull |= pulling;
    closed = true;
  }

  /** Returns how many batches were pulled. */
  public int pulled() {
    return next;
  }

  /** Returns whether it was closed. */
  public boolean isClosed() {
    return closed;
  }

  /** Returns whether it was closed while it was pulled. */
  public boolean wasClosedDuringPull() {
    return closedDuringPull;
  }

  /** Returns whether another thread than the creator's pulled. */
  public boolean wasPulledByOthers() {
    return foreignPull;
  }
}

package io.ariadne.rules.overlap;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.type.Schema;
import io.ariadne.operator.Split;
import io.ariadne.operator.SplitSource;
import io.ariadne.operator.SplitSourceFactory;
import java.util.concurrent.CompletableFuture;

/**
 * Lets a scan yield a further batch, and say what it needs for it, only while fewer than a number
 * of its batches are between the scan and the end of the sink. Thread-safe.
 */
final class SplitGate {
  private final int limit;

  @GuardedBy("this")
  private int inUse;

  @GuardedBy("this")
  private CompletableFuture<Void> opens = new CompletableFuture<>();

  /**
   * Creates a gate.
   *
   * @param limit batches that may be in use, at least 1
   */
  SplitGate(int limit) {
    this.limit = limit;
  }

  /** Returns a factory whose sources pass this gate; each batch must cause one of output. */
  SplitSourceFactory behind(SplitSourceFactory factory) {
    return (context, counters) -> new GatedSource(factory.create(context, counters));
  }

  /** Notes that the sink is done with a batch. */
  void done() {
    CompletableFuture<Void> opened;
    synchronized (this) {
      inUse--;
      opened = opens;
      opens = new CompletableFuture<>();
    }
    opened.complete(null);
  }

  private synchronized CompletableFuture<Void> closed() {
    return inUse < limit ? null : opens;
  }

  private synchronized void enter() {
    inUse++;
  }

  private final class GatedSource implements SplitSource {
    private final SplitSource source;

    GatedSource(SplitSource source) {
      this.source = source;
    }

    @Override
    public Schema schema() {
      return source.schema();
    }

    @Override
    public CompletableFuture<Void> isBlocked() {
      return source.isBlocked();
    }

    @Override
    public Split next() {
      Split split = source.next();
      return split == null ? null : new GatedSplit(split);
    }

    @Override
    public void close() {
      source.close();
    }
  }

  private final class GatedSplit implements Split {
    private final Split split;

    GatedSplit(Split split) {
      this.split = split;
    }

    @Override
    public CompletableFuture<Void> isBlocked() {
      CompletableFuture<Void> closed = closed();
      return closed == null ? split.isBlocked() : closed;
    }

    @Override
    public RecordBatch next() {
      RecordBatch batch = split.next();
      if (batch != null && batch.rowCount() > 0) {
        enter();
      }
      return batch;
    }

    @Override
    public long memoryInBytes() {
      return split.memoryInBytes();
    }

    @Override
    public void close() {
      split.close();
    }
  }
}

package io.ariadne.preload;

import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.io.PendingRead;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * What has been taken out of the executor's state under its lock, and is cancelled, freed and
 * completed without it. Used by one thread.
 */
final class Discarded {
  private final List<PendingRead> reads = new ArrayList<>();
  private final List<MemoryBuffer> buffers = new ArrayList<>();
  private final List<CompletableFuture<Void>> waits = new ArrayList<>();

  /** Adds an attempt to cancel, under the lock. */
  void add(ReadAttempt attempt) {
    attempt.isCancelled = true;
    if (attempt.pending != null) {
      reads.add(attempt.pending);
    }
  }

  void add(MemoryBuffer buffer) {
    buffers.add(buffer);
  }

  /** Adds a future to complete; null for none. */
  void add(CompletableFuture<Void> wait) {
    if (wait != null) {
      waits.add(wait);
    }
  }

  /** Cancels, frees and completes everything, without the lock; returns the bytes freed. */
  long finish() {
    long bytes = 0;
    Closer closer = new Closer();
    for (PendingRead read : reads) {
      closer.close(read::cancel);
    }
    for (MemoryBuffer buffer : buffers) {
      bytes += buffer.lengthInBytes();
      closer.close(buffer);
    }
    for (CompletableFuture<Void> wait : waits) {
      closer.close(() -> wait.complete(null));
    }
    closer.rethrow();
    return bytes;
  }
}

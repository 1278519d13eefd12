package io.ariadne.preload;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.io.ByteRange;
import io.ariadne.io.ByteRangeReader;
import io.ariadne.io.PendingRead;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A file whose reads end when a test says so. Byte {@code i} is a function of {@code i} ({@link
 * #byteAt}).
 */
final class ScriptedFile implements ByteRangeReader {
  private static final int ALIGNMENT = 512;

  private final long length;
  final List<ScriptedRead> reads = new CopyOnWriteArrayList<>();
  final AtomicInteger directReads = new AtomicInteger();

  /** What happens to a read when it starts; may end it. */
  private volatile Reaction reaction = read -> {};

  /** Reacts to a read that has been started. */
  interface Reaction {
    void started(ScriptedRead read);
  }

  ScriptedFile(long length) {
    this.length = length;
  }

  /** Sets what happens to the reads that start after this call. */
  void react(Reaction to) {
    reaction = to;
  }

  static byte byteAt(long position) {
    return (byte) (position * 31 + (position >> 8));
  }

  @Override
  public long lengthInBytes() {
    return length;
  }

  @Override
  public void read(long position, MemoryBuffer target, long targetOffset, long count) {
    directReads.incrementAndGet();
    fill(new ByteRange(position, target, targetOffset, count));
  }

  private static void fill(ByteRange range) {
    for (long i = 0; i < range.length(); i++) {
      range.target().putByte(range.targetOffset() + i, byteAt(range.position() + i));
    }
  }

  @Override
  public PendingRead start(List<ByteRange> ranges, Executor threads) {
    ByteRange range = ranges.get(0);
    long address = range.target().address() + range.targetOffset();
    if ((address - range.position()) % ALIGNMENT != 0) {
      throw new AssertionError("the target is not aligned: " + range);
    }
    ScriptedRead read = new ScriptedRead(ranges.get(0));
    reads.add(read);
    reaction.started(read);
    return read;
  }

  /** Asks for targets like those of direct reads. */
  @Override
  public int alignmentInBytes() {
    return ALIGNMENT;
  }

  @Override
  public void close() {}

  @Override
  public String toString() {
    return "the scripted file";
  }

  /** A read that has been started. */
  static final class ScriptedRead implements PendingRead {
    final ByteRange range;
    private final CompletableFuture<Void> completion = new CompletableFuture<>();
    volatile boolean isCancelled;

    /** Whether a cancelled read stays in progress, as a blocking one does. */
    volatile boolean ignoresCancel;

    ScriptedRead(ByteRange range) {
      this.range = range;
    }

    /** Whether the end of the read has been decided; only that thread may write. */
    private final AtomicBoolean isDecided = new AtomicBoolean();

    /** Writes the bytes and ends the read, unless it has ended. */
    void succeed() {
      if (isDecided.compareAndSet(false, true)) {
        fill(range);
        completion.complete(null);
      }
    }

    void fail(String message) {
      if (isDecided.compareAndSet(false, true)) {
        completion.completeExceptionally(new IOException(message));
      }
    }

    @Override
    public CompletableFuture<Void> completion() {
      return completion;
    }

    @Override
    public void cancel() {
      isCancelled = true;
      if (!ignoresCancel && isDecided.compareAndSet(false, true)) {
        completion.completeExceptionally(new CancellationException("cancelled by the test"));
      }
    }
  }
}

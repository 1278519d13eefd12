package io.ariadne.rules.overlap;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.event.Threads;
import io.ariadne.io.ByteRange;
import io.ariadne.io.ByteRangeReader;
import io.ariadne.io.ForwardingReader;
import io.ariadne.io.LocalFileReader;
import io.ariadne.io.PendingRead;
import io.ariadne.parquet.scan.FileOpener;
import io.ariadne.parquet.scan.FileSlice;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Local files as a distant storage: each request has a latency, and the bytes of all requests pass
 * one {@link ShapedLink}. Reads are asynchronous, as those of an object store.
 */
final class ShapedFiles implements FileOpener, AutoCloseable {
  private final ShapedLink link;
  private final long latencyNanos;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(Threads.daemons("shaped-storage"));

  ShapedFiles(ShapedLink link, long latencyNanos) {
    this.link = link;
    this.latencyNanos = latencyNanos;
  }

  @Override
  public ByteRangeReader open(FileSlice slice) throws IOException {
    return new ShapedReader(LocalFileReader.open(Path.of(slice.path())));
  }

  @Override
  public boolean isSlow(FileSlice slice) {
    return true;
  }

  @Override
  public void close() {
    timer.shutdown();
  }

  /** Returns when the bytes of a request that is sent now have arrived. */
  private long arrivalOf(long bytes) {
    return link.take(bytes, System.nanoTime() + latencyNanos);
  }

  private final class ShapedReader extends ForwardingReader {
    ShapedReader(ByteRangeReader file) {
      super(file);
    }

    @Override
    public boolean waits(long position, long length) {
      return true;
    }

    @Override
    public long firstByteNanos() {
      return latencyNanos;
    }

    @Override
    public String storage() {
      return "shaped";
    }

    @Override
    public void read(long position, MemoryBuffer target, long targetOffset, long length)
        throws IOException {
      long arrival = arrivalOf(length);
      for (long left = arrival - System.nanoTime(); left > 0; ) {
        LockSupport.parkNanos(this, left);
        left = arrival - System.nanoTime();
      }
      delegate().read(position, target, targetOffset, length);
    }

    @Override
    public PendingRead start(List<ByteRange> ranges, Executor threads) {
      long bytes = ranges.stream().mapToLong(ByteRange::length).sum();
      long delay = arrivalOf(bytes) - System.nanoTime();
      Executor arriving =
          read -> {
            var unused = timer.schedule(read, delay, TimeUnit.NANOSECONDS);
          };
      return new SentRead(delegate().start(ranges, arriving));
    }

    @Override
    public void close() throws IOException {
      delegate().close();
    }
  }

  /**
   * A request whose bytes arrive when the timer reads them. It has begun when it is sent, so that
   * its time is measured from then on.
   */
  private record SentRead(PendingRead arrival) implements PendingRead {
    @Override
    public CompletableFuture<Void> completion() {
      return arrival.completion();
    }

    @Override
    public void cancel() {
      arrival.cancel();
    }
  }
}

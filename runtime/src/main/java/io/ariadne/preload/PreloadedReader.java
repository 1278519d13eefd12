package io.ariadne.preload;

import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.event.ThreadRecord;
import io.ariadne.event.Wait;
import io.ariadne.event.WaitKind;
import io.ariadne.io.ByteRangeReader;
import io.ariadne.io.ForwardingReader;
import io.ariadne.preload.RangeRequest.State;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.Lock;

/** Reads a file, of which some ranges are read ahead. Stays owned by the ranges. */
final class PreloadedReader extends ForwardingReader {
  private final PreloadedRanges ranges;

  PreloadedReader(PreloadedRanges ranges, ByteRangeReader file) {
    super(file);
    this.ranges = ranges;
  }

  @Override
  public void read(long position, MemoryBuffer target, long targetOffset, long length)
      throws IOException {
    Objects.checkFromIndexSize(targetOffset, length, target.capacityInBytes());
    for (long done = 0; done < length; ) {
      long from = position + done;
      RangeRequest request = ranges.at(from);
      long end = request == null ? ranges.nextStart(from, Long.MAX_VALUE) : request.range.end();
      long count = Math.min(length - done, end - from);
      if (request == null || !copy(request, from, target, targetOffset + done, count)) {
        delegate().read(from, target, targetOffset + done, count);
      }
      done += count;
    }
  }

  /** Copies bytes of a request; returns false when they must be read from the file. */
  private boolean copy(
      RangeRequest request, long position, MemoryBuffer target, long offset, long count)
      throws IOException {
    awaitSettled(request);
    MemoryBuffer bytes = use(request);
    if (bytes == null) {
      return false;
    }
    try {
      long source = bytes.address() + request.offset + (position - request.range.position());
      Memory.copy(source, target.address() + offset, count);
    } finally {
      used(request, count);
    }
    return true;
  }

  /** Begins a use of the bytes; returns null when they are not in memory. */
  private static MemoryBuffer use(RangeRequest request) throws IOException {
    Lock lock = request.owner.executor().lock();
    lock.lock();
    try {
      if (request.state == State.FAILED) {
        throw failure(request);
      }
      if (request.state != State.ARRIVED) {
        return null;
      }
      request.users++;
      return request.bytes;
    } finally {
      lock.unlock();
    }
  }

  private static IOException failure(RangeRequest request) {
    Throwable cause = request.failure;
    if (cause instanceof RuntimeException unchecked && !(cause instanceof CancellationException)) {
      throw unchecked;
    }
    if (cause instanceof Error error) {
      throw error;
    }
    return cause instanceof IOException io
        ? io
        : new IOException("cannot read " + request + ": " + cause.getMessage(), cause);
  }

  private static void used(RangeRequest request, long count) {
    Discarded discarded = new Discarded();
    Lock lock = request.owner.executor().lock();
    lock.lock();
    try {
      request.users--;
      request.unusedBytes -= count;
      boolean isUsedUp = request.state == State.ARRIVED && request.unusedBytes <= 0;
      if (isUsedUp) {
        request.state = State.OVER;
      }
      if (request.state == State.OVER && request.users == 0) {
        request.owner.free(request, discarded);
      }
    } finally {
      lock.unlock();
    }
    if (discarded.finish() > 0) {
      request.owner.executor().wake();
    }
  }

  /** Waits until a request has settled; meanwhile another compute thread may run. */
  private void awaitSettled(RangeRequest request) throws IOException {
    CompletableFuture<Void> settled = need(request);
    if (settled == null) {
      return;
    }
    long begin = System.nanoTime();
    CompletableFuture<Void> end = new CompletableFuture<>();
    var unused = settled.whenComplete((nothing, failure) -> end.complete(null));
    ThreadRecord thread = ThreadRecord.current();
    Wait wait =
        thread.await(
            WaitKind.STORAGE,
            request,
            request.range.length(),
            reason -> end.completeExceptionally(new CancellationException(reason)));
    try {
      thread.withoutPermit(() -> await(end, request));
    } finally {
      wait.close();
      ranges.scan().countWait(System.nanoTime() - begin);
    }
  }

  private Void await(CompletableFuture<Void> end, RangeRequest request)
      throws InterruptedIOException {
    try {
      return end.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      InterruptedIOException stopped =
          new InterruptedIOException("interrupted while " + this + " was read");
      stopped.initCause(e);
      throw stopped;
    } catch (ExecutionException e) {
      throw new CancellationException("the wait for " + request + " has ended: " + e.getCause());
    }
  }

  /** Marks a request as needed; returns what to wait for, or null. */
  private CompletableFuture<Void> need(RangeRequest request) {
    PreloadExecutor executor = ranges.executor();
    CompletableFuture<Void> settled;
    boolean isNews;
    executor.lock().lock();
    try {
      isNews = ranges.need(request);
      settled = request.isSettled() ? null : request.settled();
    } finally {
      executor.lock().unlock();
    }
    if (isNews) {
      executor.wake();
    }
    return settled;
  }

  /** Does nothing: the ranges own this reader. */
  @Override
  public void close() {}
}

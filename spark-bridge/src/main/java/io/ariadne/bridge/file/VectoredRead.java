package io.ariadne.bridge.file;

import io.ariadne.bridge.file.VectoredStream.Extent;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.io.ByteRange;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystemException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Performs one read of several ranges through a {@link VectoredStream}. Ranges that lie close
 * together become one extent, by the file system's parameters. Only the calling thread writes to
 * the caller's memory.
 */
final class VectoredRead {
  /** Longest wait for an answer, longer than file systems retry successfully. */
  static final Duration PATIENCE = Duration.ofMinutes(10);

  private final String file;
  private final VectoredStream stream;
  private final Duration patience;

  /**
   * Prepares a read.
   *
   * @param file name for messages
   * @param stream used exclusively, and not again after a failure, since reads may still be running
   * @param patience how long to wait for all ranges
   */
  VectoredRead(String file, VectoredStream stream, Duration patience) {
    this.file = file;
    this.stream = stream;
    this.patience = patience;
  }

  /**
   * Reads ranges.
   *
   * @param ranges ranges inside the file, in any order, of fewer than 2^31 bytes each
   * @throws FileSystemException when there is no answer in time
   * @throws InterruptedIOException when the thread is interrupted; its interrupt status stays set
   * @throws IOException when a range cannot be read or has fewer bytes
   * @throws UnsupportedOperationException when the file does not support this; nothing has been
   *     read
   */
  void read(List<ByteRange> ranges) throws IOException {
    List<Group> groups = groups(ranges, stream.minSeekBytes(), stream.maxReadBytes());
    if (groups.isEmpty()) {
      return;
    }
    List<CompletableFuture<ByteBuffer>> reads =
        stream.start(groups.stream().map(Group::extent).toList());
    long deadline = System.nanoTime() + patience.toNanos();
    try {
      for (int i = 0; i < groups.size(); i++) {
        copy(groups.get(i), await(reads.get(i), groups.get(i).extent(), deadline));
      }
    } catch (IOException | RuntimeException | Error e) {
      reads.forEach(read -> read.cancel(true));
      throw e;
    }
  }

  private ByteBuffer await(CompletableFuture<ByteBuffer> read, Extent extent, long deadline)
      throws IOException {
    try {
      return read.get(Math.max(deadline - System.nanoTime(), 0), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      FileSystemException late =
          new FileSystemException(
              file, null, "no answer within " + patience + " to a read of " + text(extent));
      late.initCause(e);
      throw late;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      InterruptedIOException stopped =
          new InterruptedIOException("interrupted while " + file + " was read");
      stopped.initCause(e);
      throw stopped;
    } catch (CancellationException e) {
      throw new IOException("the read of " + text(extent) + " of " + file + " was cancelled", e);
    } catch (ExecutionException e) {
      throw failure(extent, e.getCause());
    }
  }

  private IOException failure(Extent extent, Throwable cause) {
    if (cause instanceof Error error) {
      throw error;
    }
    if (cause instanceof UncheckedIOException unchecked) {
      return unchecked.getCause();
    }
    return cause instanceof IOException failure
        ? failure
        : new IOException("cannot read " + text(extent) + " of " + file + ": " + cause, cause);
  }

  private static String text(Extent extent) {
    return extent.length() + " bytes at " + extent.position();
  }

  private void copy(Group group, ByteBuffer bytes) throws IOException {
    Extent extent = group.extent();
    int count = bytes == null ? 0 : bytes.remaining();
    if (count != extent.length()) {
      throw new EOFException(
          count
              + " bytes instead of "
              + extent.length()
              + " at "
              + extent.position()
              + " of "
              + file);
    }
    byte[] array;
    int first;
    if (bytes.hasArray()) {
      array = bytes.array();
      first = bytes.arrayOffset() + bytes.position();
    } else {
      array = new byte[count];
      bytes.duplicate().get(array);
      first = 0;
    }
    for (ByteRange range : group.ranges()) {
      int offset = Math.toIntExact(range.position() - extent.position());
      long target = range.target().address() + range.targetOffset();
      Memory.copy(array, first + offset, target, (int) range.length());
    }
  }

  /**
   * Merges ranges: those that overlap, and those with fewer than {@code minSeek} bytes between them
   * if the result has at most {@code maxBytes}.
   */
  static List<Group> groups(List<ByteRange> ranges, int minSeek, int maxBytes) {
    List<ByteRange> sorted = new ArrayList<>(ranges);
    sorted.removeIf(range -> range.length() == 0);
    sorted.sort(Comparator.comparingLong(ByteRange::position));
    List<Group> groups = new ArrayList<>();
    for (ByteRange range : sorted) {
      Extent own = new Extent(range.position(), Math.toIntExact(range.length()));
      Group last = groups.isEmpty() ? null : groups.get(groups.size() - 1);
      Extent both = last == null ? null : joined(last.extent(), own, minSeek, maxBytes);
      if (both == null) {
        groups.add(new Group(own, new ArrayList<>(List.of(range))));
      } else {
        last.ranges().add(range);
        groups.set(groups.size() - 1, new Group(both, last.ranges()));
      }
    }
    return groups;
  }

  private static Extent joined(Extent first, Extent second, int minSeek, int maxBytes) {
    long length = Math.max(first.end(), second.end()) - first.position();
    boolean isClose = second.position() - first.end() < minSeek && length <= maxBytes;
    boolean overlaps = second.position() < first.end();
    return isClose || overlaps ? new Extent(first.position(), Math.toIntExact(length)) : null;
  }

  /**
   * The ranges that one extent contains.
   *
   * @param extent what is read
   * @param ranges parts of it
   */
  record Group(Extent extent, List<ByteRange> ranges) {}
}

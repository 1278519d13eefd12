package io.ariadne.parquet.scan;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.event.ThreadRecord;
import io.ariadne.event.Wait;
import io.ariadne.event.WaitKind;
import io.ariadne.io.ByteRange;
import io.ariadne.io.ByteRangeReader;
import io.ariadne.io.ForwardingReader;
import io.ariadne.io.PendingRead;
import io.ariadne.io.RequestPlanner;
import io.ariadne.io.WantedRange;
import io.ariadne.parquet.metadata.ByteSpan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;

/**
 * Reads a file of a slow storage so that its metadata takes few requests. The first read near the
 * end of the file, which is that of the footer, reads a larger part of the end, and a small file as
 * a whole; page indexes are loaded together. These parts are served from memory until they are
 * dropped; a small file stays in memory. Owns the file.
 *
 * <p>One thread reads the metadata and drops it before other threads use this reader.
 */
final class MetadataReader extends ForwardingReader {
  /** A file of at most this many times the bytes of the tail is read as a whole. */
  private static final int SMALL_FILE_TAILS = 2;

  /** Gap between page indexes up to which one request reads both. */
  private static final long MAX_GAP_BYTES = 64 << 10;

  private static final long MAX_REQUEST_BYTES = 8 << 20;

  private final BufferAllocator allocator;
  private final long tailBytes;
  private volatile List<Part> parts = List.of();
  private volatile boolean isDropped;

  /**
   * A part of the file in memory.
   *
   * @param start first byte
   * @param bytes the bytes
   */
  private record Part(long start, MemoryBuffer bytes) {
    boolean contains(long position, long length) {
      return position >= start && length <= bytes.lengthInBytes() - (position - start);
    }
  }

  /**
   * Takes ownership of a file; reads nothing.
   *
   * @param file the file
   * @param allocator host memory for metadata
   * @param tailBytes bytes of the end to read with the footer, at least 1
   */
  MetadataReader(ByteRangeReader file, BufferAllocator allocator, long tailBytes) {
    super(file);
    this.tailBytes = tailBytes;
    this.allocator = allocator;
  }

  /**
   * Returns how many bytes of a file the first read takes.
   *
   * @param fileLength bytes of the file
   * @param tailBytes bytes of the end to read with the footer
   */
  static long firstBytes(long fileLength, long tailBytes) {
    return fileLength <= SMALL_FILE_TAILS * tailBytes ? fileLength : tailBytes;
  }

  /** Returns whether the whole file is in memory. */
  boolean isInMemory() {
    return contains(0, lengthInBytes());
  }

  private boolean contains(long position, long length) {
    return parts.stream().anyMatch(part -> part.contains(position, length));
  }

  /** Loads spans that are not in memory with few requests; ignores spans outside the file. */
  void load(List<ByteSpan> spans) throws IOException {
    List<WantedRange> wanted = new ArrayList<>();
    for (ByteSpan span : spans) {
      boolean isInFile =
          span.offset() >= 0
              && span.lengthInBytes() > 0
              && span.lengthInBytes() <= lengthInBytes() - span.offset();
      if (isInFile && !contains(span.offset(), span.lengthInBytes())) {
        wanted.add(new WantedRange(span.offset(), span.lengthInBytes(), 0));
      }
    }
    for (WantedRange range : RequestPlanner.plan(wanted, MAX_GAP_BYTES, MAX_REQUEST_BYTES)) {
      load(range.position(), range.length());
    }
  }

  private void load(long position, long length) throws IOException {
    MemoryBuffer bytes = allocator.allocate(length);
    try {
      readNow(List.of(new ByteRange(position, bytes, 0, length)));
    } catch (IOException | RuntimeException | Error e) {
      bytes.close();
      throw e;
    }
    List<Part> more = new ArrayList<>(parts);
    more.add(new Part(position, bytes));
    parts = List.copyOf(more);
  }

  /** Frees the metadata; keeps a file that is in memory as a whole. */
  void drop() {
    isDropped = true;
    if (!isInMemory()) {
      free();
    }
  }

  private void free() {
    List<Part> old = parts;
    parts = List.of();
    Closer closer = new Closer();
    old.forEach(part -> closer.close(part.bytes()));
    closer.rethrow();
  }

  @Override
  public void read(long position, MemoryBuffer target, long targetOffset, long length)
      throws IOException {
    if (!copy(position, target, targetOffset, length)) {
      if (isNearEnd(position)) {
        long fileLength = lengthInBytes();
        long tail = firstBytes(fileLength, tailBytes);
        load(fileLength - tail, tail);
        if (copy(position, target, targetOffset, length)) {
          return;
        }
      }
      readNow(List.of(new ByteRange(position, target, targetOffset, length)));
    }
  }

  /** Reads from the storage; meanwhile another compute thread may run. */
  private void readNow(List<ByteRange> ranges) throws IOException {
    long length = ranges.stream().mapToLong(ByteRange::length).sum();
    ThreadRecord thread = ThreadRecord.current();
    // Readers end their reads themselves after some time, so the wait has no breaker.
    Wait wait = thread.await(WaitKind.STORAGE, this, length, null);
    try {
      thread.withoutPermit(
          () -> {
            delegate().readAll(ranges);
            return null;
          });
    } finally {
      wait.close();
    }
  }

  /** Returns whether a read calls for the end of the file, which is read at most once. */
  private boolean isNearEnd(long position) {
    return parts.isEmpty()
        && !isDropped
        && position >= 0
        && position >= lengthInBytes() - tailBytes;
  }

  private boolean copy(long position, MemoryBuffer target, long targetOffset, long length) {
    for (Part part : parts) {
      if (part.contains(position, length)) {
        Objects.checkFromIndexSize(targetOffset, length, target.capacityInBytes());
        long source = part.bytes().address() + (position - part.start());
        Memory.copy(source, target.address() + targetOffset, length);
        return true;
      }
    }
    return false;
  }

  @Override
  public void readAll(List<ByteRange> ranges) throws IOException {
    List<ByteRange> missing = new ArrayList<>();
    for (ByteRange range : ranges) {
      if (!copy(range.position(), range.target(), range.targetOffset(), range.length())) {
        missing.add(range);
      }
    }
    if (!missing.isEmpty()) {
      readNow(missing);
    }
  }

  @Override
  public PendingRead start(List<ByteRange> ranges, Executor threads) {
    return delegate().start(ranges, threads);
  }

  @Override
  public boolean isFasterTogether() {
    return !isInMemory() && delegate().isFasterTogether();
  }

  @Override
  public boolean waits(long position, long length) {
    return !contains(position, length) && delegate().waits(position, length);
  }

  @Override
  public void close() throws IOException {
    try {
      free();
    } finally {
      delegate().close();
    }
  }
}

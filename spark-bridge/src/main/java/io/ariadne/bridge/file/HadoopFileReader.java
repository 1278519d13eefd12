package io.ariadne.bridge.file;

import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.io.ByteRange;
import io.ariadne.io.ByteRangeReader;
import io.ariadne.io.ReadCounters;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.BlockMissingException;
import org.apache.hadoop.security.AccessControlException;

/**
 * Reads ranges of a file in any Hadoop file system with positioned reads, and several ranges at
 * once with vectored reads where the file system implements them. Thread-safe.
 *
 * <p>Hadoop streams read into arrays, so every byte is copied once, through chunks of {@value
 * #CHUNK_BYTES} bytes. A positioned read locks its stream in many file systems. So concurrent
 * threads use separate streams, which are kept for later reads.
 */
public final class HadoopFileReader implements ByteRangeReader {
  private static final int CHUNK_BYTES = 128 * 1024;
  private static final long MAX_VECTORED_BYTES = 64 << 20;
  private static final ThreadLocal<byte[]> CHUNK =
      ThreadLocal.withInitial(() -> new byte[CHUNK_BYTES]);

  private final FileSystem files;
  private final Path path;
  private final long lengthInBytes;
  private final long modificationTimeMillis;
  private final ConcurrentLinkedQueue<FSDataInputStream> streams = new ConcurrentLinkedQueue<>();
  private final Duration patience;
  private final FileStatus status;
  private final ReadCounters counters;
  private volatile boolean closed;

  /** Whether streams have vectored reads, as observed on the last stream. */
  private volatile boolean hasVectoredReads;

  private HadoopFileReader(
      FileSystem files, Path path, FileStatus status, Duration patience, ReadCounters counters) {
    this.files = files;
    this.status = status;
    this.counters = counters;
    this.patience = patience;
    this.path = path;
    this.lengthInBytes = status.getLen();
    this.modificationTimeMillis = status.getModificationTime();
  }

  /**
   * Opens a file as it is now.
   *
   * @param files the file system that contains it
   * @param path the file
   * @return a reader to be closed by the caller
   * @throws FileNotFoundException when there is no such file
   * @throws FileSystemException when the file system refuses to serve an existing file: see {@link
   *     #read}
   * @throws IOException when it cannot be opened
   */
  public static HadoopFileReader open(FileSystem files, Path path) throws IOException {
    return open(files, path, VectoredRead.PATIENCE, ReadCounters.create());
  }

  static HadoopFileReader open(
      FileSystem files, Path path, Duration patience, ReadCounters counters) throws IOException {
    Objects.requireNonNull(path, "path is null");
    try {
      counters.requests().increment();
      FileStatus status = files.getFileStatus(path);
      HadoopFileReader reader = new HadoopFileReader(files, path, status, patience, counters);
      FSDataInputStream stream = reader.openStream();
      reader.hasVectoredReads = VectoredLine.of(stream) != null;
      reader.streams.add(stream);
      return reader;
    } catch (AccessControlException | BlockMissingException e) {
      throw refused(path, e);
    }
  }

  /**
   * Opens a stream. Its status spares the file system a request for it, and the policies tell that
   * ranges are read at random; file systems ignore what they do not know.
   */
  private FSDataInputStream openStream() throws IOException {
    try {
      return files
          .openFile(path)
          .withFileStatus(status)
          .opt("fs.option.openfile.read.policy", "vector, random")
          .opt("fs.option.openfile.length", Long.toString(lengthInBytes))
          .opt("fs.s3a.experimental.input.fadvise", "random")
          .build()
          .get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      InterruptedIOException stopped =
          new InterruptedIOException("interrupted while " + path + " was opened");
      stopped.initCause(e);
      throw stopped;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      if (e.getCause() instanceof Error failure) {
        throw failure;
      }
      throw new IOException("cannot open " + path + ": " + e.getCause(), e.getCause());
    }
  }

  /**
   * Converts a refusal of the file system, after which the file may still be intact, to java.nio's
   * exception.
   */
  private static FileSystemException refused(Path path, IOException e) {
    FileSystemException refusal =
        e instanceof AccessControlException
            ? new AccessDeniedException(path.toString(), null, e.getMessage())
            : new FileSystemException(path.toString(), null, e.getMessage());
    refusal.initCause(e);
    return refusal;
  }

  @Override
  public long lengthInBytes() {
    return lengthInBytes;
  }

  /**
   * Returns the time that the file system stated when the file was opened. Some always state 0:
   * unknown.
   */
  @Override
  public long modificationTimeMillis() {
    return modificationTimeMillis > 0 ? modificationTimeMillis : UNKNOWN_TIME;
  }

  /**
   * {@inheritDoc}
   *
   * @throws AccessDeniedException when permission is denied (Hadoop: {@code
   *     AccessControlException})
   * @throws FileSystemException when no replica of a part of the file is available (Hadoop: {@code
   *     BlockMissingException})
   */
  @Override
  public void read(long position, MemoryBuffer target, long targetOffset, long length)
      throws IOException {
    check(position, target, targetOffset, length);
    try {
      copy(position, target.address() + targetOffset, length);
    } catch (AccessControlException | BlockMissingException e) {
      throw refused(path, e);
    }
  }

  private void check(long position, MemoryBuffer target, long targetOffset, long length)
      throws EOFException {
    Objects.checkFromIndexSize(targetOffset, length, target.capacityInBytes());
    if (target.tier() != MemoryTier.HOST && target.tier() != MemoryTier.PINNED) {
      throw new IllegalArgumentException("cannot read into memory of tier " + target.tier());
    }
    if (position < 0 || position > lengthInBytes - length) {
      throw new EOFException(
          length
              + " bytes at "
              + position
              + " are beyond the end of "
              + path
              + ", which has "
              + lengthInBytes
              + " bytes");
    }
  }

  /**
   * {@inheritDoc}
   *
   * <p>Vectored reads temporarily need as much heap memory as all ranges together.
   *
   * @throws FileSystemException as {@link #read} does, and when there is no answer in time
   */
  @Override
  public void readAll(List<ByteRange> ranges) throws IOException {
    for (ByteRange range : ranges) {
      check(range.position(), range.target(), range.targetOffset(), range.length());
    }
    boolean isShort = ranges.stream().mapToLong(ByteRange::length).sum() <= MAX_VECTORED_BYTES;
    if (ranges.size() < 2 || !isShort || !hasVectoredReads || !readVectored(ranges)) {
      ByteRangeReader.super.readAll(ranges);
    }
  }

  /** Reads ranges at once; returns false when the file system turns out not to support it. */
  private boolean readVectored(List<ByteRange> ranges) throws IOException {
    FSDataInputStream stream = borrow();
    boolean isGood = false;
    try {
      VectoredStream vectored = VectoredLine.of(stream);
      if (vectored != null) {
        new VectoredRead(path.toString(), vectored, patience).read(ranges);
      }
      isGood = true;
      return vectored != null;
    } catch (UnsupportedOperationException e) {
      hasVectoredReads = false;
      return false;
    } catch (AccessControlException | BlockMissingException e) {
      throw refused(path, e);
    } finally {
      giveBack(stream, isGood);
    }
  }

  @Override
  public boolean isFasterTogether() {
    return hasVectoredReads;
  }

  private void copy(long position, long target, long length) throws IOException {
    FSDataInputStream stream = borrow();
    boolean isGood = false;
    try {
      copy(stream, position, target, length);
      isGood = true;
    } finally {
      giveBack(stream, isGood);
    }
  }

  private void copy(FSDataInputStream stream, long position, long target, long length)
      throws IOException {
    announce(stream, length);
    long begin = System.nanoTime();
    byte[] chunk = CHUNK.get();
    for (long done = 0; done < length; ) {
      int count = (int) Math.min(chunk.length, length - done);
      stream.readFully(position + done, chunk, 0, count);
      Memory.copy(chunk, 0, target + done, count);
      done += count;
    }
    count(length, System.nanoTime() - begin);
  }

  private void count(long bytes, long nanos) {
    counters.requests().increment();
    counters.bytes().add(bytes);
    counters.nanos().add(nanos);
  }

  /**
   * Tells a stream how many bytes follow each other, so that one request fetches all of them though
   * they are read in chunks.
   */
  private static void announce(FSDataInputStream stream, long length) throws IOException {
    if (length > CHUNK_BYTES) {
      try {
        stream.setReadahead(length);
      } catch (UnsupportedOperationException e) {
        // The stream decides itself how much to request.
      }
    }
  }

  private FSDataInputStream borrow() throws IOException {
    if (closed) {
      throw new IOException(path + " is closed");
    }
    FSDataInputStream stream = streams.poll();
    return stream == null ? openStream() : stream;
  }

  private void giveBack(FSDataInputStream stream, boolean isGood) throws IOException {
    if (isGood) {
      streams.add(stream);
    }
    if (!isGood || (closed && streams.remove(stream))) {
      stream.close();
    }
  }

  /** Closes all idle streams. A running read closes its own stream. */
  @Override
  public void close() throws IOException {
    closed = true;
    IOException failure = null;
    for (FSDataInputStream s = streams.poll(); s != null; s = streams.poll()) {
      try {
        s.close();
      } catch (IOException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  @Override
  public String toString() {
    return path.toString();
  }
}

package io.ariadne.io.s3;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.io.ByteRange;
import io.ariadne.io.ByteRangeReader;
import io.ariadne.io.OpenRequest;
import io.ariadne.io.PendingRead;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.s3a.S3AFileSystem;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;

/**
 * Reads ranges of an object in S3 with the client of S3A: each range by one request, or a long one
 * by several, all at once. Thread-safe.
 *
 * <p>The bytes go from the connection through an array of 128 KiB, one per thread, to the target;
 * TLS and HTTP of the client need arrays.
 *
 * <p>The first answer determines the version of the object. When a later one has another ETag, or
 * the object is not as long as it was said to be, the read fails with a {@link
 * java.nio.file.FileSystemException}: bytes of two versions never meet.
 *
 * <p>Closing frees nothing and waits for nothing: reads in progress end by themselves or by {@link
 * PendingRead#cancel}.
 */
public final class S3ObjectReader implements ByteRangeReader {
  private final S3Object object;
  private final long lengthInBytes;
  private final long modificationTimeMillis;
  private volatile boolean closed;

  private S3ObjectReader(S3Object object, long lengthInBytes, long modificationTimeMillis) {
    this.object = object;
    this.lengthInBytes = lengthInBytes;
    this.modificationTimeMillis = modificationTimeMillis;
  }

  /**
   * Opens an object: by one HEAD request, or by none if the length is known.
   *
   * @param files the file system, exactly S3A's class
   * @param store what its readers share
   */
  static S3ObjectReader open(S3AFileSystem files, S3Store store, OpenRequest request)
      throws IOException {
    Path path = new Path(request.file());
    S3Object object = S3Object.create(files, path, store, request.counters());
    long length = request.lengthInBytes();
    if (length != OpenRequest.UNKNOWN) {
      object.setListed(length, request.modificationTimeMillis());
      return new S3ObjectReader(object, length, request.modificationTimeMillis());
    }
    HeadObjectResponse answer = new HeadCall(object).call();
    object.describe(answer);
    long time = answer.lastModified() == null ? UNKNOWN_TIME : answer.lastModified().toEpochMilli();
    return new S3ObjectReader(object, answer.contentLength(), time);
  }

  @Override
  public long lengthInBytes() {
    return lengthInBytes;
  }

  @Override
  public long modificationTimeMillis() {
    return modificationTimeMillis;
  }

  /** Returns the object's ETag once an answer has stated it. */
  @Override
  public String version() {
    String version = object.version();
    return version == null ? "" : version;
  }

  @Override
  public void expectVersion(String version) {
    object.expectVersion(version);
  }

  @Override
  public long firstByteNanos() {
    return object.store().times().usualNanos();
  }

  @Override
  public String storage() {
    return object.bucket();
  }

  /** {@inheritDoc} When its thread is interrupted, the read is cancelled and fails. */
  @Override
  public void read(long position, MemoryBuffer target, long targetOffset, long length)
      throws IOException {
    readAll(List.of(new ByteRange(position, target, targetOffset, length)));
  }

  /** {@inheritDoc} When its thread is interrupted, the read is cancelled and fails. */
  @Override
  public void readAll(List<ByteRange> ranges) throws IOException {
    check(ranges);
    ObjectRead read = new ObjectRead(object, PartPlan.of(ranges));
    read.start();
    await(read);
  }

  /** Waits until a read has ended: its retries are bounded in number and time. */
  private void await(ObjectRead read) throws IOException {
    boolean isInterrupted = false;
    try {
      for (; ; ) {
        try {
          read.completion().get();
          return;
        } catch (InterruptedException e) {
          isInterrupted = true;
          read.cancel();
        }
      }
    } catch (ExecutionException e) {
      throw unwrapped(e.getCause());
    } catch (CancellationException e) {
      InterruptedIOException interrupted =
          new InterruptedIOException("interrupted while reading " + object);
      interrupted.initCause(e);
      throw interrupted;
    } finally {
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private IOException unwrapped(Throwable failure) {
    if (failure instanceof Error error) {
      throw error;
    }
    // A new exception, which has this thread's stack, would hide the type that callers rely on.
    return failure instanceof IOException e ? e : new IOException("cannot read " + object, failure);
  }

  /**
   * {@inheritDoc}
   *
   * <p>The requests run on threads of their own, as many as S3A has connections for them; the given
   * threads are not used. A cancelled read ends at once where no bytes arrive, and otherwise when
   * its connection is aborted.
   */
  @Override
  public PendingRead start(List<ByteRange> ranges, Executor threads) {
    ObjectRead read;
    try {
      check(ranges);
      read = new ObjectRead(object, PartPlan.of(ranges));
    } catch (IOException e) {
      return PendingRead.failed(e);
    }
    read.start();
    return read;
  }

  private void check(List<ByteRange> ranges) throws IOException {
    if (closed) {
      throw new IOException("the reader of " + object + " is closed");
    }
    for (ByteRange range : ranges) {
      MemoryTier tier = range.target().tier();
      if (tier != MemoryTier.HOST && tier != MemoryTier.PINNED) {
        throw new IllegalArgumentException("cannot read into a buffer of tier " + tier);
      }
      long length = range.length();
      if (range.position() < 0 || range.position() > lengthInBytes - length) {
        throw new EOFException(
            length
                + " bytes from "
                + range.position()
                + " are outside "
                + object
                + ", which has "
                + lengthInBytes
                + " bytes");
      }
    }
  }

  @Override
  public boolean isFasterTogether() {
    return true;
  }

  @Override
  public void close() {
    closed = true;
  }

  @Override
  public String toString() {
    return object.toString();
  }
}

package io.ariadne.io.gds;

import io.ariadne.backend.ArgumentBlock;
import io.ariadne.backend.Backend;
import io.ariadne.io.ByteRange;
import java.io.IOException;

/**
 * A read that is queued on a CUDA stream. Used by one thread.
 *
 * <p>The caller closes it after it has waited for the stream: until then cuFile writes to memory of
 * this object.
 */
public final class StreamRead implements AutoCloseable {
  /** Lengths and positions are known when a read is queued; they may have any alignment. */
  private static final int FIXED_INPUTS = 7;

  private static final int LENGTH = 0;
  private static final int POSITION = 8;
  private static final int OFFSET = 16;
  private static final int RESULT = 24;
  private static final int SIZE = 32;

  private final DirectReads reads;
  private final RegisteredFiles.Lease file;
  private final RegisteredBuffers.Target target;
  private final ByteRange range;
  private final Runnable ended;
  private final ArgumentBlock request = new ArgumentBlock(SIZE);
  private boolean isClosed;

  /**
   * Creates a read that is not queued yet.
   *
   * @param ended called by {@link #close}
   */
  StreamRead(
      DirectReads reads,
      RegisteredFiles.Lease file,
      RegisteredBuffers.Target target,
      ByteRange range,
      Runnable ended) {
    this.reads = reads;
    this.file = file;
    this.target = target;
    this.range = range;
    this.ended = ended;
    request.putLong(LENGTH, range.length());
    request.putLong(POSITION, range.position());
    request.putLong(OFFSET, target.offset());
  }

  /** Queues the read; returns cuFile's status. */
  long queue(CuFileLibrary library, long stream) {
    return library.readAsync(file.handle(), target.base(), request.address(), stream);
  }

  /**
   * Checks that all bytes have arrived, and reads those that have not. The caller has waited for
   * the stream.
   *
   * @throws IOException when the file could not be read, or has been cut; the message names it
   */
  public void finish() throws IOException {
    try {
      long read = reads.checked(request.getLong(RESULT), range.position(), range.length());
      if (read < range.length()) {
        reads.read(
            file.handle(),
            range.position() + read,
            range.target(),
            range.targetOffset() + read,
            range.length() - read);
      }
    } catch (DirectReads.RefusedException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /** Frees what the read uses. The stream has executed it. Idempotent. */
  @Override
  public void close() {
    if (isClosed) {
      return;
    }
    isClosed = true;
    request.close();
    target.close();
    file.close();
    ended.run();
  }

  static DirectStorage.Registration registerStream(
      Backend backend, CuFileDriver driver, long stream) {
    if (driver == null || !driver.hasStreams()) {
      return registration("cuFile reads no files on streams here", () -> {});
    }
    backend.prepareThread();
    long status = driver.library().registerStream(stream, FIXED_INPUTS);
    return CuFileErrors.isSuccess(status)
        ? registration("", () -> driver.library().deregisterStream(stream))
        : registration(CuFileErrors.describe(status), () -> {});
  }

  private static DirectStorage.Registration registration(String reason, Runnable end) {
    return new DirectStorage.Registration() {
      private boolean isEnded;

      @Override
      public String reason() {
        return reason;
      }

      @Override
      public synchronized void close() {
        if (!isEnded) {
          isEnded = true;
          end.run();
        }
      }
    };
  }
}

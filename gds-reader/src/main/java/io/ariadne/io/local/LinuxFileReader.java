package io.ariadne.io.local;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.event.ThreadRecord;
import io.ariadne.event.Wait;
import io.ariadne.event.WaitKind;
import io.ariadne.io.ByteRange;
import io.ariadne.io.ByteRangeReader;
import io.ariadne.io.PendingRead;
import io.ariadne.io.ReadCounters;
import io.ariadne.memory.PagePool;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a file by positional reads straight into a buffer's memory; reads that are {@link #start
 * started} run on the process's {@code io_uring}.
 *
 * <p>A file that is read around the page cache needs aligned positions and addresses. The kernel
 * writes to the target where {@link #alignmentInBytes} holds; other bytes pass through a page. A
 * direct read that returns less than asked, at the end of the file, is continued through the page
 * cache.
 *
 * <p>Interrupts do not end reads and stay pending, unlike with {@link io.ariadne.io
 * .LocalFileReader}.
 */
public final class LinuxFileReader implements ByteRangeReader {
  private static final Logger LOG = LoggerFactory.getLogger(LinuxFileReader.class);

  /** Most bytes of one call on the calling thread; the kernel takes at most 2^31 - 4096. */
  private static final int MOST_CALL_BYTES = 1 << 30;

  /**
   * Bytes between two samples of {@link #waits}. The kernel reads and drops at least 128 KiB of a
   * file together when it reads ahead, so that few absent pages lie between two samples.
   */
  private static final long SAMPLE_STEP = 128 << 10;

  /** Most samples of one range. */
  private static final int MOST_SAMPLES = 64;

  private static final long REPORT_SECONDS = 30;

  private final OpenFile file;
  private final ReadCounters counters;

  private LinuxFileReader(OpenFile file, ReadCounters counters) {
    this.file = file;
    this.counters = counters;
  }

  /**
   * Opens a file.
   *
   * @param file path of the file
   * @param storage what reads it, retained by the caller for the reader
   * @param counters counts the calls
   * @return a reader to be closed by the caller
   * @throws IOException when it does not exist or cannot be read; the message names the file
   */
  static LinuxFileReader open(Path file, LocalStorage storage, ReadCounters counters)
      throws IOException {
    try {
      return new LinuxFileReader(OpenFile.open(file, storage), counters);
    } catch (IOException | RuntimeException | Error e) {
      storage.release();
      throw e;
    }
  }

  @Override
  public long lengthInBytes() {
    return file.status().lengthInBytes();
  }

  @Override
  public long modificationTimeMillis() {
    return file.status().modificationTimeMillis();
  }

  @Override
  public int alignmentInBytes() {
    return file.isDirect() ? Math.max(file.memoryAlignment(), file.offsetAlignment()) : 1;
  }

  @Override
  public void read(long position, MemoryBuffer target, long targetOffset, long length)
      throws IOException {
    ByteRange range = new ByteRange(position, target, targetOffset, length);
    check(range);
    Optional<RingThread> ring = length > RingThread.PIECE_BYTES ? ringOfDirect() : Optional.empty();
    if (ring.isPresent()) {
      await(start(ring.get(), List.of(range)).completion(), length);
      return;
    }
    file.acquire();
    try {
      if (length > 0 && length <= MOST_CALL_BYTES && !file.isDirect()) {
        readNow(new Piece(file, position, target.address() + targetOffset, (int) length, false));
        return;
      }
      for (Piece piece : pieces(List.of(range), MOST_CALL_BYTES)) {
        readNow(piece);
      }
    } finally {
      file.release();
    }
  }

  /** Returns the ring if the file is read directly: then several calls at a time are faster. */
  private Optional<RingThread> ringOfDirect() {
    return file.isDirect() ? file.storage().ring() : Optional.empty();
  }

  private void check(ByteRange range) throws EOFException {
    long position = range.position();
    long length = range.length();
    if (position < 0 || position > lengthInBytes() - length) {
      throw new EOFException(
          length
              + " bytes from "
              + position
              + " of a file of "
              + lengthInBytes()
              + ": "
              + file.name());
    }
    MemoryTier tier = range.target().tier();
    if (tier != MemoryTier.HOST && tier != MemoryTier.PINNED) {
      throw new IllegalArgumentException("cannot read into a buffer of tier " + tier);
    }
  }

  private List<Piece> pieces(List<ByteRange> ranges, int most) {
    List<Piece> pieces = new ArrayList<>();
    for (ByteRange range : ranges) {
      long address = range.target().address() + range.targetOffset();
      Pieces.cut(file, range.position(), address, range.length(), most, pieces);
    }
    return pieces;
  }

  /** Makes the calls of a piece on the calling thread. */
  private void readNow(Piece piece) throws IOException {
    PagePool pages = file.storage().readPages();
    if (piece.needsPage()) {
      piece.usePage(pages.take(1, LocalStorage.pageTimeoutMillis()).get(0));
    }
    try {
      long result;
      do {
        long start = System.nanoTime();
        result =
            NativeFile.read(
                piece.callDescriptor(),
                piece.callAddress(),
                piece.callLength(),
                piece.callPosition());
        count(result, System.nanoTime() - start);
      } while (!piece.accept(result));
    } finally {
      List<PagePool.Page> page = piece.takePage();
      if (!page.isEmpty()) {
        pages.giveBack(page);
      }
    }
  }

  private void count(long result, long nanos) {
    counters.requests().increment();
    counters.nanos().add(nanos);
    if (result > 0) {
      counters.bytes().add(result);
    } else if (result < 0) {
      counters.retries().increment();
    }
  }

  /** Direct reads of several ranges, or of a large one, run side by side on the ring. */
  @Override
  public void readAll(List<ByteRange> ranges) throws IOException {
    Optional<RingThread> ring = ringOfDirect();
    if (ring.isEmpty() || ranges.size() < 2) {
      ByteRangeReader.super.readAll(ranges);
      return;
    }
    long bytes = ranges.stream().mapToLong(ByteRange::length).sum();
    await(start(ring.get(), ranges).completion(), bytes);
  }

  /** Waits until nothing writes to the targets any more, whatever happens. */
  private void await(CompletableFuture<Void> completion, long bytes) throws IOException {
    boolean isInterrupted = false;
    Wait wait = ThreadRecord.current().await(WaitKind.DISK, this, bytes, null);
    try {
      while (true) {
        try {
          completion.get(REPORT_SECONDS, TimeUnit.SECONDS);
          return;
        } catch (InterruptedException e) {
          isInterrupted = true;
        } catch (TimeoutException e) {
          LOG.warn(
              "the disk has not delivered {} bytes of {} for {} s", bytes, this, REPORT_SECONDS);
        } catch (ExecutionException e) {
          throw rethrown(e.getCause());
        }
      }
    } finally {
      wait.close();
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Throws the cause itself: the same exception as that of a read on the calling thread. */
  private static IOException rethrown(Throwable cause) {
    if (cause instanceof IOException failure) {
      return failure;
    }
    if (cause instanceof RuntimeException failure) {
      throw failure;
    }
    throw new IllegalStateException(cause);
  }

  /**
   * Starts reads on the ring, or on one of the threads where there is none.
   *
   * <p>The ring's thread completes the read: what depends on it must be short and must not block.
   */
  @Override
  public PendingRead start(List<ByteRange> ranges, Executor threads) {
    Optional<RingThread> ring = file.storage().ring();
    if (ring.isEmpty()) {
      return ByteRangeReader.super.start(ranges, threads);
    }
    try {
      return start(ring.get(), ranges);
    } catch (IOException | RuntimeException e) {
      return PendingRead.failed(e);
    }
  }

  private PendingRead start(RingThread ring, List<ByteRange> ranges) throws IOException {
    for (ByteRange range : ranges) {
      check(range);
    }
    file.acquire();
    RingRead read;
    try {
      read = new RingRead(ring, file, pieces(ranges, RingThread.PIECE_BYTES), counters);
    } catch (RuntimeException | Error e) {
      file.release();
      throw e;
    }
    ring.submit(read);
    return read;
  }

  /** Returns whether the file is read around the page cache, by several calls at a time. */
  @Override
  public boolean isFasterTogether() {
    return ringOfDirect().isPresent();
  }

  /**
   * Returns whether a byte of the range is not in the page cache: always for a file that is read
   * around it, otherwise by samples.
   *
   * <p>Takes a sample every {@value #SAMPLE_STEP} bytes and of the last byte, at most {@value
   * #MOST_SAMPLES}, of about 0.2 microseconds each. Pages between samples may be absent: such a
   * range is then read from the device after all. A sample that finds no byte makes the kernel
   * begin to read there, which it does before the caller needs it; a later call may return false
   * although most of the range is absent. Where the file system cannot tell, returns false.
   */
  @Override
  public boolean waits(long position, long length) {
    if (file.isDirect()) {
      return true;
    }
    boolean isInside =
        position >= 0 && length > 0 && position <= file.status().lengthInBytes() - length;
    if (!isInside || !file.facts().supportsSamples()) {
      return false;
    }
    try {
      file.acquire();
    } catch (IOException e) {
      // A read will say that the file is closed.
      return false;
    }
    try {
      long step = Math.max(SAMPLE_STEP, length / MOST_SAMPLES);
      int answer = NativeFile.isResident(file.descriptor(), position, length, step);
      if (answer == -SystemErrors.EOPNOTSUPP || answer == -SystemErrors.ENOSYS) {
        file.facts().refuseSamples(file.name(), SystemErrors.describe(answer));
      }
      return answer == 0;
    } finally {
      file.release();
    }
  }

  @Override
  public void close() {
    file.close();
  }

  @Override
  public String toString() {
    return file.name();
  }
}

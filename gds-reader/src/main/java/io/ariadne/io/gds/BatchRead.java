package io.ariadne.io.gds;

import io.ariadne.backend.ArgumentBlock;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.event.ThreadRecord;
import io.ariadne.event.Wait;
import io.ariadne.event.WaitKind;
import io.ariadne.io.ByteRange;
import io.ariadne.io.ReadCounters;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads several ranges of a file into device memory at once, with batches of cuFile. Used by one
 * thread.
 *
 * <p>It returns only when the device is written to no more. A batch that makes no progress is
 * cancelled, and its thread waits on: memory that a device may still write to cannot be freed. The
 * wait is registered and reported.
 *
 * <p>Source: NVIDIA, cuFile API Reference Guide, cuFileBatchIOSubmit, cuFileBatchIOGetStatus.
 */
final class BatchRead {
  private static final Logger LOG = LoggerFactory.getLogger(BatchRead.class);

  /** {@code CUfileIOParams_t}. */
  private static final int ENTRY_BYTES = 64;

  private static final int ENTRY_MODE = 0;
  private static final int ENTRY_BASE = 8;
  private static final int ENTRY_POSITION = 16;
  private static final int ENTRY_OFFSET = 24;
  private static final int ENTRY_LENGTH = 32;
  private static final int ENTRY_FILE = 40;
  private static final int ENTRY_OPERATION = 48;
  private static final int ENTRY_COOKIE = 56;
  private static final int MODE_BATCH = 1;
  private static final int OPERATION_READ = 0;

  /** {@code CUfileIOEvents_t}. */
  private static final int EVENT_BYTES = 24;

  private static final int EVENT_COOKIE = 0;
  private static final int EVENT_STATUS = 8;
  private static final int EVENT_RESULT = 16;
  private static final int STATUS_CANCELED = 0x08;
  private static final int STATUS_COMPLETE = 0x10;

  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** How often the status may fail one after the other: the documentation says to retry. */
  private static final int STATUS_RETRIES = 5;

  private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final CuFileLibrary library;
  private final RegisteredBuffers buffers;
  private final DirectReads single;
  private final Path path;
  private final ReadCounters counters;
  private final long patienceNanos;

  /** Entries of the present batch whose bytes have not all arrived; null where they have. */
  private final List<ByteRange> waiting = new ArrayList<>();

  private Exception failure;
  private boolean isCancelled;

  BatchRead(
      CuFileLibrary library,
      RegisteredBuffers buffers,
      DirectReads single,
      Path path,
      ReadCounters counters,
      long patienceMillis) {
    this.library = library;
    this.buffers = buffers;
    this.single = single;
    this.path = path;
    this.counters = counters;
    this.patienceNanos = TimeUnit.MILLISECONDS.toNanos(patienceMillis);
  }

  /**
   * Reads ranges; blocks until all bytes are there.
   *
   * @param handle the registered file
   * @param ranges at most as many as a batch takes
   * @param cancelled asked at every poll
   * @throws IOException when the system cannot read the file, or it has been cut
   * @throws DirectReads.RefusedException when cuFile refuses
   * @throws CancellationException when it was cancelled
   */
  void read(long handle, List<ByteRange> ranges, BooleanSupplier cancelled)
      throws IOException, DirectReads.RefusedException {
    List<RegisteredBuffers.Target> targets = new ArrayList<>();
    waiting.clear();
    waiting.addAll(ranges);
    try (ArgumentBlock batch = new ArgumentBlock(Long.BYTES)) {
      ranges.forEach(range -> targets.add(target(range)));
      check(library.setUpBatch(batch.address(), ranges.size()), "cuFileBatchIOSetUp");
      try {
        run(batch.getLong(0), handle, ranges, targets, cancelled);
      } finally {
        library.destroyBatch(batch.getLong(0));
      }
    } finally {
      targets.forEach(RegisteredBuffers.Target::close);
    }
    rethrow();
    for (ByteRange rest : waiting) {
      if (rest != null) {
        single.read(handle, rest.position(), rest.target(), rest.targetOffset(), rest.length());
      }
    }
  }

  private RegisteredBuffers.Target target(ByteRange range) {
    return buffers.target(range.target().address() + range.targetOffset(), range.length());
  }

  private void check(long status, String call) throws DirectReads.RefusedException {
    if (!CuFileErrors.isSuccess(status)) {
      throw new DirectReads.RefusedException(
          CuFileErrors.error(status), call + " for " + path + ": " + CuFileErrors.describe(status));
    }
  }

  private void run(
      long batch,
      long handle,
      List<ByteRange> ranges,
      List<RegisteredBuffers.Target> targets,
      BooleanSupplier cancelled)
      throws DirectReads.RefusedException {
    int count = ranges.size();
    long start = System.nanoTime();
    try (ArgumentBlock entries = new ArgumentBlock(count * ENTRY_BYTES)) {
      for (int i = 0; i < count; i++) {
        fill(entries.address() + (long) i * ENTRY_BYTES, handle, ranges.get(i), targets.get(i), i);
      }
      check(library.submitBatch(batch, count, entries.address()), "cuFileBatchIOSubmit");
      counters.requests().add(count);
      Wait wait = ThreadRecord.current().await(WaitKind.DISK, path, 0, null);
      try {
        await(batch, count, cancelled);
      } finally {
        wait.close();
      }
    } finally {
      counters.nanos().add(System.nanoTime() - start);
    }
  }

  private static void fill(
      long entry, long handle, ByteRange range, RegisteredBuffers.Target target, int index) {
    Memory.putInt(entry + ENTRY_MODE, MODE_BATCH);
    Memory.putLong(entry + ENTRY_BASE, target.base());
    Memory.putLong(entry + ENTRY_POSITION, range.position());
    Memory.putLong(entry + ENTRY_OFFSET, target.offset());
    Memory.putLong(entry + ENTRY_LENGTH, range.length());
    Memory.putLong(entry + ENTRY_FILE, handle);
    Memory.putInt(entry + ENTRY_OPERATION, OPERATION_READ);
    Memory.putLong(entry + ENTRY_COOKIE, index);
  }

  /** Waits until each entry has ended. */
  private void await(long batch, int count, BooleanSupplier cancelled) {
    int left = count;
    int failures = 0;
    long progress = System.nanoTime();
    try (ArgumentBlock events = new ArgumentBlock(count * EVENT_BYTES);
        ArgumentBlock arrived = new ArgumentBlock(Integer.BYTES)) {
      while (left > 0 && failures < STATUS_RETRIES) {
        arrived.putInt(0, left);
        long status = library.awaitBatch(batch, 1, arrived.address(), events.address(), POLL_NANOS);
        if (!CuFileErrors.isSuccess(status)) {
          failures++;
          statusFailed(batch, status, failures);
          continue;
        }
        failures = 0;
        int ended = Math.min(arrived.getInt(0), left);
        for (int i = 0; i < ended; i++) {
          end(events.address() + (long) i * EVENT_BYTES);
        }
        left -= ended;
        long now = System.nanoTime();
        if (ended > 0) {
          progress = now;
        } else if (now - progress > patienceNanos) {
          progress = now;
          report(left);
          cancel(batch);
        }
        if (!isCancelled && cancelled.getAsBoolean()) {
          cancel(batch);
        }
      }
    }
  }

  private void statusFailed(long batch, long status, int failures) {
    if (failures < STATUS_RETRIES) {
      LockSupport.parkNanos(failures * RETRY_NANOS);
      return;
    }
    keep(new IOException(path + ": cuFileBatchIOGetStatus: " + CuFileErrors.describe(status)));
    cancel(batch);
  }

  private void report(int left) {
    long millis = TimeUnit.NANOSECONDS.toMillis(patienceNanos);
    String what = left + " reads of a batch of cuFile have not ended within " + millis + " ms";
    LOG.error("{}: {}; the thread waits for them", path, what);
    keep(new IOException(path + ": " + what));
  }

  private void cancel(long batch) {
    isCancelled = true;
    long status = library.cancelBatch(batch);
    if (!CuFileErrors.isSuccess(status)) {
      // They then run to their end.
      LOG.debug("cuFileBatchIOCancel: {}", CuFileErrors.describe(status));
    }
  }

  private void end(long event) {
    long index = Memory.getLong(event + EVENT_COOKIE);
    if (index < 0 || index >= waiting.size() || waiting.get((int) index) == null) {
      keep(new IOException(path + ": cuFile has ended read " + index + ", which does not run"));
      return;
    }
    int status = Memory.getInt(event + EVENT_STATUS);
    ByteRange range = waiting.get((int) index);
    if (status == STATUS_CANCELED) {
      isCancelled = true;
      return;
    }
    long result = Memory.getLong(event + EVENT_RESULT);
    if (status != STATUS_COMPLETE && result >= 0) {
      result = CuFileErrors.UNKNOWN_FAILURE;
    }
    try {
      long read = single.checked(result, range.position(), range.length());
      counters.bytes().add(read);
      waiting.set((int) index, rest(range, read));
    } catch (IOException | DirectReads.RefusedException e) {
      keep(e);
    }
  }

  /** Returns what is missing of a range, null if nothing is. */
  private static ByteRange rest(ByteRange range, long read) {
    return read == range.length()
        ? null
        : new ByteRange(
            range.position() + read,
            range.target(),
            range.targetOffset() + read,
            range.length() - read);
  }

  /** Keeps the first failure, except that one of the file matters more than one of cuFile. */
  private void keep(Exception e) {
    if (failure == null || failure instanceof DirectReads.RefusedException) {
      failure = e;
    }
  }

  private void rethrow() throws IOException, DirectReads.RefusedException {
    if (failure instanceof IOException e) {
      throw e;
    }
    if (failure instanceof DirectReads.RefusedException e) {
      throw e;
    }
    if (isCancelled) {
      throw new CancellationException("a read of " + path + " was cancelled");
    }
  }
}

package io.ariadne.io.gds;

import io.ariadne.backend.ArgumentBlock;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
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
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads several ranges of a file into device memory at once, with batches of cuFile. Used by one
 * thread.
 *
 * <p>It returns only when the device is written to no more. A batch that makes no progress is
 * cancelled, and its thread waits on: memory that a device may still write to cannot be freed. The
 * wait is registered and reported. When cuFile does not tell any more what has ended, the device is
 * lost.
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

  /** How often the status may fail one after the other before the batch is cancelled. */
  private static final int STATUS_RETRIES = 5;

  private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final CuFileLibrary library;
  private final RegisteredBuffers buffers;
  private final DirectReads single;
  private final Path path;
  private final ReadCounters counters;
  private final long patienceNanos;
  private final Function<String, EngineException> loseDevice;

  /** How many entries of the present batch cuFile may still work on. */
  private int running;

  private boolean isAbandoned;

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
      long patienceMillis,
      Function<String, EngineException> loseDevice) {
    this.library = library;
    this.buffers = buffers;
    this.single = single;
    this.path = path;
    this.counters = counters;
    this.patienceNanos = TimeUnit.MILLISECONDS.toNanos(patienceMillis);
    this.loseDevice = loseDevice;
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
   * @throws EngineException DEVICE_LOST when {@link #isAbandoned}
   */
  void read(long handle, List<ByteRange> ranges, BooleanSupplier cancelled)
      throws IOException, DirectReads.RefusedException {
    List<RegisteredBuffers.Target> targets = new ArrayList<>();
    waiting.clear();
    waiting.addAll(ranges);
    BatchMemory memory = new BatchMemory(ranges.size());
    try {
      ranges.forEach(range -> targets.add(target(range)));
      check(library.setUpBatch(memory.batchAddress(), ranges.size()), "cuFileBatchIOSetUp");
      try {
        run(memory, handle, ranges, targets, cancelled);
      } finally {
        if (!isAbandoned) {
          library.destroyBatch(memory.batch());
        }
      }
    } finally {
      targets.forEach(RegisteredBuffers.Target::close);
      if (!isAbandoned) {
        memory.close();
      }
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

  /** The memory of one call: the batch's handle, its entries, and what ended of them. */
  private static final class BatchMemory implements AutoCloseable {
    private final ArgumentBlock block;
    private final int count;

    BatchMemory(int count) {
      this.count = count;
      this.block = new ArgumentBlock(2 * Long.BYTES + count * (ENTRY_BYTES + EVENT_BYTES));
    }

    long batchAddress() {
      return block.address();
    }

    long batch() {
      return block.getLong(0);
    }

    /** Address of the number of events. */
    long arrivedAddress() {
      return block.address() + Long.BYTES;
    }

    long entry(int index) {
      return block.address() + 2 * Long.BYTES + (long) index * ENTRY_BYTES;
    }

    long event(int index) {
      return entry(count) + (long) index * EVENT_BYTES;
    }

    @Override
    public void close() {
      block.close();
    }
  }

  private void run(
      BatchMemory memory,
      long handle,
      List<ByteRange> ranges,
      List<RegisteredBuffers.Target> targets,
      BooleanSupplier cancelled)
      throws DirectReads.RefusedException {
    int count = ranges.size();
    long start = System.nanoTime();
    Wait wait = ThreadRecord.current().await(WaitKind.DISK, path, 0, null);
    try {
      for (int i = 0; i < count; i++) {
        fill(memory.entry(i), handle, ranges.get(i), targets.get(i), i);
      }
      check(library.submitBatch(memory.batch(), count, memory.entry(0)), "cuFileBatchIOSubmit");
      running = count;
      counters.requests().add(count);
      await(memory, cancelled);
    } catch (RuntimeException | Error e) {
      if (running > 0) {
        throw abandoned(e);
      }
      throw e;
    } finally {
      wait.close();
      counters.nanos().add(System.nanoTime() - start);
    }
  }

  /** Loses the device, to which cuFile may still write; returns what to throw. */
  private EngineException abandoned(Throwable failure) {
    isAbandoned = true;
    EngineException lost =
        loseDevice.apply("reads of " + path + " run on without a wait: " + failure.getMessage());
    lost.addSuppressed(failure);
    return lost;
  }

  /**
   * Returns whether the wait for the reads has failed: the batch, the file and cuFile's driver stay
   * open then until the process ends.
   */
  boolean isAbandoned() {
    return isAbandoned;
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
  private void await(BatchMemory memory, BooleanSupplier cancelled) {
    StatusFailures failures = new StatusFailures();
    long progress = System.nanoTime();
    long arrived = memory.arrivedAddress();
    while (running > 0) {
      Memory.putInt(arrived, running);
      long status = library.awaitBatch(memory.batch(), 1, arrived, memory.event(0), POLL_NANOS);
      if (!CuFileErrors.isSuccess(status)) {
        failures.add(System.nanoTime());
        statusFailed(memory.batch(), status, failures);
        continue;
      }
      failures.reset();
      int ended = Math.min(Memory.getInt(arrived), running);
      for (int i = 0; i < ended; i++) {
        end(memory.event(i));
      }
      running -= ended;
      long now = System.nanoTime();
      if (ended > 0) {
        progress = now;
      } else if (now - progress > patienceNanos) {
        progress = now;
        report();
        cancel(memory.batch());
      }
      if (!isCancelled && cancelled.getAsBoolean()) {
        cancel(memory.batch());
      }
    }
  }

  private void statusFailed(long batch, long status, StatusFailures failures) {
    int count = failures.count();
    String what = "cuFileBatchIOGetStatus: " + CuFileErrors.describe(status);
    if (count == STATUS_RETRIES) {
      keep(new IOException(path + ": " + what));
      cancel(batch);
    }
    if (count > STATUS_RETRIES && failures.lastFor(patienceNanos, System.nanoTime())) {
      throw new EngineException(
          ErrorCode.INTERNAL, "cuFile does not tell which reads end: " + what);
    }
    LockSupport.parkNanos(Math.min(count * RETRY_NANOS, POLL_NANOS));
  }

  private void report() {
    long millis = TimeUnit.NANOSECONDS.toMillis(patienceNanos);
    String what = running + " reads of a batch of cuFile have not ended within " + millis + " ms";
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

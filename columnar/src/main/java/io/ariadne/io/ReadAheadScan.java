package io.ariadne.io;

import io.ariadne.columnar.buffer.BufferAllocator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

/**
 * The early reads of one scan, in the order in which the scan will use them. Thread-safe.
 *
 * <p>Counters of a scan: {@link #AHEAD_BYTES}, {@link #LATE_BYTES}, {@link #WASTED_BYTES}, {@link
 * #WAIT_NANOS}.
 */
public interface ReadAheadScan extends AutoCloseable {
  /** Counts bytes that had arrived when they were needed. */
  String AHEAD_BYTES = "readAheadBytes";

  /** Counts bytes that were needed before they had arrived. */
  String LATE_BYTES = "lateBytes";

  /** Counts bytes that had arrived and were not needed. */
  String WASTED_BYTES = "wastedBytes";

  /** Counts the nanoseconds that threads waited for bytes. */
  String WAIT_NANOS = "readWaitNanos";

  /**
   * Runs a step that may block, such as reading a footer, on a thread for reads.
   *
   * @param step the step; it does not wait for other steps or ranges of a scan
   * @param bytes how many bytes the step reads in all likelihood; they count as read ahead until
   *     the step has ended
   * @return completes with the step's result or exception, or with a {@link
   *     java.util.concurrent.CancellationException} when the scan is closed before it begins. A
   *     step that has begun runs to its end; its result must be closed then, too.
   */
  <T> CompletableFuture<T> prepare(Callable<T> step, long bytes);

  /**
   * Returns whether a step should run before the scan needs its result: not when much is read ahead
   * already, or memory is scarce. A scan runs a step that it needs in any case.
   *
   * @param ahead how many steps the scan has running or finished, but not used
   * @param bytes how many bytes the step reads in all likelihood
   */
  boolean mayPrepare(int ahead, long bytes);

  /**
   * Returns memory for what steps read. Its buffers count as read ahead until they are closed.
   *
   * @param source where the buffers come from; outlives them
   */
  BufferAllocator memoryOfSteps(BufferAllocator source);

  /**
   * Queues ranges of a file. Reading begins in the order of their places, when memory and
   * connections allow, or when {@link PrefetchedRanges#arrived} says that they are needed.
   *
   * @param file the file, which stays open until {@code release} runs
   * @param wanted what will be read, in any order, each byte once
   * @param place when the scan uses the ranges: before those with larger numbers, after those
   *     queued earlier with the same number
   * @param isCertain whether the ranges will be read in all likelihood; if not, reading begins only
   *     when they are needed
   * @param release runs once, when the ranges are closed and no read of the file is in progress
   * @return the ranges, to be closed by the caller
   */
  PrefetchedRanges read(
      ByteRangeReader file,
      List<WantedRange> wanted,
      long place,
      boolean isCertain,
      Runnable release);

  /**
   * Cancels steps that have not begun. All ranges are closed before, or by their owners after.
   * Returns at once; idempotent.
   */
  @Override
  void close();
}

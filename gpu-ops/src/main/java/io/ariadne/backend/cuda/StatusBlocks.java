package io.ariadne.backend.cuda;

import io.ariadne.backend.KernelStatus;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.event.ThreadRecord;
import io.ariadne.event.Wait;
import io.ariadne.event.WaitKind;
import io.ariadne.kernel.abi.KernelStatusLayout;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

/**
 * The status blocks of a back end. Each is in device memory, where kernels write it, with a mirror
 * in pinned memory, where the host reads it. All blocks share one allocation of each kind, because
 * they are many and small. When all are in use, a thread that needs one waits until another thread
 * closes its block. The wait ends after some time, when the work is stopped, and when the device is
 * lost. Thread-safe.
 */
final class StatusBlocks {
  /** How many blocks a back end has. */
  static final int BLOCKS = 4096;

  /** How long a thread waits for a block. */
  static final Duration MAX_WAIT = Duration.ofSeconds(30);

  /** Bytes of a block; in the mirror, what is read beside it follows. */
  static final int STRIDE = 128;

  private static final int MIRROR_STRIDE = STRIDE + KernelStatus.MAX_BYTES_READ;

  /** How often a waiting thread checks whether the device is lost. */
  private static final long POLL_MILLIS = 50;

  private final CudaContext context;
  private final DeviceMemorySource deviceMemory;
  private final PinnedMemorySource pinnedMemory;
  private final int blocks;
  private final Duration maxWait;

  /** Guarded by the monitor; threads that need a block wait on it. */
  private final Deque<Integer> free = new ArrayDeque<>();

  private final long device;
  private final long mirror;

  /** Pinned words that contain 1: cancellation copies them. */
  private final long one;

  /** A wait for a block; the monitor guards it. */
  private static final class Wanted {
    /** Why the wait ends without a block; null while it does not. */
    String broken;
  }

  /**
   * Allocates blocks.
   *
   * @param blocks how many
   * @param maxWait how long a thread waits for one when all are in use
   */
  StatusBlocks(
      CudaContext context,
      DeviceMemorySource deviceMemory,
      PinnedMemorySource pinnedMemory,
      int blocks,
      Duration maxWait) {
    if (KernelStatusLayout.SIZE_IN_BYTES > STRIDE) {
      throw new IllegalStateException("a status block is larger than " + STRIDE + " bytes");
    }
    this.context = context;
    this.deviceMemory = deviceMemory;
    this.pinnedMemory = pinnedMemory;
    this.blocks = blocks;
    this.maxWait = maxWait;
    this.mirror = require(pinnedMemory.allocate((blocks + 1L) * MIRROR_STRIDE));
    this.one = mirror + (long) blocks * MIRROR_STRIDE;
    Memory.putInt(one, 1);
    try {
      this.device = require(deviceMemory.allocate((long) blocks * STRIDE));
    } catch (RuntimeException | Error e) {
      pinnedMemory.free(mirror, (blocks + 1L) * MIRROR_STRIDE);
      throw e;
    }
    for (int i = 0; i < blocks; i++) {
      free.add(i);
    }
  }

  private long require(long address) {
    context.loss().check();
    if (address == 0) {
      throw new EngineException(ErrorCode.OUT_OF_MEMORY, "no GPU memory is left for status blocks");
    }
    return address;
  }

  /**
   * Takes a block and clears it; waits for one when all are in use.
   *
   * @throws EngineException DEVICE_LOST when the device is lost; INTERNAL when no block came back
   *     in time, or the wait was ended
   */
  CudaKernelStatus take() {
    context.loss().check();
    Integer index = poll();
    if (index == null) {
      index = awaitFree();
    }
    CudaKernelStatus status =
        new CudaKernelStatus(this, context, index, deviceAddress(index), mirrorAddress(index));
    try {
      status.clear();
    } catch (RuntimeException | Error e) {
      giveBack(index);
      throw e;
    }
    return status;
  }

  private synchronized Integer poll() {
    return free.poll();
  }

  private int awaitFree() {
    Wanted wanted = new Wanted();
    String what = "one of " + blocks + " status blocks, which are all in use";
    ThreadRecord thread = ThreadRecord.current();
    Wait wait = thread.await(WaitKind.DEVICE, what, 0, reason -> breakOff(wanted, reason));
    try {
      // The work of another thread may free a block.
      return thread.withoutPermit(() -> awaitFree(wanted));
    } finally {
      wait.close();
    }
  }

  private synchronized void breakOff(Wanted wanted, String reason) {
    wanted.broken = reason;
    notifyAll();
  }

  private synchronized int awaitFree(Wanted wanted) {
    long end = System.nanoTime() + maxWait.toNanos();
    for (Integer index = free.poll(); ; index = free.poll()) {
      if (index != null) {
        return index;
      }
      context.loss().check();
      long left = end - System.nanoTime();
      if (wanted.broken != null || left <= 0) {
        throw refusal(wanted.broken);
      }
      try {
        wait(Math.min(POLL_MILLIS, TimeUnit.NANOSECONDS.toMillis(left) + 1));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        wanted.broken = "the thread was interrupted";
      }
    }
  }

  private EngineException refusal(String broken) {
    String end =
        broken == null
            ? "none came back within " + maxWait.toMillis() + " ms"
            : "the wait for one ended: " + broken;
    return new EngineException(
        ErrorCode.INTERNAL,
        "all "
            + blocks
            + " status blocks of the GPU are in use and "
            + end
            + "; "
            + context.work());
  }

  synchronized void giveBack(int index) {
    free.add(index);
    notifyAll();
  }

  /** Returns how many blocks are in use. */
  synchronized int openBlocks() {
    return blocks - free.size();
  }

  long one() {
    return one;
  }

  private long deviceAddress(int index) {
    return device + (long) index * STRIDE;
  }

  private long mirrorAddress(int index) {
    return mirror + (long) index * MIRROR_STRIDE;
  }

  /** Frees the memory of all blocks. */
  void free() {
    deviceMemory.free(device, (long) blocks * STRIDE);
    pinnedMemory.free(mirror, (blocks + 1L) * MIRROR_STRIDE);
  }
}

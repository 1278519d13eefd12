package io.ariadne.backend.cuda;

import io.ariadne.columnar.buffer.Memory;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.kernel.abi.KernelStatusLayout;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Status blocks: each in device memory, where kernels write it, with a mirror in pinned memory,
 * where the host reads it. All in one allocation of each kind, since there are many and they are
 * small. Thread-safe.
 */
final class StatusBlocks {
  private static final int BLOCKS = 4096;
  private static final int STRIDE = 128;

  private final CudaContext context;
  private final DeviceMemorySource deviceMemory;
  private final PinnedMemorySource pinnedMemory;
  private final Deque<Integer> free = new ArrayDeque<>();
  private final long device;
  private final long mirror;

  /** Pinned words that hold 1: what cancellation copies. */
  private final long one;

  StatusBlocks(
      CudaContext context, DeviceMemorySource deviceMemory, PinnedMemorySource pinnedMemory) {
    if (KernelStatusLayout.SIZE_IN_BYTES > STRIDE) {
      throw new IllegalStateException("a status block is larger than " + STRIDE + " bytes");
    }
    this.context = context;
    this.deviceMemory = deviceMemory;
    this.pinnedMemory = pinnedMemory;
    this.mirror = require(pinnedMemory.allocate((BLOCKS + 1L) * STRIDE));
    this.one = mirror + (long) BLOCKS * STRIDE;
    Memory.putInt(one, 1);
    try {
      this.device = require(deviceMemory.allocate((long) BLOCKS * STRIDE));
    } catch (RuntimeException | Error e) {
      pinnedMemory.free(mirror, (BLOCKS + 1L) * STRIDE);
      throw e;
    }
    for (int i = 0; i < BLOCKS; i++) {
      free.add(i);
    }
  }

  private static long require(long address) {
    if (address == 0) {
      throw new EngineException(ErrorCode.OUT_OF_MEMORY, "no GPU memory is left for status blocks");
    }
    return address;
  }

  /** Takes a block and clears it. */
  CudaKernelStatus take() {
    Integer index;
    synchronized (this) {
      index = free.poll();
    }
    if (index == null) {
      throw new EngineException(
          ErrorCode.INTERNAL, BLOCKS + " status blocks are in use, nobody closes them");
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

  synchronized void giveBack(int index) {
    free.add(index);
  }

  /** Returns blocks that nobody has given back. */
  synchronized int openBlocks() {
    return BLOCKS - free.size();
  }

  long one() {
    return one;
  }

  private long deviceAddress(int index) {
    return device + (long) index * STRIDE;
  }

  private long mirrorAddress(int index) {
    return mirror + (long) index * STRIDE;
  }

  /** Frees the memory of all blocks. */
  void free() {
    deviceMemory.free(device, (long) BLOCKS * STRIDE);
    pinnedMemory.free(mirror, (BLOCKS + 1L) * STRIDE);
  }
}

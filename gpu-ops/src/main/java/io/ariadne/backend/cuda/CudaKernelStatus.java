package io.ariadne.backend.cuda;

import io.ariadne.backend.ArgumentBlock;
import io.ariadne.backend.KernelStatus;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.kernel.abi.KernelStatusLayout;
import jcuda.driver.JCudaDriver;

/** A status block in device memory; the host reads the copy that {@link #await()} makes. */
final class CudaKernelStatus implements KernelStatus {
  private final StatusBlocks blocks;
  private final CudaContext context;
  private final int index;
  private final long address;
  private final long mirror;
  private boolean isAwaited;
  private volatile boolean closed;

  CudaKernelStatus(StatusBlocks blocks, CudaContext context, int index, long address, long mirror) {
    this.blocks = blocks;
    this.context = context;
    this.index = index;
    this.address = address;
    this.mirror = mirror;
  }

  @Override
  public long address() {
    checkOpen();
    return address;
  }

  @Override
  public void clear() {
    checkOpen();
    context.enqueue(
        stream ->
            JCudaDriver.cuMemsetD8Async(
                DevicePointer.of(address), (byte) 0, KernelStatusLayout.SIZE_IN_BYTES, stream),
        "cuMemsetD8Async");
    isAwaited = false;
  }

  @Override
  public void await() {
    queueCopy();
    context.await();
    awaited();
  }

  /** Queues the copy to the mirror; the results are readable once it is {@link #awaited}. */
  void queueCopy() {
    checkOpen();
    queueCopy(address, mirror, KernelStatusLayout.SIZE_IN_BYTES);
  }

  /** Notes that the copy that was queued last is done. */
  void awaited() {
    isAwaited = true;
  }

  @Override
  public void await(MemoryBuffer source, ArgumentBlock target) {
    KernelStatus.checkBytesRead(source, target);
    int bytes = target.sizeInBytes();
    checkOpen();
    queueCopy(source.address(), mirror + StatusBlocks.STRIDE, bytes);
    await();
    Memory.copy(mirror + StatusBlocks.STRIDE, target.address(), bytes);
  }

  private void queueCopy(long from, long to, int bytes) {
    context.enqueue(
        stream ->
            JCudaDriver.cuMemcpyDtoHAsync(
                HostPointer.of(to), DevicePointer.of(from), bytes, stream),
        "cuMemcpyDtoHAsync");
  }

  @Override
  public long errorWord() {
    return longAt(KernelStatusLayout.ERROR_OFFSET);
  }

  @Override
  public long needed() {
    return longAt(KernelStatusLayout.NEEDED_OFFSET);
  }

  @Override
  public long rowsOut() {
    return longAt(KernelStatusLayout.ROWS_OUT_OFFSET);
  }

  @Override
  public long detail(int index) {
    return longAt(KernelStatusLayout.DETAIL_OFFSET + index * KernelStatusLayout.DETAIL_STRIDE);
  }

  @Override
  public void cancel() {
    checkOpen();
    context.overtake(
        stream ->
            JCudaDriver.cuMemcpyHtoDAsync(
                DevicePointer.of(address + KernelStatusLayout.CANCEL_OFFSET),
                HostPointer.of(blocks.one()),
                Integer.BYTES,
                stream),
        "cuMemcpyHtoDAsync");
  }

  private long longAt(int offset) {
    checkOpen();
    if (!isAwaited) {
      throw new IllegalStateException("the status is read before it was waited for");
    }
    return Memory.getLong(mirror + offset);
  }

  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException("the status block is closed");
    }
  }

  @Override
  public void close() {
    checkOpen();
    closed = true;
    blocks.giveBack(index);
  }
}

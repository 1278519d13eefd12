package io.ariadne.backend;

import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.kernel.abi.KernelStatusLayout;

/** A status block in host memory, for back ends whose launches return after the kernel has run. */
public final class HostKernelStatus implements KernelStatus {
  private final ArgumentBlock block = new ArgumentBlock(KernelStatusLayout.SIZE_IN_BYTES);
  private final long address = block.address();

  @Override
  public long address() {
    return block.address();
  }

  @Override
  public void clear() {
    block.clear();
  }

  /** Returns at once. */
  @Override
  public void await() {}

  @Override
  public void await(MemoryBuffer source, ArgumentBlock target) {
    KernelStatus.checkBytesRead(source, target);
    Memory.copy(source.address(), target.address(), target.sizeInBytes());
  }

  @Override
  public long errorWord() {
    return block.getLong(KernelStatusLayout.ERROR_OFFSET);
  }

  @Override
  public long needed() {
    return block.getLong(KernelStatusLayout.NEEDED_OFFSET);
  }

  @Override
  public long rowsOut() {
    return block.getLong(KernelStatusLayout.ROWS_OUT_OFFSET);
  }

  @Override
  public long detail(int index) {
    int offset = KernelStatusLayout.DETAIL_OFFSET + index * KernelStatusLayout.DETAIL_STRIDE;
    return block.getLong(offset);
  }

  @Override
  public void cancel() {
    Memory.putInt(address + KernelStatusLayout.CANCEL_OFFSET, 1);
  }

  @Override
  public void close() {
    block.close();
  }
}

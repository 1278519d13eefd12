package io.ariadne.backend.emulated;

import io.ariadne.backend.ArgumentBlock;
import io.ariadne.backend.KernelStatus;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.kernel.abi.KernelStatusLayout;

/** A status block that the emulator knows. */
final class RegionStatus implements KernelStatus {

  private final KernelStatus delegate;

  RegionStatus(KernelStatus delegate) {
    this.delegate = delegate;
    Regions.add(delegate.address(), KernelStatusLayout.SIZE_IN_BYTES);
  }

  @Override
  public long address() {
    return delegate.address();
  }

  @Override
  public void clear() {
    delegate.clear();
  }

  @Override
  public void await() {
    delegate.await();
  }

  @Override
  public void await(MemoryBuffer source, ArgumentBlock target) {
    delegate.await(source, target);
  }

  @Override
  public long errorWord() {
    return delegate.errorWord();
  }

  @Override
  public long needed() {
    return delegate.needed();
  }

  @Override
  public long rowsOut() {
    return delegate.rowsOut();
  }

  @Override
  public long detail(int index) {
    return delegate.detail(index);
  }

  @Override
  public void cancel() {
    delegate.cancel();
  }

  @Override
  public void close() {
    Regions.remove(delegate.address());
    delegate.close();
  }
}

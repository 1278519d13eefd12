package io.ariadne.kernel.testing;

import io.ariadne.backend.Backend;
import io.ariadne.backend.BatchSize;
import io.ariadne.backend.cuda.FakeDriver;
import io.ariadne.backend.cuda.SourceAllocator;
import io.ariadne.backend.simulated.SimulatedBackend;
import io.ariadne.backend.simulated.SimulatedDevice;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.operator.ErrorReplay;
import io.ariadne.operator.OperatorContext;
import java.util.function.LongFunction;

/**
 * A device with memory that the host may not touch; suites get host memory and, through their
 * context, memory of the device.
 */
public final class DeviceTarget implements KernelTestTarget {
  private final LongFunction<Backend> opener;

  private DeviceTarget(LongFunction<Backend> opener) {
    this.opener = opener;
  }

  /** Returns a simulated device with batches of a size. */
  public static DeviceTarget simulated(BatchSize batchSize) {
    return new DeviceTarget(seed -> SimulatedBackend.open(SimulatedDevice.of(1L << 30), batchSize));
  }

  /** Returns the CUDA back end over the fake driver. */
  public static DeviceTarget fakeCuda() {
    return new DeviceTarget(FakeDriver::open);
  }

  @Override
  public Backend open(long seed) {
    return opener.apply(seed);
  }

  @Override
  public BufferAllocator allocator(BufferAllocator delegate) {
    return delegate;
  }

  @Override
  public OperatorContext context(Backend backend, BufferAllocator delegate) {
    BufferAllocator device = SourceAllocator.of(backend, MemoryTier.DEVICE, delegate);
    return new OperatorContext(delegate, device, backend, () -> false, ErrorReplay.PLAIN);
  }
}

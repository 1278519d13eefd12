package io.ariadne.backend.simulated;

import io.ariadne.backend.ArgumentBlock;
import io.ariadne.backend.Backend;
import io.ariadne.backend.BatchSize;
import io.ariadne.backend.CopyEvents;
import io.ariadne.backend.DeviceLoss;
import io.ariadne.backend.KernelFunction;
import io.ariadne.backend.KernelStatus;
import io.ariadne.backend.LaunchShape;
import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.memory.MemorySource;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/**
 * A device with its own memory, simulated by the processor. The host kernels run on memory of a
 * given size that only kernels and copies may access; copies and launches take a given time. With
 * it, everything that depends on where data is and how it moves can be tested and measured without
 * a GPU. It shows neither a GPU's algorithms, which the emulator runs, nor its speed.
 *
 * <p>Launches and copies are done when the call returns. {@link #loseAfter} and {@link
 * #loseAfterCopies} make the device fail permanently.
 */
public final class SimulatedBackend implements Backend {
  private final HostBackend kernels;
  private final SimulatedDevice device;
  private final BatchSize batchSize;
  private final SimulatedMemorySource memory;
  private final SimulatedMemorySource pinned;
  private final SimulatedLink toDevice;
  private final SimulatedLink fromDevice;
  private final long latencyNanos;
  private final DeviceLoss loss = new DeviceLoss();

  /** Launches until the device is lost; negative when launches do not lose it. */
  private final AtomicLong launchesLeft = new AtomicLong(-1);

  /** Copies from and to the host until the device is lost; negative when copies do not lose it. */
  private final AtomicLong copiesLeft = new AtomicLong(-1);

  private final LongAdder launches = new LongAdder();
  private final LongAdder copies = new LongAdder();

  private SimulatedBackend(HostBackend kernels, SimulatedDevice device, BatchSize batchSize) {
    this.kernels = kernels;
    this.device = device;
    this.batchSize = batchSize;
    this.memory = new SimulatedMemorySource(MemoryTier.DEVICE, device.memoryInBytes(), loss);
    this.pinned = new SimulatedMemorySource(MemoryTier.PINNED, Long.MAX_VALUE, loss);
    this.toDevice = new SimulatedLink(device);
    this.fromDevice = new SimulatedLink(device);
    this.latencyNanos = TimeUnit.MICROSECONDS.toNanos(device.latencyInMicros());
  }

  /**
   * Opens a simulated device.
   *
   * @throws EngineException UNSUPPORTED or CONFIGURATION when the host library cannot be loaded
   */
  public static SimulatedBackend open(SimulatedDevice device) {
    return open(device, BatchSize.DEVICE);
  }

  /**
   * Opens a simulated device whose batches have another size than those of GPUs.
   *
   * @throws EngineException UNSUPPORTED or CONFIGURATION when the host library cannot be loaded
   */
  public static SimulatedBackend open(SimulatedDevice device, BatchSize batchSize) {
    return new SimulatedBackend(HostBackend.open(), device, batchSize);
  }

  /**
   * Makes the device fail after some launches, as a GPU does after an error that its context does
   * not survive.
   *
   * @param launches how many more launches run; the next one fails
   */
  public void loseAfter(long launches) {
    launchesLeft.set(launches);
  }

  /**
   * Makes the device fail after some copies from or to the host.
   *
   * @param copies how many more copies run; the next one fails
   */
  public void loseAfterCopies(long copies) {
    copiesLeft.set(copies);
  }

  /** Returns how many launches have begun. */
  public long launchCount() {
    return launches.sum();
  }

  /** Returns how many copies from and to the host have begun. */
  public long copyCount() {
    return copies.sum();
  }

  @Override
  public Optional<String> lost() {
    return loss.cause();
  }

  @Override
  public void lose(String reason) {
    loss.lose(reason);
  }

  @Override
  public void whenLost(Consumer<String> told) {
    loss.whenLost(told);
  }

  @Override
  public String name() {
    return "simulated";
  }

  @Override
  public String isa() {
    return kernels.isa();
  }

  @Override
  public MemoryTier tier() {
    return MemoryTier.DEVICE;
  }

  @Override
  public BatchSize batchSize() {
    return batchSize;
  }

  @Override
  public Backend host() {
    return kernels;
  }

  @Override
  public Optional<MemorySource> memory(MemoryTier tier) {
    return switch (tier) {
      case DEVICE -> Optional.of(memory);
      case PINNED -> Optional.of(pinned);
      default -> Optional.empty();
    };
  }

  @Override
  public long freeMemoryInBytes() {
    return memory.freeBytes();
  }

  @Override
  public KernelFunction kernel(String name) {
    loss.check();
    return kernels.kernel(name);
  }

  @Override
  public void launch(KernelFunction kernel, LaunchShape shape, ArgumentBlock arguments) {
    loss.check();
    launches.increment();
    count(launchesLeft, "the launch of " + kernel.name());
    long start = System.nanoTime();
    kernels.launch(kernel, shape, arguments);
    double nanos = (System.nanoTime() - start) / device.computeSpeed();
    SimulatedLink.awaitTime(start + (long) nanos + latencyNanos);
  }

  private void countCopy(MemoryBuffer buffer) {
    checkReady(buffer);
    copies.increment();
    count(copiesLeft, "a copy");
  }

  private void count(AtomicLong left, String what) {
    if (left.get() >= 0 && left.getAndDecrement() == 0) {
      loss.lose("the simulated device is lost: " + what + " was to fail");
      loss.check();
    }
  }

  @Override
  public KernelStatus newStatus() {
    loss.check();
    return kernels.newStatus();
  }

  @Override
  public void write(long source, MemoryBuffer target, long targetOffset, long lengthInBytes) {
    countCopy(target);
    long start = System.nanoTime();
    long arrival = toDevice.timeOfArrival(lengthInBytes);
    kernels.write(source, target, targetOffset, lengthInBytes);
    SimulatedLink.awaitTime(arrival);
    CopyEvents.toDevice(start, lengthInBytes);
  }

  @Override
  public void read(MemoryBuffer source, long sourceOffset, long target, long lengthInBytes) {
    countCopy(source);
    long start = System.nanoTime();
    long arrival = fromDevice.timeOfArrival(lengthInBytes);
    kernels.read(source, sourceOffset, target, lengthInBytes);
    SimulatedLink.awaitTime(arrival);
    CopyEvents.fromDevice(start, lengthInBytes);
  }

  @Override
  public void clear(MemoryBuffer target, long targetOffset, long lengthInBytes) {
    checkReady(target);
    Objects.checkFromIndexSize(targetOffset, lengthInBytes, target.capacityInBytes());
    Memory.fill(target.address() + targetOffset, lengthInBytes, (byte) 0);
  }

  @Override
  public void copy(MemoryBuffer source, MemoryBuffer target, long lengthInBytes) {
    checkReady(source);
    checkReady(target);
    Backend.super.copy(source, target, lengthInBytes);
  }

  private void checkReady(MemoryBuffer buffer) {
    loss.check();
    if (buffer.tier() != MemoryTier.DEVICE) {
      throw new IllegalArgumentException(
          "a buffer of tier " + buffer.tier() + " is not on the device");
    }
  }

  /**
   * Closes the device.
   *
   * @throws EngineException INTERNAL when memory of it is not freed
   */
  @Override
  public void close() {
    kernels.close();
    if (memory.allocatedBytes() != 0 || pinned.allocatedBytes() != 0) {
      throw new EngineException(
          ErrorCode.INTERNAL,
          memory.allocatedBytes()
              + " bytes of the simulated device and "
              + pinned.allocatedBytes()
              + " of pinned memory were not freed");
    }
  }
}

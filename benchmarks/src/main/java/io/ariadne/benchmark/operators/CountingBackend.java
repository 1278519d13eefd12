package io.ariadne.benchmark.operators;

import io.ariadne.backend.ArgumentBlock;
import io.ariadne.backend.Backend;
import io.ariadne.backend.BatchSize;
import io.ariadne.backend.DeviceSharing;
import io.ariadne.backend.HostRange;
import io.ariadne.backend.HostRead;
import io.ariadne.backend.KernelFunction;
import io.ariadne.backend.KernelStatus;
import io.ariadne.backend.LaunchShape;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.memory.MemorySource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/** Counts the calls of another back end, which it owns. */
final class CountingBackend implements Backend {
  private final Backend counted;
  private final LongAdder launches = new LongAdder();
  private final LongAdder allocations = new LongAdder();
  private final LongAdder frees = new LongAdder();
  private final LongAdder awaits = new LongAdder();
  private final LongAdder toDevice = new LongAdder();
  private final LongAdder toDeviceBytes = new LongAdder();
  private final LongAdder fromDevice = new LongAdder();
  private final LongAdder fromDeviceBytes = new LongAdder();
  private final LongAdder onDeviceBytes = new LongAdder();

  CountingBackend(Backend counted) {
    this.counted = counted;
  }

  /** Returns the counts since the constructor. */
  BackendUsage usage() {
    return new BackendUsage(
        launches.sum(),
        allocations.sum(),
        frees.sum(),
        awaits.sum(),
        toDevice.sum(),
        toDeviceBytes.sum(),
        fromDevice.sum(),
        fromDeviceBytes.sum(),
        onDeviceBytes.sum());
  }

  @Override
  public String name() {
    return counted.name();
  }

  @Override
  public String isa() {
    return counted.isa();
  }

  @Override
  public MemoryTier tier() {
    return counted.tier();
  }

  @Override
  public BatchSize batchSize() {
    return counted.batchSize();
  }

  @Override
  public Backend host() {
    return counted.host() == counted ? this : counted.host();
  }

  @Override
  public boolean isBlockParallel() {
    return counted.isBlockParallel();
  }

  @Override
  public Optional<MemorySource> memory(MemoryTier tier) {
    return counted.memory(tier).map(CountingSource::new);
  }

  @Override
  public long freeMemoryInBytes() {
    return counted.freeMemoryInBytes();
  }

  @Override
  public DeviceSharing sharing() {
    return counted.sharing();
  }

  @Override
  public Optional<String> lost() {
    return counted.lost();
  }

  @Override
  public void lose(String reason) {
    counted.lose(reason);
  }

  @Override
  public void whenLost(Consumer<String> told) {
    counted.whenLost(told);
  }

  @Override
  public String work() {
    return counted.work();
  }

  @Override
  public KernelFunction kernel(String name) {
    return counted.kernel(name);
  }

  @Override
  public void launch(KernelFunction kernel, LaunchShape shape, ArgumentBlock arguments) {
    launches.increment();
    counted.launch(kernel, shape, arguments);
  }

  @Override
  public KernelStatus newStatus() {
    return new CountingStatus(counted.newStatus());
  }

  @Override
  public void awaitAll(List<KernelStatus> statuses) {
    if (isDevice() && !statuses.isEmpty()) {
      awaits.increment();
    }
    counted.awaitAll(statuses.stream().map(each -> ((CountingStatus) each).status).toList());
  }

  @Override
  public void writeAll(List<HostRange> sources, MemoryBuffer target) {
    long bytes = sources.stream().mapToLong(HostRange::lengthInBytes).sum();
    var unused = count(toDevice, toDeviceBytes, bytes);
    counted.writeAll(sources, target);
  }

  @Override
  public void write(long source, MemoryBuffer target, long targetOffset, long lengthInBytes) {
    var unused = count(toDevice, toDeviceBytes, lengthInBytes);
    counted.write(source, target, targetOffset, lengthInBytes);
  }

  @Override
  public void read(MemoryBuffer source, long sourceOffset, long target, long lengthInBytes) {
    if (count(fromDevice, fromDeviceBytes, lengthInBytes)) {
      awaits.increment();
    }
    counted.read(source, sourceOffset, target, lengthInBytes);
  }

  @Override
  public void readAll(List<HostRead> reads) {
    boolean hasAny = false;
    for (HostRead each : reads) {
      hasAny |= count(fromDevice, fromDeviceBytes, each.lengthInBytes());
    }
    if (hasAny) {
      awaits.increment();
    }
    counted.readAll(reads);
  }

  /** Counts a copy if there is a device and something to copy; returns whether it did. */
  private boolean count(LongAdder copies, LongAdder bytes, long lengthInBytes) {
    boolean isCounted = isDevice() && lengthInBytes > 0;
    if (isCounted) {
      copies.increment();
      bytes.add(lengthInBytes);
    }
    return isCounted;
  }

  /**
   * Returns whether calls are asynchronous. The host back end finishes its work before a call
   * returns.
   */
  private boolean isDevice() {
    return tier() != MemoryTier.HOST;
  }

  @Override
  public void clear(MemoryBuffer target, long targetOffset, long lengthInBytes) {
    onDeviceBytes.add(lengthInBytes);
    counted.clear(target, targetOffset, lengthInBytes);
  }

  @Override
  public void copy(MemoryBuffer source, MemoryBuffer target, long lengthInBytes) {
    onDeviceBytes.add(lengthInBytes);
    counted.copy(source, target, lengthInBytes);
  }

  @Override
  public void prepareThread() {
    counted.prepareThread();
  }

  @Override
  public void close() {
    counted.close();
  }

  /** Counts allocations. */
  private final class CountingSource implements MemorySource {
    private final MemorySource source;

    CountingSource(MemorySource source) {
      this.source = source;
    }

    @Override
    public MemoryTier tier() {
      return source.tier();
    }

    @Override
    public long allocate(long lengthInBytes) {
      allocations.increment();
      return source.allocate(lengthInBytes);
    }

    @Override
    public void free(long address, long lengthInBytes) {
      frees.increment();
      source.free(address, lengthInBytes);
    }

    @Override
    public void fill(long address, long lengthInBytes, byte value) {
      onDeviceBytes.add(lengthInBytes);
      source.fill(address, lengthInBytes, value);
    }

    @Override
    public void checkUsable() {
      source.checkUsable();
    }
  }

  /** Counts waits. */
  private final class CountingStatus implements KernelStatus {
    private final KernelStatus status;

    CountingStatus(KernelStatus status) {
      this.status = status;
    }

    @Override
    public long address() {
      return status.address();
    }

    @Override
    public void clear() {
      status.clear();
    }

    @Override
    public void await() {
      if (isDevice()) {
        awaits.increment();
      }
      status.await();
    }

    @Override
    public void await(MemoryBuffer source, ArgumentBlock target) {
      if (isDevice()) {
        awaits.increment();
        var unused = count(fromDevice, fromDeviceBytes, target.sizeInBytes());
      }
      status.await(source, target);
    }

    @Override
    public long errorWord() {
      return status.errorWord();
    }

    @Override
    public long needed() {
      return status.needed();
    }

    @Override
    public long rowsOut() {
      return status.rowsOut();
    }

    @Override
    public long detail(int index) {
      return status.detail(index);
    }

    @Override
    public void cancel() {
      status.cancel();
    }

    @Override
    public void close() {
      status.close();
    }
  }
}

package io.ariadne.spill.host;

import io.ariadne.columnar.Dictionary;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.SharedBuffer;
import io.ariadne.memory.CopyEngine;
import java.util.function.LongFunction;

/** Copies parts of columns from the host back to where they were. */
final class PartsToDevice implements ColumnPlaces.Parts {
  private final BufferAllocator allocator;
  private final BufferAllocator host;
  private final CopyEngine device;
  private final LongFunction<HostedDictionary> dictionaries;

  /**
   * Creates copies.
   *
   * @param allocator device memory
   * @param host memory of buffers that were on the host
   * @param device copies to the device
   * @param dictionaries the dictionaries in use, by their id
   */
  PartsToDevice(
      BufferAllocator allocator,
      BufferAllocator host,
      CopyEngine device,
      LongFunction<HostedDictionary> dictionaries) {
    this.allocator = allocator;
    this.host = host;
    this.device = device;
    this.dictionaries = dictionaries;
  }

  @Override
  public MemoryBuffer buffer(MemoryBuffer source, boolean onDevice) {
    MemoryBuffer target = (onDevice ? allocator : host).allocate(source.lengthInBytes());
    try {
      long bytes = Math.min(source.capacityInBytes(), target.capacityInBytes());
      if (onDevice) {
        device.write(source.address(), target, 0, bytes);
      } else if (bytes > 0) {
        Memory.copy(source.address(), target.address(), bytes);
      }
      return target;
    } catch (RuntimeException | Error e) {
      target.close();
      throw e;
    }
  }

  @Override
  public SharedBuffer heap(SharedBuffer source, boolean onDevice) {
    return onDevice ? new SharedBuffer(buffer(source.buffer(), true)) : source.retain();
  }

  @Override
  public Dictionary dictionary(Dictionary source, boolean onDevice) {
    if (!onDevice) {
      return source.retain();
    }
    HostedDictionary hosted = dictionaries.apply(source.id());
    return hosted.toDevice(
        source, from -> from.withEntries(hosted.places().copy(from.entries(), this)));
  }
}

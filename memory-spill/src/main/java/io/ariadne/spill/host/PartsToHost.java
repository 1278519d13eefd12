package io.ariadne.spill.host;

import io.ariadne.columnar.Dictionary;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.SharedBuffer;
import io.ariadne.memory.CopyEngine;
import java.util.function.LongFunction;

/** Copies parts of columns to the host; copies parts that are there already as well. */
final class PartsToHost implements ColumnPlaces.Parts {
  private final BufferAllocator allocator;
  private final CopyEngine device;
  private final LongFunction<HostedDictionary> dictionaries;

  /**
   * Creates copies.
   *
   * @param allocator host memory
   * @param device copies from the device
   * @param dictionaries the dictionaries in use, by their id
   */
  PartsToHost(
      BufferAllocator allocator, CopyEngine device, LongFunction<HostedDictionary> dictionaries) {
    this.allocator = allocator;
    this.device = device;
    this.dictionaries = dictionaries;
  }

  @Override
  public MemoryBuffer buffer(MemoryBuffer source, boolean onDevice) {
    MemoryBuffer target = allocator.allocate(source.lengthInBytes());
    try {
      long bytes = Math.min(source.capacityInBytes(), target.capacityInBytes());
      if (onDevice) {
        device.read(source, 0, target.address(), bytes);
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
    return ColumnPlaces.isOnDevice(source.buffer())
        ? new SharedBuffer(buffer(source.buffer(), true))
        : source.retain();
  }

  @Override
  public Dictionary dictionary(Dictionary source, boolean onDevice) {
    return onDevice ? dictionaries.apply(source.id()).toHost(source, this::copy) : source.retain();
  }

  private Dictionary copy(Dictionary source) {
    ColumnPlaces places = ColumnPlaces.of(source.entries());
    return source.withEntries(places.copy(source.entries(), this));
  }
}

package io.ariadne.spill.host;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.Dictionary;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.SharedBuffer;
import io.ariadne.memory.CopyEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Makes batches of a device out of batches of the host and the other way round, as kernels would.
 * Copies of one dictionary share its copy. Thread-safe.
 */
public final class DeviceBatches {
  private final CopyEngine device;
  private final Map<Long, Dictionary> onDevice = new ConcurrentHashMap<>();
  private final Map<Long, Dictionary> onHost = new ConcurrentHashMap<>();

  /** Creates copies by an engine. */
  public DeviceBatches(CopyEngine device) {
    this.device = device;
  }

  /**
   * Copies a batch to the device.
   *
   * @param batch on the host; stays the caller's
   * @param movesHeaps whether string heaps go, too
   */
  public RecordBatch toDevice(RecordBatch batch, BufferAllocator allocator, boolean movesHeaps) {
    return copy(batch, new ToDevice(allocator, movesHeaps));
  }

  /** Copies a batch to the host. */
  public RecordBatch toHost(RecordBatch batch, BufferAllocator allocator) {
    return copy(batch, new ToHost(allocator));
  }

  private static RecordBatch copy(RecordBatch batch, ColumnPlaces.Parts parts) {
    List<ColumnVector> columns = new ArrayList<>();
    try {
      for (int i = 0; i < batch.columnCount(); i++) {
        columns.add(ColumnPlaces.of(batch.column(i)).copy(batch.column(i), parts));
      }
      return new RecordBatch(batch.schema(), batch.rowCount(), columns, batch.sequence());
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      columns.forEach(closer::close);
      closer.suppressIn(e);
      throw e;
    }
  }

  private static Dictionary copy(
      Dictionary source, Map<Long, Dictionary> copies, ColumnPlaces.Parts parts) {
    synchronized (copies) {
      Dictionary known = copies.get(source.id());
      if (known == null || !known.tryRetain()) {
        ColumnVector entries = source.entries();
        known = source.withEntries(ColumnPlaces.of(entries).copy(entries, parts));
        copies.put(source.id(), known);
      }
      return known;
    }
  }

  private final class ToDevice implements ColumnPlaces.Parts {
    private final BufferAllocator allocator;
    private final boolean movesHeaps;

    ToDevice(BufferAllocator allocator, boolean movesHeaps) {
      this.allocator = allocator;
      this.movesHeaps = movesHeaps;
    }

    @Override
    public MemoryBuffer buffer(MemoryBuffer source, boolean isThere) {
      MemoryBuffer target = allocator.allocate(source.lengthInBytes());
      if (source.lengthInBytes() > 0) {
        device.write(source.address(), target, 0, source.lengthInBytes());
      }
      return target;
    }

    @Override
    public SharedBuffer heap(SharedBuffer source, boolean isThere) {
      return movesHeaps ? new SharedBuffer(buffer(source.buffer(), false)) : source.retain();
    }

    @Override
    public Dictionary dictionary(Dictionary source, boolean isThere) {
      return movesHeaps ? copy(source, onDevice, this) : source.retain();
    }
  }

  private final class ToHost implements ColumnPlaces.Parts {
    private final BufferAllocator allocator;

    ToHost(BufferAllocator allocator) {
      this.allocator = allocator;
    }

    @Override
    public MemoryBuffer buffer(MemoryBuffer source, boolean isThere) {
      MemoryBuffer target = allocator.allocateZeroed(source.lengthInBytes());
      if (source.lengthInBytes() > 0) {
        device.read(source, 0, target.address(), source.lengthInBytes());
      }
      return target;
    }

    @Override
    public SharedBuffer heap(SharedBuffer source, boolean isThere) {
      return ColumnPlaces.isOnDevice(source.buffer())
          ? new SharedBuffer(buffer(source.buffer(), true))
          : source.retain();
    }

    @Override
    public Dictionary dictionary(Dictionary source, boolean isThere) {
      return isThere ? copy(source, onHost, this) : source.retain();
    }
  }
}

package io.ariadne.parquet.page;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.Reclaimer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Allocates buffers from another allocator and keeps freed ones, up to a limit, for later requests
 * of about the same size. Memory that has been touched before costs no page faults.
 *
 * <p>A buffer ends where the source's buffer ends, so that an allocator with guard pages detects
 * accesses beyond it.
 *
 * <p>Idle buffers count as allocated at the source. They are released when memory is short (for any
 * consumer, if the source is a {@link MemoryPool}) and when this allocator is closed. Buffers in
 * use may outlive this allocator; they are then released directly. Thread-safe.
 */
public final class RecyclingAllocator implements BufferAllocator, Reclaimer, AutoCloseable {
  /**
   * Sizes are rounded up to a quarter of their power of two, so that an idle buffer fits many
   * requests.
   */
  private static final int STEPS_PER_DOUBLING_SHIFT = 2;

  private static final long MIN_CLASS_BYTES = 4096;

  private final BufferAllocator source;

  /** The source if it is a pool that announces memory pressure, else null. */
  private final MemoryPool pool;

  private final long maxIdleBytes;
  private final Map<Long, Deque<MemoryBuffer>> idle = new HashMap<>();
  private long idleBytes;
  private boolean closed;

  /**
   * Creates an allocator.
   *
   * @param source where buffers come from; outlives every buffer
   * @param maxIdleBytes most bytes of idle buffers
   */
  public RecyclingAllocator(BufferAllocator source, long maxIdleBytes) {
    this.source = source;
    this.maxIdleBytes = maxIdleBytes;
    this.pool = source instanceof MemoryPool its ? its : null;
    if (pool != null) {
      pool.addReclaimer(this);
    }
  }

  @Override
  public MemoryBuffer allocate(long lengthInBytes) {
    long sizeClass = sizeClass(lengthInBytes);
    MemoryBuffer whole = takeIdle(sizeClass);
    if (whole == null) {
      whole = allocateNew(sizeClass);
    }
    MemoryBuffer memory = whole;
    long capacity = Math.max(MemoryBuffer.padded(lengthInBytes), MemoryBuffer.ALIGNMENT);
    return new MemoryBuffer(
        whole.address() + (sizeClass - capacity),
        lengthInBytes,
        capacity,
        whole.tier(),
        buffer -> giveBack(memory));
  }

  private MemoryBuffer allocateNew(long sizeClass) {
    try {
      return source.allocate(sizeClass);
    } catch (EngineException e) {
      if (e.code() != ErrorCode.OUT_OF_MEMORY || reclaim() == 0) {
        throw e;
      }
      return source.allocate(sizeClass);
    }
  }

  private static long sizeClass(long lengthInBytes) {
    if (lengthInBytes <= MIN_CLASS_BYTES) {
      return MIN_CLASS_BYTES;
    }
    long step = Long.highestOneBit(lengthInBytes - 1) >>> STEPS_PER_DOUBLING_SHIFT;
    return (lengthInBytes + step - 1) / step * step;
  }

  private synchronized MemoryBuffer takeIdle(long sizeClass) {
    Deque<MemoryBuffer> same = idle.get(sizeClass);
    MemoryBuffer buffer = same == null ? null : same.pollLast();
    idleBytes -= buffer == null ? 0 : sizeClass;
    return buffer;
  }

  private void giveBack(MemoryBuffer whole) {
    if (!keep(whole)) {
      whole.close();
    }
  }

  private synchronized boolean keep(MemoryBuffer whole) {
    long sizeClass = whole.lengthInBytes();
    boolean isWanted = pool != null && pool.isUnderPressure();
    if (closed || isWanted || sizeClass > maxIdleBytes - idleBytes) {
      return false;
    }
    idle.computeIfAbsent(sizeClass, key -> new ArrayDeque<>()).addLast(whole);
    idleBytes += sizeClass;
    return true;
  }

  /** Releases idle buffers. */
  @Override
  public long reclaim() {
    List<MemoryBuffer> buffers = new ArrayList<>();
    long bytes;
    synchronized (this) {
      bytes = idleBytes;
      idle.values().forEach(buffers::addAll);
      idle.clear();
      idleBytes = 0;
    }
    Closer closer = new Closer();
    buffers.forEach(closer::close);
    closer.rethrow();
    return bytes;
  }

  /** Returns the bytes allocated from the source by all its users, as the source counts them. */
  @Override
  public long allocatedBytes() {
    return source.allocatedBytes();
  }

  @Override
  public MemoryTier tier() {
    return source.tier();
  }

  /** Releases idle buffers. Buffers in use are released when they are closed. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
    }
    if (pool != null) {
      pool.removeReclaimer(this);
    }
    reclaim();
  }
}

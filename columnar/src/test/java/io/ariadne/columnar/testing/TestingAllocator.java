package io.ariadne.columnar.testing;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Host memory for tests: remembers who allocated what, fills new buffers with a pattern so that no
 * code relies on zeros, and fails on request. Thread-safe.
 */
public final class TestingAllocator implements BufferAllocator {
  private static final byte FRESH = (byte) 0xA5;
  private static final byte FREED = (byte) 0xDD;
  private static final int MAX_FRAMES = 16;
  private static final int MAX_LEAKS = 10;

  private final long limitInBytes;
  private final AtomicLong allocated = new AtomicLong();
  private final AtomicLong failAfter = new AtomicLong(Long.MAX_VALUE);
  private final Map<Object, Throwable> open = new ConcurrentHashMap<>();

  /** Creates an allocator without a limit. */
  public TestingAllocator() {
    this(Long.MAX_VALUE);
  }

  /**
   * Creates an allocator with a limit.
   *
   * @param limitInBytes bytes that may be open at once
   */
  public TestingAllocator(long limitInBytes) {
    this.limitInBytes = limitInBytes;
  }

  /** Lets {@code count} further allocations succeed; every later one fails. */
  public void failAfter(long count) {
    failAfter.set(count);
  }

  @Override
  public MemoryBuffer allocate(long lengthInBytes) {
    long capacity = MemoryBuffer.padded(lengthInBytes);
    if (failAfter.getAndDecrement() <= 0) {
      throw refusal(lengthInBytes);
    }
    if (allocated.addAndGet(capacity) > limitInBytes) {
      allocated.addAndGet(-capacity);
      throw refusal(lengthInBytes);
    }
    long address = 0;
    if (capacity > 0) {
      address = Memory.allocateAligned(capacity);
      Memory.fill(address, capacity, FRESH);
    }
    Object key = new Object();
    open.put(key, new Throwable(capacity + " bytes"));
    return new MemoryBuffer(
        address, lengthInBytes, capacity, MemoryTier.HOST, buffer -> release(key, buffer));
  }

  private static EngineException refusal(long lengthInBytes) {
    return new EngineException(
        ErrorCode.OUT_OF_MEMORY, "test allocator refuses " + lengthInBytes + " bytes");
  }

  private void release(Object key, MemoryBuffer buffer) {
    if (open.remove(key) == null) {
      throw new IllegalStateException("buffer closed twice");
    }
    if (buffer.capacityInBytes() > 0) {
      Memory.fill(buffer.addressForRelease(), buffer.capacityInBytes(), FREED);
      Memory.freeAligned(buffer.addressForRelease());
    }
    allocated.addAndGet(-buffer.capacityInBytes());
  }

  @Override
  public long allocatedBytes() {
    return allocated.get();
  }

  /** Returns buffers not closed, those of length 0 included. */
  public int openBufferCount() {
    return open.size();
  }

  @Override
  public MemoryTier tier() {
    return MemoryTier.HOST;
  }

  /** Fails when a buffer is open; the message shows where it was allocated. */
  public void assertNothingOpen() {
    if (open.isEmpty()) {
      return;
    }
    StringBuilder text = new StringBuilder();
    text.append(open.size()).append(" buffers, ").append(allocated.get()).append(" bytes open");
    open.values().stream().limit(MAX_LEAKS).forEach(site -> append(text, site));
    throw new AssertionError(text.toString());
  }

  private static void append(StringBuilder text, Throwable site) {
    text.append('\n').append(site.getMessage()).append(" allocated at");
    StackTraceElement[] frames = site.getStackTrace();
    for (int i = 1; i < Math.min(frames.length, MAX_FRAMES); i++) {
      text.append("\n    at ").append(frames[i]);
    }
  }
}

package io.ariadne.parquet.fuzz;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * Allocates limited memory in buffers that end at the end of a page, followed by unmapped memory,
 * so that an access beyond a buffer crashes. Mappings are reused, filled with a pattern. Used by
 * one thread.
 */
final class GuardedAllocator implements BufferAllocator {
  private static final int PAGE_BYTES = 4096;
  private static final int MAX_GUARDED_BYTES = 4 << 20;
  private static final int HEX = 16;
  private static final byte FRESH = (byte) 0xA5;

  private final long limitInBytes;
  private final Map<Long, Deque<Block>> idle = new HashMap<>();
  private long allocated;
  private long highest;
  private int open;

  /** A mapping of whole pages; the buffer object keeps it mapped. */
  private record Block(MappedByteBuffer mapping, long address, long lengthInBytes) {}

  GuardedAllocator(long limitInBytes) {
    this.limitInBytes = limitInBytes;
  }

  @Override
  public MemoryBuffer allocate(long lengthInBytes) {
    long capacity = MemoryBuffer.padded(lengthInBytes);
    if (capacity > limitInBytes - allocated) {
      throw new EngineException(
          ErrorCode.OUT_OF_MEMORY, lengthInBytes + " bytes beyond a limit of " + limitInBytes);
    }
    MemoryBuffer buffer =
        capacity > MAX_GUARDED_BYTES ? plain(lengthInBytes, capacity) : guarded(lengthInBytes);
    allocated += capacity;
    highest = Math.max(highest, allocated);
    open++;
    return buffer;
  }

  private MemoryBuffer plain(long lengthInBytes, long capacity) {
    long address = Memory.allocateAligned(capacity);
    return new MemoryBuffer(
        address,
        lengthInBytes,
        capacity,
        MemoryTier.HOST,
        buffer -> {
          Memory.freeAligned(address);
          released(capacity);
        });
  }

  private MemoryBuffer guarded(long lengthInBytes) {
    long capacity = MemoryBuffer.padded(lengthInBytes);
    long blockBytes = Math.max(1, (capacity + PAGE_BYTES - 1) / PAGE_BYTES) * PAGE_BYTES;
    Deque<Block> same = idle.computeIfAbsent(blockBytes, key -> new ArrayDeque<>());
    Block block = same.isEmpty() ? map(blockBytes) : same.pop();
    long address = block.address() + blockBytes - capacity;
    Memory.fill(address, capacity, FRESH);
    return new MemoryBuffer(
        address,
        lengthInBytes,
        capacity,
        MemoryTier.HOST,
        buffer -> {
          Memory.fill(address, capacity, FRESH);
          same.push(block);
          released(capacity);
        });
  }

  private void released(long capacity) {
    allocated -= capacity;
    open--;
  }

  private static Block map(long blockBytes) {
    try {
      Path path = Files.createTempFile("guarded-", ".bytes");
      try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
        file.setLength(blockBytes + PAGE_BYTES);
        MappedByteBuffer mapping =
            file.getChannel().map(MapMode.READ_WRITE, 0, blockBytes + PAGE_BYTES);
        file.setLength(blockBytes);
        return new Block(mapping, addressOf(path), blockBytes);
      } finally {
        Files.delete(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot map a temporary file", e);
    }
  }

  private static long addressOf(Path path) throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/maps"))) {
      if (line.contains(path.toString())) {
        return Long.parseLong(line.substring(0, line.indexOf('-')), HEX);
      }
    }
    throw new IllegalStateException("no mapping of " + path);
  }

  /** Returns the largest number of bytes that were allocated at the same time. */
  long highestBytes() {
    return highest;
  }

  /** Returns the number of buffers that have not been closed. */
  int openBufferCount() {
    return open;
  }

  @Override
  public long allocatedBytes() {
    return allocated;
  }

  @Override
  public MemoryTier tier() {
    return MemoryTier.HOST;
  }
}

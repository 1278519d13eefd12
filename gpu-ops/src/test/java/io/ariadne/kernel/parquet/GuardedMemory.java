package io.ariadne.kernel.parquet;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Bytes before a protected page: reading beyond their end crashes the process.
 *
 * <p>A file is mapped and then cut, so that the last page of the mapping has no file behind it.
 */
final class GuardedMemory {
  private static final int PAGE_BYTES = 4096;
  private static final int HEX = 16;

  private final MappedByteBuffer mapping; // keeps the memory mapped
  private final long address;

  GuardedMemory(byte[] bytes) {
    int pages = (bytes.length + PAGE_BYTES - 1) / PAGE_BYTES;
    try {
      Path path = Files.createTempFile("guarded-", ".bytes");
      try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
        file.setLength((pages + 1L) * PAGE_BYTES);
        mapping = file.getChannel().map(MapMode.READ_WRITE, 0, file.length());
        int offset = pages * PAGE_BYTES - bytes.length;
        mapping.put(offset, bytes);
        address = addressOf(path) + offset;
        file.setLength((long) pages * PAGE_BYTES);
      } finally {
        Files.delete(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot map a temporary file", e);
    }
  }

  /** Returns the first byte's address. */
  long address() {
    return address;
  }

  private static long addressOf(Path path) throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/maps"))) {
      if (line.contains(path.toString())) {
        return Long.parseLong(line.substring(0, line.indexOf('-')), HEX);
      }
    }
    throw new IllegalStateException("no mapping of " + path);
  }
}

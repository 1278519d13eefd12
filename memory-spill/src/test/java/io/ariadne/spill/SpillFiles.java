package io.ariadne.spill;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;

/**
 * The files of a spill store, which have no names: they are found among this process's open files.
 */
public final class SpillFiles {
  private static final Path OPEN_FILES = Path.of("/proc/self/fd");
  private static final int CHUNK_BYTES = 1 << 20;
  private static final int STEP_BYTES = 512;

  private SpillFiles() {}

  /** Changes a bit in each half KiB that was written; returns how many. */
  public static int damage(Path folder) throws IOException {
    List<Path> open;
    try (Stream<Path> all = Files.list(OPEN_FILES)) {
      open = all.filter(file -> leadsTo(folder, file)).toList();
    }
    int damaged = 0;
    for (Path file : open) {
      try (FileChannel channel =
          FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
        damaged += damage(channel);
      }
    }
    return damaged;
  }

  private static boolean leadsTo(Path folder, Path file) {
    try {
      return Files.readSymbolicLink(file).startsWith(folder.toRealPath());
    } catch (IOException e) {
      return false; // closed meanwhile
    }
  }

  private static int damage(FileChannel channel) throws IOException {
    int damaged = 0;
    ByteBuffer bytes = ByteBuffer.allocate(CHUNK_BYTES);
    for (long at = 0; at < channel.size(); at += CHUNK_BYTES) {
      bytes.clear();
      int count = channel.read(bytes, at);
      int before = damaged;
      for (int i = 0; i < count; i += STEP_BYTES) {
        if (isWritten(bytes, i, Math.min(count, i + STEP_BYTES))) {
          bytes.put(i, (byte) (bytes.get(i) ^ 1));
          damaged++;
        }
      }
      if (damaged > before) {
        channel.write(bytes.flip().limit(count), at);
      }
    }
    channel.force(false);
    return damaged;
  }

  private static boolean isWritten(ByteBuffer bytes, int from, int end) {
    for (int i = from; i < end; i++) {
      if (bytes.get(i) != 0) {
        return true;
      }
    }
    return false;
  }
}

package io.ariadne.io.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.testing.TestingAllocator;
import io.ariadne.io.ByteRangeReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process of its own that reads files through a cache; exits with 1 when a byte is wrong. */
final class CacheProcess {
  static final long LIMIT = 2_000_000;
  static final int FILES = 8;
  private static final int LENGTH = 400_000;

  private CacheProcess() {}

  /** Returns one of the files, the same in each process. */
  static TestingStorage file(int number) {
    return new TestingStorage("shared" + number, LENGTH, number);
  }

  /**
   * Starts a process that reads files, the first one last, after so many others. It has no folder
   * for temporary files, which the cache does not need.
   */
  static Process start(Path disk, int others) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            "--add-opens=java.base/java.nio=ALL-UNNAMED",
            "-Djava.io.tmpdir=" + disk.resolve("missing"),
            CacheProcess.class.getName(),
            disk.toString(),
            Integer.toString(others))
        .redirectErrorStream(true)
        .start();
  }

  /** Waits for the end of a process; fails when its answer was wrong. */
  static void end(Process process) throws IOException, InterruptedException {
    try {
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertEquals(0, process.waitFor(), output);
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  /** Reads files. */
  public static void main(String[] arguments) throws Exception {
    TestingAllocator memory = new TestingAllocator();
    RangeCacheConfig config =
        RangeCacheConfig.in(List.of(Path.of(arguments[0])), LIMIT)
            .withStaging(4 << 20)
            .withMinFree(0);
    try (RangeCache cache = RangeCache.open(config, memory);
        MemoryBuffer target = memory.allocate(LENGTH)) {
      for (int i = Integer.parseInt(arguments[1]); i >= 0; i--) {
        TestingStorage file = file(i % FILES);
        try (ByteRangeReader reader = cache.wrap(file.reader(), file.address)) {
          reader.read(0, target, 0, LENGTH);
        }
        for (int at = 0; at < LENGTH; at++) {
          if (target.getByte(at) != file.content()[at]) {
            throw new AssertionError("byte " + at + " of " + file.address);
          }
        }
        cache.written().get(1, TimeUnit.MINUTES);
      }
      System.out.println(cache.counters());
    }
  }
}

package io.ariadne.io.cache;

import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.testing.TestingAllocator;
import io.ariadne.io.ByteRangeReader;
import io.ariadne.io.LocalFileReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.crypto.spec.SecretKeySpec;

/**
 * Reads cached ranges beside a plain read of a file in the page cache, and measures what a miss
 * costs beside the wrapped read. Run as a main class with a folder and {@code
 * --add-opens=java.base/java.nio=ALL-UNNAMED}.
 */
public final class BenchmarkRangeCache {
  private static final int LENGTH = 64 << 20;
  private static final int ROUNDS = 15;

  private BenchmarkRangeCache() {}

  /** A way to read ranges of the file. */
  private interface Way {
    void read(long position, int length) throws IOException;
  }

  /** Runs all cases in a folder, the argument. */
  public static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[0]);
    TestingStorage file = new TestingStorage("a", LENGTH, 1);
    Path plain = Files.write(folder.resolve("plain"), file.content());
    TestingAllocator memory = new TestingAllocator();
    RangeCacheConfig config =
        RangeCacheConfig.in(List.of(folder.resolve("cache")), 1L << 30)
            .withStaging(2L * LENGTH)
            .withMinFree(0);
    RangeCacheConfig encrypted =
        config
            .withDirectories(List.of(folder.resolve("encrypted")))
            .withEncryption(new SecretKeySpec(new byte[16], "AES"));
    try (MemoryBuffer target = memory.allocate(LENGTH);
        LocalFileReader local = LocalFileReader.open(plain);
        RangeCache cache = RangeCache.open(config, memory);
        RangeCache secret = RangeCache.open(encrypted, memory);
        ByteRangeReader cached = cache.wrap(file.reader(), file.address);
        ByteRangeReader decrypted = secret.wrap(file.reader(), file.address)) {
      cached.read(0, target, 0, LENGTH);
      decrypted.read(0, target, 0, LENGTH);
      cache.written().get(1, TimeUnit.MINUTES);
      secret.written().get(1, TimeUnit.MINUTES);
      int requests = file.requests.get();
      Map<String, Way> ways = new LinkedHashMap<>();
      ways.put("page cache", (at, length) -> local.read(at, target, 0, length));
      ways.put("cached", (at, length) -> cached.read(at, target, 0, length));
      ways.put("encrypted", (at, length) -> decrypted.read(at, target, 0, length));
      System.out.println("way          KiB  GB/s best  median  us/read best");
      for (int kib : new int[] {16, 64, 256, 1024, 8192}) {
        compare(ways, kib << 10);
      }
      if (file.requests.get() != requests) {
        throw new AssertionError("misses");
      }
      misses(folder, memory, target);
    }
  }

  /** Measures all ways alternately, so that other work on the machine affects them alike. */
  private static void compare(Map<String, Way> ways, int length) throws IOException {
    Map<String, double[]> nanos = new LinkedHashMap<>();
    for (int round = 0; round < ROUNDS; round++) {
      for (Map.Entry<String, Way> way : ways.entrySet()) {
        long start = System.nanoTime();
        for (long at = 0; at + length <= LENGTH; at += length) {
          way.getValue().read(at, length);
        }
        nanos.computeIfAbsent(way.getKey(), name -> new double[ROUNDS])[round] =
            (double) (System.nanoTime() - start) / (LENGTH / length);
      }
    }
    nanos.forEach(
        (name, all) -> {
          Arrays.sort(all);
          double median = all[ROUNDS / 2];
          System.out.printf(
              "%-10s %5d  %9.2f  %6.2f  %12.1f%n",
              name, length >> 10, length / all[0], length / median, all[0] / 1000);
        });
  }

  /** Small reads, all misses, of a storage that answers at once: what the cache adds to each. */
  private static void misses(Path folder, TestingAllocator memory, MemoryBuffer target)
      throws Exception {
    RangeCacheConfig config =
        RangeCacheConfig.in(List.of(folder.resolve("misses")), 1L << 30)
            .withStaging(64 << 20)
            .withMinFree(0);
    for (int length : new int[] {64, 1 << 20}) {
      double[] nanos = new double[ROUNDS];
      double[] copies = new double[ROUNDS];
      for (int round = 0; round < ROUNDS; round++) {
        TestingStorage file = new TestingStorage("m" + length + round, LENGTH, round);
        try (RangeCache cache = RangeCache.open(config, memory);
            ByteRangeReader reader = cache.wrap(file.reader(), file.address);
            ByteRangeReader bare = file.reader()) {
          int reads = length == 64 ? 500 : 16;
          long start = System.nanoTime();
          for (int i = 0; i < reads; i++) {
            bare.read((long) i * 100_000, target, 0, length);
          }
          long between = System.nanoTime();
          for (int i = 0; i < reads; i++) {
            reader.read((long) i * (length + 1_000), target, 0, length);
          }
          nanos[round] = (double) (System.nanoTime() - between - (between - start)) / reads;
          cache.written().get(1, TimeUnit.MINUTES);
          copies[round] = copyNanos(target, length);
        }
      }
      Arrays.sort(nanos);
      Arrays.sort(copies);
      System.out.printf(
          "a miss of %d bytes costs %.0f ns (median %.0f) besides; copying as much %.0f ns%n",
          length, nanos[0], nanos[ROUNDS / 2], copies[0]);
    }
  }

  private static double copyNanos(MemoryBuffer target, int length) {
    long start = System.nanoTime();
    for (int i = 0; i < 16; i++) {
      Memory.copy(target.address(), target.address() + (32 << 20) + i * (long) length, length);
    }
    return (System.nanoTime() - start) / 16.0;
  }
}

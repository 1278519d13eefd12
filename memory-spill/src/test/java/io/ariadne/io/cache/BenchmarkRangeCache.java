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
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.crypto.spec.SecretKeySpec;

/**
 * Reads cached ranges beside a plain read of a file in the page cache, and measures what a miss
 * costs beside the wrapped read. Run as a main class with a folder and {@code
 * --add-opens=java.base/java.nio=ALL-UNNAMED}.
 */
public final class BenchmarkRangeCache {
  private static final int LENGTH = 64 << 20;
  private static final int ROUNDS = 9;

  private BenchmarkRangeCache() {}

  /** A read of a range. */
  private interface Read {
    void run(long position, int length) throws IOException;
  }

  /** Runs all cases in a folder, the argument. */
  public static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[0]);
    TestingStorage file = new TestingStorage("a", LENGTH, 1);
    Path plain = Files.write(folder.resolve("plain"), file.content());
    TestingAllocator memory = new TestingAllocator();
    System.out.println("what         KiB   GB/s   us/read (medians)");
    try (MemoryBuffer target = memory.allocate(LENGTH);
        LocalFileReader local = LocalFileReader.open(plain)) {
      for (int kib : new int[] {16, 64, 256, 1024, 8192}) {
        run("page cache", kib, (at, length) -> local.read(at, target, 0, length));
      }
      for (boolean encrypts : new boolean[] {false, true}) {
        SecretKeySpec key = encrypts ? new SecretKeySpec(new byte[16], "AES") : null;
        RangeCacheConfig config =
            RangeCacheConfig.in(List.of(folder.resolve("cache" + encrypts)), 1L << 30)
                .withEncryption(key)
                .withStaging(2L * LENGTH)
                .withMinFree(0);
        try (RangeCache cache = RangeCache.open(config, memory);
            ByteRangeReader reader = cache.wrap(file.reader(), file.address)) {
          reader.read(0, target, 0, LENGTH);
          cache.written().get(1, TimeUnit.MINUTES);
          int requests = file.requests.get();
          for (int kib : new int[] {16, 64, 256, 1024, 8192}) {
            String what = encrypts ? "encrypted" : "cached";
            run(what, kib, (at, length) -> reader.read(at, target, 0, length));
          }
          if (file.requests.get() != requests) {
            throw new AssertionError("misses");
          }
        }
      }
      misses(folder, memory, target);
    }
  }

  private static void run(String what, int kib, Read read) throws IOException {
    double[] nanos = new double[ROUNDS];
    int length = kib << 10;
    for (int round = 0; round < ROUNDS; round++) {
      long start = System.nanoTime();
      for (long at = 0; at + length <= LENGTH; at += length) {
        read.run(at, length);
      }
      nanos[round] = System.nanoTime() - start;
    }
    Arrays.sort(nanos);
    double perRead = nanos[ROUNDS / 2] / (LENGTH / length);
    System.out.printf("%-10s %5d  %5.2f  %8.1f%n", what, kib, length / perRead, perRead / 1000);
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
          "a miss of %d bytes costs %.0f ns besides; copying as much %.0f ns (medians)%n",
          length, nanos[ROUNDS / 2], copies[ROUNDS / 2]);
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

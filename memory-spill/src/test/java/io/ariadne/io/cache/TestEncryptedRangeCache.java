package io.ariadne.io.cache;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.testing.TestingAllocator;
import io.ariadne.io.ByteRangeReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

class TestEncryptedRangeCache extends AbstractTestRangeCache {
  private static final byte[] KEY = new byte[16];
  private static final int LENGTH = 300_000;

  @Override
  RangeCacheConfig config(RangeCacheConfig plain) {
    return plain.withEncryption(new SecretKeySpec(KEY, "AES"));
  }

  private static byte[] read(RangeCache cache, TestingStorage file, TestingAllocator memory)
      throws Exception {
    try (MemoryBuffer target = memory.allocate(LENGTH);
        ByteRangeReader reader = cache.wrap(file.reader(), file.address)) {
      reader.read(0, target, 0, LENGTH);
      cache.written().get(1, TimeUnit.MINUTES);
      byte[] bytes = new byte[LENGTH];
      target.getBytes(0, bytes, 0, LENGTH);
      return bytes;
    }
  }

  private boolean isOnDisk(byte[] part) throws IOException {
    String wanted = new String(part, StandardCharsets.ISO_8859_1);
    for (Path each : filesIn(folder)) {
      if (new String(Files.readAllBytes(each), StandardCharsets.ISO_8859_1).contains(wanted)) {
        return true;
      }
    }
    return false;
  }

  /** The same bytes are found when they are not encrypted, so the search can find them. */
  @Test
  void plainBytesAreNeverOnDisk() throws Exception {
    TestingAllocator memory = new TestingAllocator();
    TestingStorage file = new TestingStorage("a", LENGTH, 1);
    RangeCacheConfig plain = RangeCacheConfig.in(List.of(folder.resolve("cache")), 1 << 24);
    byte[] part = Arrays.copyOfRange(file.content(), 100_000, 100_012);
    try (RangeCache cache = RangeCache.open(config(plain).withMinFree(0), memory)) {
      assertArrayEquals(file.content(), read(cache, file, memory));
      assertArrayEquals(file.content(), read(cache, file, memory));
      assertEquals(1, file.requests.get());
      assertFalse(isOnDisk(part));
    }
    try (RangeCache cache = RangeCache.open(plain.withMinFree(0), memory)) {
      read(cache, file, memory);
      assertTrue(isOnDisk(part));
    }
    assertEquals(0, memory.allocatedBytes());
  }

  @Test
  void otherApplicationsCannotReadAndEvict() throws Exception {
    TestingAllocator memory = new TestingAllocator();
    TestingStorage file = new TestingStorage("a", LENGTH, 1);
    RangeCacheConfig shared =
        RangeCacheConfig.in(List.of(folder.resolve("cache")), 450_000).withMinFree(0);
    byte[] otherKey = new byte[32];
    random.nextBytes(otherKey);
    try (RangeCache cache = RangeCache.open(config(shared), memory)) {
      read(cache, file, memory);
    }
    List<Path> ours = filesIn(folder.resolve("cache/objects"));
    assertEquals(1, ours.size());
    var other = shared.withEncryption(new SecretKeySpec(otherKey, "AES"));
    try (RangeCache cache = RangeCache.open(other, memory)) {
      assertArrayEquals(file.content(), read(cache, file, memory));
      assertEquals(2, file.requests.get());
      assertArrayEquals(file.content(), read(cache, file, memory));
      assertEquals(2, file.requests.get());
      assertEquals(1, cache.counters().evictions().sum());
      assertEquals(0, cache.counters().corruptFiles().sum());
    }
    assertFalse(Files.exists(ours.get(0)));
    assertEquals(0, memory.allocatedBytes());
  }

  /** A file under the right name that another key has written is a miss. */
  @Test
  void filesOfAnotherKeyAreNotAuthentic() throws Exception {
    TestingAllocator memory = new TestingAllocator();
    TestingStorage file = new TestingStorage("a", LENGTH, 1);
    RangeCacheConfig config =
        config(RangeCacheConfig.in(List.of(folder.resolve("cache")), 1 << 24)).withMinFree(0);
    byte[] otherKey = new byte[16];
    otherKey[3] = 1;
    ObjectKey key;
    try (RangeCache cache = RangeCache.open(config, memory)) {
      read(cache, file, memory);
      key = cache.keyOf(file.address, file.reader());
    }
    Path cached = filesIn(folder.resolve("cache/objects")).get(0);
    try (var channel = java.nio.channels.FileChannel.open(cached)) {
      CacheKeys others = new CacheKeys(new SecretKeySpec(otherKey, "AES"));
      org.junit.jupiter.api.Assertions.assertThrows(
          CorruptFileException.class, () -> FileLayout.read(cached, channel, key, others));
    }
    assertEquals(0, memory.allocatedBytes());
  }
}

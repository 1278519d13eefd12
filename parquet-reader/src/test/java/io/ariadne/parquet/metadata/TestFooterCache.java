package io.ariadne.parquet.metadata;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.testing.TestingAllocator;
import io.ariadne.io.ByteRangeReader;
import io.ariadne.parquet.metadata.FooterCache.FileKey;
import io.ariadne.parquet.testing.MemoryFile;
import io.ariadne.parquet.testing.ParquetMrFiles;
import io.ariadne.parquet.testing.RandomGroups;
import io.ariadne.parquet.testing.TestSchemas;
import io.ariadne.parquet.testing.WriterOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class TestFooterCache {
  private static final FileKey KEY = new FileKey("a", 100, 1);

  @TempDir Path folder;
  private byte[] file;
  private final AtomicInteger loads = new AtomicInteger();

  @BeforeEach
  void write() throws IOException {
    Path path = folder.resolve("file.parquet");
    RandomGroups groups = new RandomGroups(new Random(1), 10, 0.1);
    ParquetMrFiles.write(
        path, TestSchemas.FLAT, groups.rows(TestSchemas.FLAT, 50), WriterOptions.PLAIN, Map.of());
    file = Files.readAllBytes(path);
  }

  private FileMetadata load(ColumnSelection selection) throws IOException {
    loads.incrementAndGet();
    return FooterReader.read(
        new MemoryFile("file", file), "file", selection, new TestingAllocator());
  }

  private static FileKey key(long modificationTimeMillis) {
    return FileKey.of(
        "a",
        new ByteRangeReader() {
          @Override
          public long lengthInBytes() {
            return 100;
          }

          @Override
          public long modificationTimeMillis() {
            return modificationTimeMillis;
          }

          @Override
          public void read(long position, MemoryBuffer target, long targetOffset, long length) {
            throw new AssertionError("read");
          }

          @Override
          public void close() {}
        });
  }

  @Test
  void cachesOnlyFilesThatHaveNotChangedRecently() {
    long now = System.currentTimeMillis();
    assertEquals(new FileKey("a", 100, now - 60_000), key(now - 60_000));
    assertNull(key(now));
    assertNull(key(now + 60_000));
    assertNull(key(ByteRangeReader.UNKNOWN_TIME));
  }

  private static ColumnSelection columns(String... names) {
    return ColumnSelection.of(List.of(names), List.of());
  }

  @Test
  void readsOnceUntilMoreColumnsAreRequested() throws IOException {
    FooterCache cache = new FooterCache(1 << 20);
    FileMetadata first = cache.get(KEY, columns("i", "l"), this::load);
    assertSame(first, cache.get(KEY, columns("L"), this::load));
    assertEquals(1, loads.get());
    FileMetadata more = cache.get(KEY, columns("d"), this::load);
    assertEquals(2, loads.get());
    assertEquals(3, more.leaves().size());
    assertSame(more, cache.get(KEY, columns("i", "d"), this::load));
    assertEquals(2, loads.get());
    assertEquals(1, cache.size());
    assertEquals(more.weight(), cache.bytes());
  }

  @Test
  void rewrittenFileIsAnotherFile() throws IOException {
    FooterCache cache = new FooterCache(1 << 20);
    cache.get(KEY, ColumnSelection.ALL, this::load);
    cache.get(new FileKey("a", 100, 2), ColumnSelection.ALL, this::load);
    cache.get(new FileKey("a", 101, 1), ColumnSelection.ALL, this::load);
    assertEquals(3, loads.get());
  }

  @Test
  void evictsBeyondItsLimit() throws IOException {
    long weight = load(ColumnSelection.ALL).weight();
    FooterCache cache = new FooterCache(3 * weight);
    for (int i = 0; i < 20; i++) {
      cache.get(new FileKey("f" + i, 1, 1), ColumnSelection.ALL, this::load);
      cache.get(new FileKey("f0", 1, 1), ColumnSelection.ALL, this::load);
      assertTrue(cache.bytes() <= 3 * weight);
    }
    assertEquals(3, cache.size());
    assertEquals(21, loads.get());
    FooterCache tiny = new FooterCache(10);
    tiny.get(KEY, ColumnSelection.ALL, this::load);
    assertEquals(0, tiny.size());
  }

  @Test
  void doesNotCacheFailures() throws IOException {
    FooterCache cache = new FooterCache(1 << 20);
    assertThrows(
        IOException.class,
        () ->
            cache.get(
                KEY,
                ColumnSelection.ALL,
                selection -> {
                  throw new IOException("no");
                }));
    cache.get(KEY, ColumnSelection.ALL, this::load);
    assertEquals(1, loads.get());
  }

  @Test
  void concurrentRequestsReadOnce() throws Exception {
    FooterCache cache = new FooterCache(1 << 20);
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      for (int round = 0; round < 50; round++) {
        FileKey key = new FileKey("round", round, 0);
        List<Future<FileMetadata>> results = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
          results.add(threads.submit(() -> cache.get(key, columns("i"), this::load)));
        }
        for (Future<FileMetadata> result : results) {
          assertSame(results.get(0).get(), result.get());
        }
        assertEquals(round + 1, loads.get());
      }
    } finally {
      threads.shutdownNow();
    }
  }
}

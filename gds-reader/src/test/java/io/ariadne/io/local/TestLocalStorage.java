package io.ariadne.io.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.io.ByteRangeReader;
import io.ariadne.io.ByteRangeReaderProvider.Support;
import io.ariadne.io.ByteRangeReaders;
import io.ariadne.io.OpenRequest;
import io.ariadne.io.ReadCounters;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class TestLocalStorage {
  private static final int LENGTH = 8 << 20;

  @RegisterExtension final LeakCheck memory = new LeakCheck();
  @TempDir Path folder;

  @Test
  void theProcessOpensLocalFilesThroughSystemCalls() throws IOException {
    Path file = Files.write(folder.resolve("file"), new byte[10]);
    try (ByteRangeReader reader = ByteRangeReaders.installed().open(OpenRequest.ofLocal(file))) {
      assertSame(LinuxFileReader.class, reader.getClass());
    } finally {
      LocalStorage.stop();
    }
  }

  @Test
  void isForLocalFilesOnly() {
    OpenRequest remote =
        new OpenRequest(URI.create("s3a://bucket/key"), 1, 1, null, null, ReadCounters.create());
    assertEquals(Support.OTHER, new LinuxReaderProvider().support(remote));
  }

  @Test
  void saysHowItReads() {
    LocalStorage.start(new LocalReadOptions(DirectReads.AUTO, 5L << 20));
    try {
      Support support =
          new LinuxReaderProvider().support(OpenRequest.ofLocal(folder.resolve("any")));
      assertSame(Support.Kind.SUPPORTED, support.kind());
      assertTrue(support.detail().contains("above 5 MiB"), support.detail());
      assertTrue(support.detail().contains("preadv"), support.detail());
    } finally {
      LocalStorage.stop();
    }
  }

  @Test
  void readsLargeFilesDirectly() throws IOException {
    LocalStorage storage = LocalStorage.open(new LocalReadOptions(DirectReads.AUTO, 100), true);
    Path small = Files.write(folder.resolve("small"), new byte[100]);
    Path large = Files.write(folder.resolve("large"), new byte[101]);
    storage.retain();
    storage.retain();
    try (ByteRangeReader one = LinuxFileReader.open(small, storage, ReadCounters.create());
        ByteRangeReader other = LinuxFileReader.open(large, storage, ReadCounters.create())) {
      assertEquals(1, one.alignmentInBytes());
      Assumptions.assumeTrue(other.alignmentInBytes() > 1, "the file system has no direct I/O");
      assertTrue(other.waits(0, 1));
    } finally {
      storage.release();
    }
  }

  @Test
  void filesThatAreOpenStayReadableWhenTheStorageEnds() throws IOException {
    Path file = Files.write(folder.resolve("open"), new byte[LENGTH]);
    LocalStorage storage = LocalStorage.open(LocalReadOptions.of(DirectReads.ON), true);
    storage.retain();
    try (ByteRangeReader reader = LinuxFileReader.open(file, storage, ReadCounters.create());
        GuardedTarget target = GuardedTarget.of(memory.allocator(), 1, LENGTH - 1, 1, 0)) {
      storage.release();
      reader.readAll(List.of(target.range(), target.range()));
      target.assertRead(new byte[LENGTH], "storage released");
    }
    storage.awaitClosed();
    assertEquals(0, storage.pageBytes());
  }

  /** Shared memory has no device, and older kernels no direct I/O for it. */
  @Test
  void readsFilesOfAFileSystemInMemory() throws IOException {
    Path shared = Path.of("/dev/shm");
    Assumptions.assumeTrue(Files.isWritable(shared), "no /dev/shm");
    Path file = Files.createTempFile(shared, "ariadne", ".bin");
    LocalStorage storage = LocalStorage.open(LocalReadOptions.of(DirectReads.ON), true);
    try {
      byte[] bytes = new byte[LENGTH];
      new java.util.Random(5).nextBytes(bytes);
      Files.write(file, bytes);
      storage.retain();
      try (ByteRangeReader reader = LinuxFileReader.open(file, storage, ReadCounters.create());
          GuardedTarget target = GuardedTarget.of(memory.allocator(), 3, LENGTH - 3, 1, 0)) {
        reader.start(List.of(target.range()), Runnable::run).completion().join();
        target.assertRead(bytes, "in memory");
      }
    } finally {
      storage.release();
      Files.delete(file);
    }
  }

  @Test
  void knowsWhatThePageCacheHas() throws Exception {
    Path file = Files.write(folder.resolve("cached"), new byte[LENGTH]);
    LocalStorage storage = LocalStorage.open(LocalReadOptions.of(DirectReads.OFF), true);
    storage.retain();
    try (ByteRangeReader reader = LinuxFileReader.open(file, storage, ReadCounters.create());
        MemoryBuffer target = memory.allocator().allocate(LENGTH)) {
      reader.read(0, target, 0, LENGTH);
      assertFalse(reader.waits(0, LENGTH));
      assertFalse(reader.waits(LENGTH, 0));
      assertFalse(reader.waits(-1, 5));
      assertFalse(reader.waits(LENGTH, 1));
      Assumptions.assumeTrue(isDropped(file), "no program that drops a file from the page cache");
      assertTrue(reader.waits(LENGTH - (1 << 20), 1 << 20));
    } finally {
      storage.release();
    }
  }

  /** Lets {@code dd} of the GNU tools write the file out and drop it from the page cache. */
  private static boolean isDropped(Path file) throws Exception {
    Process dd;
    try {
      dd =
          new ProcessBuilder(
                  "dd", "of=" + file, "oflag=nocache", "conv=notrunc,fdatasync", "count=0")
              .redirectErrorStream(true)
              .start();
    } catch (IOException e) {
      return false;
    }
    dd.getInputStream().readAllBytes();
    return dd.waitFor(1, TimeUnit.MINUTES) && dd.exitValue() == 0;
  }
}

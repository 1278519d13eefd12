package io.ariadne.io.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.io.ByteRange;
import io.ariadne.io.ByteRangeReader;
import io.ariadne.io.PendingRead;
import io.ariadne.io.ReadCounters;
import java.io.EOFException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Many threads read ranges by chance, give reads up, and meet files that become shorter. */
class TestReadStress {
  private static final int THREADS = 6;
  private static final int FILES = 5;
  private static final int READS = 120;
  private static final int MOST_BYTES = 5 << 20;
  private static final long TIMEOUT_SECONDS = 120;

  @RegisterExtension final LeakCheck memory = new LeakCheck();
  @TempDir Path folder;

  private final long seed = RandomBatches.create().seed();
  private final byte[][] contents = new byte[FILES][];

  private Path file(int i) {
    return folder.resolve("file-" + i);
  }

  /** Every second file has a length that is no multiple of anything; the last one is cut. */
  private void writeFiles() throws java.io.IOException {
    Random random = new Random(seed);
    for (int i = 0; i < FILES; i++) {
      contents[i] = new byte[i % 2 == 0 ? MOST_BYTES : 1 + random.nextInt(MOST_BYTES)];
      random.nextBytes(contents[i]);
      Files.write(file(i), contents[i]);
    }
  }

  @Test
  void everyReadEndsAndEveryByteIsRight() throws Exception {
    writeFiles();
    for (boolean withRing : new boolean[] {true, false}) {
      for (DirectReads direct : new DirectReads[] {DirectReads.OFF, DirectReads.ON}) {
        LocalStorage storage = LocalStorage.open(LocalReadOptions.of(direct), withRing);
        run(storage);
        storage.release();
        storage.awaitClosed();
        assertEquals(0, storage.pageBytes(), "seed " + seed);
        assertEquals("[]", OpenDescriptors.of(folder).toString(), "seed " + seed);
      }
    }
  }

  private void run(LocalStorage storage) throws Exception {
    Files.write(file(FILES - 1), contents[FILES - 1]);
    ExecutorService readers = Executors.newFixedThreadPool(THREADS + 1);
    ExecutorService blocking = Executors.newFixedThreadPool(2);
    try {
      List<Future<?>> all = new ArrayList<>();
      for (int t = 0; t < THREADS; t++) {
        long own = seed * 31 + t;
        all.add(
            readers.submit(
                () -> {
                  readByChance(storage, new Random(own), blocking);
                  return null;
                }));
      }
      all.add(
          readers.submit(
              () -> {
                cutLastFile();
                return null;
              }));
      for (Future<?> each : all) {
        each.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
      }
    } finally {
      readers.shutdownNow();
      blocking.shutdownNow();
      assertTrue(blocking.awaitTermination(TIMEOUT_SECONDS, TimeUnit.SECONDS));
    }
  }

  private void cutLastFile() throws Exception {
    try (FileChannel channel = FileChannel.open(file(FILES - 1), StandardOpenOption.WRITE)) {
      for (long length = contents[FILES - 1].length; length > 0; length -= 99_991) {
        channel.truncate(length);
        Thread.sleep(2);
      }
    }
  }

  private void readByChance(LocalStorage storage, Random random, ExecutorService blocking)
      throws Exception {
    for (int i = 0; i < READS; i++) {
      int chosen = random.nextInt(FILES);
      storage.retain();
      try (ByteRangeReader reader =
          LinuxFileReader.open(file(chosen), storage, ReadCounters.create())) {
        int length = (int) reader.lengthInBytes();
        if (length > 0) {
          read(reader, length, chosen, random, blocking);
        }
      }
    }
  }

  private void read(
      ByteRangeReader reader, int length, int chosen, Random random, ExecutorService blocking)
      throws Exception {
    List<GuardedTarget> targets = targets(reader, length, random);
    String what = "seed " + seed + ", file " + chosen;
    try {
      boolean isRead =
          random.nextInt(4) == 0
              ? readAll(reader, targets, chosen)
              : start(reader, targets, chosen, random, blocking);
      for (GuardedTarget target : targets) {
        // The kernel may show zeros where a file is being cut.
        if (isRead && chosen != FILES - 1) {
          target.assertRead(contents[chosen], what);
        } else {
          target.assertGuards(what);
        }
      }
    } finally {
      targets.forEach(GuardedTarget::close);
    }
  }

  private List<GuardedTarget> targets(ByteRangeReader reader, int length, Random random) {
    List<GuardedTarget> targets = new ArrayList<>();
    for (int i = random.nextInt(4); i >= 0; i--) {
      int start = random.nextInt(length);
      int bytes = 1 + random.nextInt(Math.min(length - start, 1 << (4 + random.nextInt(18))));
      int skew = random.nextBoolean() ? 0 : random.nextInt(600);
      targets.add(
          GuardedTarget.of(memory.allocator(), start, bytes, reader.alignmentInBytes(), skew));
    }
    return targets;
  }

  private static List<ByteRange> ranges(List<GuardedTarget> targets) {
    return targets.stream().map(GuardedTarget::range).toList();
  }

  /** Returns whether the bytes arrived: only the file that is cut may fail. */
  private boolean readAll(ByteRangeReader reader, List<GuardedTarget> targets, int chosen)
      throws Exception {
    try {
      reader.readAll(ranges(targets));
      return true;
    } catch (EOFException e) {
      assertEquals(FILES - 1, chosen, "seed " + seed + ": " + e.getMessage());
      return false;
    }
  }

  private boolean start(
      ByteRangeReader reader,
      List<GuardedTarget> targets,
      int chosen,
      Random random,
      ExecutorService blocking)
      throws Exception {
    PendingRead read = reader.start(ranges(targets), blocking);
    boolean isCancelled = random.nextInt(3) == 0;
    if (isCancelled) {
      Thread.sleep(0, random.nextInt(500_000));
      read.cancel();
    }
    try {
      read.completion().get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
      return true;
    } catch (CancellationException e) {
      assertTrue(isCancelled, "seed " + seed + ": " + e.getMessage());
      return false;
    } catch (ExecutionException e) {
      boolean isCut = e.getCause() instanceof EOFException && chosen == FILES - 1;
      if (!isCut) {
        throw e;
      }
      return false;
    }
  }
}

package io.ariadne.spill.disk;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.testing.NullPattern;
import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.MemoryPools;
import io.ariadne.memory.PagePool;
import io.ariadne.spill.SpillStore.Block;
import io.ariadne.spill.disk.DiskSpillOptions.Compression;
import io.ariadne.spill.fuzz.FaultyFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Writes batches to disk one by one and together, and reads them back: MB of memory per second. Run
 * as a main class with a folder on the disk in question, or with one on each of several disks that
 * are used at the same time, and {@code --add-opens=java.base/java.nio=ALL-UNNAMED}.
 */
public final class BenchmarkDiskSpill {
  private static final Schema SCHEMA =
      RandomBatches.schemaOf(
          List.of(PrimitiveType.INT64, PrimitiveType.FLOAT64, PrimitiveType.INT32));
  private static final long TOTAL_BYTES = 512L << 20;
  private static final int ROUNDS = 5;

  /** How long a slow disk takes for a page: 200 MB per second. */
  private static final long SLOW_NANOS = 5_000_000;

  private BenchmarkDiskSpill() {}

  /** Runs all cases in folders, which are the arguments. */
  public static void main(String[] arguments) {
    List<Path> folders = Arrays.stream(arguments).map(Path::of).toList();
    DiskSpillOptions plain = DiskSpillOptions.in(folders).withCompression(Compression.NEVER);
    System.out.println("what                 KB/batch  one by one  together  read back  (MB/s)");
    for (int kib : new int[] {100, 500, 1024, 8192}) {
      run("direct", plain, kib);
    }
    run("buffered", plain.withDirect(false), 100);
    run("buffered", plain.withDirect(false), 1024);
    run("compressed", plain.withCompression(Compression.ALWAYS), 1024);
    run("encrypted", plain.withEncryption(128), 1024);
    for (int disks : new int[] {1, 2, 4}) {
      run(disks + " slow disks", over(folders.get(0), disks), 1024);
    }
  }

  /** Returns options for directories each of which takes its time, as if it were a disk. */
  private static DiskSpillOptions over(Path folder, int disks) {
    List<Path> directories = new ArrayList<>();
    for (int i = 0; i < disks; i++) {
      Lock disk = new ReentrantLock();
      directories.add(FaultyFiles.over(folder.resolve("slow-" + i), kind -> takesTime(disk)));
    }
    return DiskSpillOptions.in(directories).withCompression(Compression.NEVER).withDirect(false);
  }

  private static boolean takesTime(Lock disk) {
    disk.lock();
    try {
      LockSupport.parkNanos(SLOW_NANOS);
    } finally {
      disk.unlock();
    }
    return false;
  }

  private static void run(String what, DiskSpillOptions options, int kib) {
    MemoryPool pool = MemoryPools.host("bench", 4L << 30, false);
    try (PagePool pages = new PagePool(pool, PagePool.PAGE_BYTES, 3, 32);
        DiskSpillStore store = new DiskSpillStore(options, pages);
        RecordBatch batch =
            new RandomBatches(1).batch(SCHEMA, kib * 1024 / 20, NullPattern.NONE, pool)) {
      double[] single = new double[ROUNDS];
      double[] fused = new double[ROUNDS];
      double[] read = new double[ROUNDS];
      for (int round = 0; round < ROUNDS; round++) {
        single[round] = rate(() -> write(store, batch, 1).forEach(store::delete));
        List<Block> blocks = new ArrayList<>();
        int together = (int) Math.max(1, (8L << 20) / batch.sizeInBytes());
        fused[round] = rate(() -> blocks.addAll(write(store, batch, together)));
        read[round] = rate(() -> blocks.forEach(block -> store.read(block, pool).close()));
        blocks.forEach(store::delete);
      }
      System.out.printf(
          "%-20s %8d %11.0f %9.0f %10.0f%n",
          what, kib, median(single), median(fused), median(read));
    }
    pool.close();
  }

  private static List<Block> write(DiskSpillStore store, RecordBatch batch, int together) {
    List<Block> blocks = new ArrayList<>();
    long count = TOTAL_BYTES / batch.sizeInBytes();
    while (blocks.size() < count) {
      int now = (int) Math.min(together, count - blocks.size());
      blocks.addAll(store.write(Collections.nCopies(now, batch)));
    }
    return blocks;
  }

  private static double rate(Runnable work) {
    long start = System.nanoTime();
    work.run();
    return TOTAL_BYTES / 1e6 / ((System.nanoTime() - start) / 1e9);
  }

  private static double median(double[] values) {
    Arrays.sort(values);
    return values[values.length / 2];
  }
}

package io.ariadne.parquet.scan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.io.ByteRangeReader;
import io.ariadne.io.ForwardingReader;
import io.ariadne.io.LocalFileReader;
import io.ariadne.io.ReadAhead;
import io.ariadne.io.ReadAheadScan;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.MemoryPools;
import io.ariadne.preload.PreloadConfig;
import io.ariadne.preload.PreloadExecutor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Local files that answer late, so that scans read ahead. The memory for that is scarce at times.
 */
final class SlowStorage implements ScanStorage {
  private static final int MAX_DELAY_MICROS = 300;
  private static final long MEMORY_BYTES = 8 << 20;
  private static final long[] TAIL_BYTES = {1, 2_000, 20_000, FileOpener.DEFAULT_TAIL_BYTES};

  private final Random random;
  private final MemoryPool pool = MemoryPools.host("read ahead", MEMORY_BYTES, true);
  private final PreloadExecutor readAhead;
  private final AtomicInteger openFiles = new AtomicInteger();

  SlowStorage(long seed) {
    this.random = new Random(seed);
    long share = random.nextInt(3) == 0 ? 0 : MEMORY_BYTES / 2;
    this.readAhead = new PreloadExecutor("slow", new PreloadConfig(share, 4, 20_000), pool);
  }

  @Override
  public FileOpener opener() {
    return new FileOpener() {
      @Override
      public ByteRangeReader open(FileSlice slice) throws IOException {
        ByteRangeReader file = LocalFileReader.open(Path.of(slice.path()));
        openFiles.incrementAndGet();
        return new SlowFile(file);
      }

      @Override
      public boolean isSlow(FileSlice slice) {
        return true;
      }

      @Override
      public long tailBytes(FileSlice slice) {
        synchronized (random) {
          return TAIL_BYTES[random.nextInt(TAIL_BYTES.length)];
        }
      }
    };
  }

  @Override
  public ReadAhead readAhead() {
    return readAhead;
  }

  @Override
  public void checkUse(ScanRun run) {
    long bytes = run.counter(ReadAheadScan.AHEAD_BYTES) + run.counter(ReadAheadScan.LATE_BYTES);
    assertTrue(bytes > 0, "nothing was queued to be read ahead");
  }

  @Override
  public void close() {
    readAhead.close();
    assertTrue(readAhead.isTerminated(), readAhead::describe);
    pool.close();
    assertEquals(0, openFiles.get(), "open files");
  }

  private void delay() {
    long micros;
    synchronized (random) {
      micros = random.nextInt(MAX_DELAY_MICROS);
    }
    LockSupport.parkNanos(micros * 1000);
  }

  /** A file that answers late. */
  private final class SlowFile extends ForwardingReader {
    SlowFile(ByteRangeReader file) {
      super(file);
    }

    @Override
    public boolean waits(long position, long length) {
      return true;
    }

    @Override
    public void read(long position, MemoryBuffer target, long targetOffset, long length)
        throws IOException {
      delay();
      delegate().read(position, target, targetOffset, length);
    }

    @Override
    public void close() throws IOException {
      openFiles.decrementAndGet();
      delegate().close();
    }
  }
}

package io.ariadne.io.gds;

import io.ariadne.backend.Backend;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.event.ThreadRecord;
import io.ariadne.event.Threads;
import io.ariadne.event.Wait;
import io.ariadne.event.WaitKind;
import io.ariadne.io.ByteRange;
import io.ariadne.io.ByteRangeReader;
import io.ariadne.io.PendingRead;
import io.ariadne.memory.FallbackMemorySource;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.MemoryPools;
import io.ariadne.memory.MemorySource;
import io.ariadne.memory.PagePool;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads files into device memory through page-locked pages of the host: while one page is copied to
 * the device, the next one is read. Thread-safe; a read uses two pages.
 *
 * <p>Pages are allocated when they are first needed, and do not count against the limits of the
 * process's pools, as those for spilling do not: reads must be possible while the pools are full.
 */
final class StagingPages {
  private static final Logger LOG = LoggerFactory.getLogger(StagingPages.class);

  private static final int READING_THREADS = 4;
  private static final long END_MILLIS = 2000;
  private static final long IDLE_SECONDS = 30;

  private final Backend backend;
  private final int pageBytes;
  private final long patienceMillis;
  private final MemoryPool memory;
  private final PagePool pages;
  private final ThreadPoolExecutor threads;

  /** Creates pages over the back end's page-locked memory, or the host's where it has none. */
  StagingPages(Backend backend, GdsOptions options) {
    this.backend = backend;
    this.pageBytes = options.pageBytes();
    this.patienceMillis = options.patienceMillis();
    long limit = options.pages() * ((long) pageBytes + PagePool.PAGE_ALIGNMENT);
    this.memory = MemoryPools.over("gds-pages", limit, source(backend));
    this.pages = new PagePool(memory, pageBytes, 0, options.pages());
    this.threads =
        new ThreadPoolExecutor(
            READING_THREADS,
            READING_THREADS,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Threads.daemons("ariadne-gds"));
    threads.allowCoreThreadTimeOut(true);
  }

  private static MemorySource source(Backend backend) {
    MemorySource host = MemoryPools.hostSource();
    return backend
        .memory(MemoryTier.PINNED)
        .<MemorySource>map(pinned -> new FallbackMemorySource(pinned, host))
        .orElse(host);
  }

  /** Returns bytes of pages that exist. */
  long allocatedBytes() {
    return memory.allocatedBytes();
  }

  /** Returns the number of pages there may be. */
  int maxPages() {
    return pages.maxPages();
  }

  /**
   * Reads a range into a buffer of the device; returns when it is there.
   *
   * @param file the file
   * @param range what to read
   * @param isCancelled asked before each page
   * @throws IOException when the file cannot be read
   * @throws CancellationException when it was cancelled
   */
  void read(ByteRangeReader file, ByteRange range, BooleanSupplier isCancelled) throws IOException {
    // Positions of pages are multiples of the alignment of direct I/O, and so are addresses then.
    long before = range.position() % PagePool.PAGE_ALIGNMENT;
    int count = before + range.length() <= pageBytes ? 1 : 2;
    List<PagePool.Page> taken = pages.take(count, patienceMillis);
    Copies copies = new Copies(file, range, taken, before);
    try {
      copies.run(isCancelled);
    } finally {
      copies.giveBack();
    }
  }

  /** The copies of one range. */
  private final class Copies {
    private final ByteRangeReader file;
    private final ByteRange range;
    private final List<PagePool.Page> taken;
    private final long before;
    private PendingRead pending;

    /** Why another thread has ended the wait for a page. */
    private volatile String breakReason;

    Copies(ByteRangeReader file, ByteRange range, List<PagePool.Page> taken, long before) {
      this.file = file;
      this.range = range;
      this.taken = taken;
      this.before = before;
    }

    void run(BooleanSupplier isCancelled) throws IOException {
      if (taken.size() == 1) {
        checkCancelled(isCancelled);
        readNow();
        copy(0);
        return;
      }
      long count = (before + range.length() + pageBytes - 1) / pageBytes;
      start(0);
      for (long i = 0; i < count; i++) {
        await();
        checkCancelled(isCancelled);
        if (i + 1 < count) {
          start(i + 1);
        }
        copy(i);
      }
    }

    private void checkCancelled(BooleanSupplier isCancelled) {
      if (isCancelled.getAsBoolean()) {
        throw new CancellationException("a read of " + file + " was cancelled");
      }
    }

    /** Returns where the part of a page begins, relative to the range. */
    private long begin(long page) {
      return Math.max(0, page * pageBytes - before);
    }

    private long length(long page) {
      return Math.min(range.length(), (page + 1) * pageBytes - before) - begin(page);
    }

    private long offsetInPage(long page) {
      return page == 0 ? before : 0;
    }

    private long addressOf(long page) {
      return taken.get((int) (page % taken.size())).address() + offsetInPage(page);
    }

    private ByteRange part(long page) {
      long length = length(page);
      MemoryBuffer target =
          new MemoryBuffer(addressOf(page), length, length, MemoryTier.PINNED, buffer -> {});
      return new ByteRange(range.position() + begin(page), target, 0, length);
    }

    private void readNow() throws IOException {
      ByteRange part = part(0);
      Wait wait = ThreadRecord.current().await(WaitKind.DISK, file, part.length(), null);
      try {
        file.read(part.position(), part.target(), 0, part.length());
      } finally {
        wait.close();
      }
    }

    private void start(long page) {
      pending = file.start(List.of(part(page)), threads);
    }

    private void copy(long page) {
      backend.write(
          addressOf(page), range.target(), range.targetOffset() + begin(page), length(page));
    }

    /** Waits for the page that is being read. */
    private void await() throws IOException {
      PendingRead read = pending;
      Wait wait =
          ThreadRecord.current()
              .await(WaitKind.DISK, file, range.length(), reason -> breakOff(read, reason));
      try {
        complete(read);
        pending = null;
      } finally {
        wait.close();
      }
    }

    private void breakOff(PendingRead read, String reason) {
      breakReason = reason;
      read.cancel();
    }

    private void complete(PendingRead read) throws IOException {
      try {
        read.completion().get(patienceMillis, TimeUnit.MILLISECONDS);
      } catch (ExecutionException e) {
        pending = null;
        throw failure(e.getCause());
      } catch (CancellationException e) {
        pending = null;
        throw new IOException("a read of " + file + " was broken off: " + breakReason, e);
      } catch (TimeoutException e) {
        throw new IOException(
            file + " has not given " + range.length() + " bytes within " + patienceMillis + " ms",
            e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("the thread that reads " + file + " was interrupted", e);
      }
    }

    /** Gives the pages back, at once or when nothing is written to them any more. */
    void giveBack() {
      if (pending == null) {
        pages.giveBack(taken);
        return;
      }
      pending.cancel();
      var unused = pending.completion().whenComplete((nothing, thrown) -> pages.giveBack(taken));
    }
  }

  private static IOException failure(Throwable cause) {
    if (cause instanceof RuntimeException exception) {
      throw exception;
    }
    if (cause instanceof Error error) {
      throw error;
    }
    return cause instanceof IOException io ? io : new IOException(cause);
  }

  /** Gives the threads time to end. A stranded read keeps its thread until the system answers. */
  private void awaitThreads() {
    try {
      if (!threads.awaitTermination(END_MILLIS, TimeUnit.MILLISECONDS)) {
        LOG.warn("{} reads of files do not end", threads.getActiveCount());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Frees the pages and stops the threads; no read may be running. */
  void close(Closer closer) {
    threads.shutdown();
    awaitThreads();
    closer.close(pages);
    closer.close(memory);
  }
}

package io.ariadne.spill.disk;

import io.ariadne.event.ThreadRecord;
import io.ariadne.event.Wait;
import io.ariadne.event.WaitKind;
import io.ariadne.memory.PagePool;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads that read and write spill files, and the pages they do it with. Callers are tasks
 * that may be interrupted at any time, which would close a channel; these threads never are.
 * Thread-safe.
 */
final class SpillIo implements AutoCloseable {
  /** Two pages on their way and one to work in. */
  static final int PAGES_PER_STREAM = 3;

  private static final long PAGE_TIMEOUT_MILLIS = 60_000;

  private final ExecutorService threads;
  private final PagePool pages;
  private final SpillRates rates = new SpillRates();

  SpillIo(PagePool pages, int threadCount) {
    this.pages = pages;
    AtomicInteger number = new AtomicInteger();
    this.threads =
        Executors.newFixedThreadPool(
            threadCount,
            work -> {
              Thread thread = new Thread(work, "ariadne-spill-" + number.getAndIncrement());
              thread.setDaemon(true);
              return thread;
            });
  }

  /** Something that is being read or written. */
  record Transfer(CompletableFuture<Void> done, String what) {
    /** Waits; interrupts stay pending, for the page is in use until the system is done with it. */
    void await() throws IOException {
      if (done.isDone()) {
        check();
        return;
      }
      boolean interrupted = false;
      Wait wait = ThreadRecord.current().await(WaitKind.DISK, what, 0, null);
      try {
        while (!done.isDone()) {
          try {
            done.get();
          } catch (InterruptedException e) {
            interrupted = true;
          } catch (ExecutionException e) {
            break;
          }
        }
      } finally {
        wait.close();
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
      }
      check();
    }

    /** Throws what a transfer that has ended failed with. */
    private void check() throws IOException {
      try {
        done.join();
      } catch (CompletionException e) {
        throw e.getCause() instanceof IOException cause
            ? new IOException(what + " failed: " + cause.getMessage(), cause)
            : new IOException(what + " failed", e.getCause());
      }
    }
  }

  /** Lends the pages of one stream. */
  List<PagePool.Page> takePages() {
    return pages.take(PAGES_PER_STREAM, PAGE_TIMEOUT_MILLIS);
  }

  /** Takes them back. */
  void giveBack(List<PagePool.Page> lent) {
    pages.giveBack(lent);
  }

  /** Returns how fast it goes. */
  SpillRates rates() {
    return rates;
  }

  /** Writes a buffer, which stays untouched until that is done. */
  Transfer write(SpillFile file, ByteBuffer bytes, long offset) {
    int length = bytes.remaining();
    return submit(
        "writing " + length + " bytes at " + offset + " of spill file " + file.path(),
        () -> {
          long start = System.nanoTime();
          file.write(bytes, offset);
          rates.written(length, System.nanoTime() - start);
        });
  }

  /** Fills a buffer. */
  Transfer read(SpillFile file, ByteBuffer bytes, long offset) {
    String what =
        "reading " + bytes.remaining() + " bytes at " + offset + " of spill file " + file.path();
    return submit(what, () -> file.read(bytes, offset));
  }

  /** A call of the system. */
  private interface Call {
    void run() throws IOException;
  }

  private Transfer submit(String what, Call call) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    threads.execute(
        () -> {
          try {
            call.run();
            done.complete(null);
          } catch (Throwable failure) { // whoever waits gets it
            done.completeExceptionally(failure);
          }
        });
    return new Transfer(done, what);
  }

  /** Ends the threads; nothing is being read or written any more. */
  @Override
  public void close() {
    threads.shutdown();
  }
}

package io.ariadne.memory;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.event.ThreadRecord;
import io.ariadne.event.Wait;
import io.ariadne.event.WaitKind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Lends pages of one size for transfers to disks, devices and other processes. Pages of equal size
 * never fragment memory, and are page-locked only once.
 *
 * <p>The pool grows up to its limit when no page is free. The initial pages are allocated at once,
 * so that bytes can leave memory when all memory is in use. Pages start at multiples of {@value
 * #PAGE_ALIGNMENT} bytes, as direct I/O needs. A thread that needs several pages takes them in one
 * call, so that no thread waits for pages while it holds some. Thread-safe.
 */
public final class PagePool implements AutoCloseable {
  /** Default size of a page in bytes. */
  public static final int PAGE_BYTES = 1 << 20;

  /** Alignment of pages in bytes. */
  public static final int PAGE_ALIGNMENT = 4096;

  private final BufferAllocator allocator;
  private final int pageBytes;
  private final int maxPages;
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private final Deque<Page> free = new ArrayDeque<>();

  @GuardedBy("lock")
  private final Deque<Waiter> waiters = new ArrayDeque<>();

  @GuardedBy("lock")
  private int pages;

  @GuardedBy("lock")
  private boolean closed;

  /** A thread that waits for pages. */
  private static final class Waiter {
    final int count;
    final Condition isFirst;

    Waiter(int count, Condition isFirst) {
      this.count = count;
      this.isFirst = isFirst;
    }
  }

  /** A page that is lent and given back once. Used by one thread at a time. */
  public final class Page {
    private final MemoryBuffer buffer;
    private final long address;
    private boolean lent;

    private Page(MemoryBuffer buffer) {
      this.buffer = buffer;
      this.address = (buffer.address() + PAGE_ALIGNMENT - 1) & -PAGE_ALIGNMENT;
    }

    /** Returns the first byte's address. */
    public long address() {
      return address;
    }

    /** Returns the bytes that may be used. */
    public int sizeInBytes() {
      return pageBytes;
    }
  }

  /**
   * Creates a pool.
   *
   * @param allocator where pages come from, PINNED or HOST; the caller keeps ownership
   * @param pageBytes bytes of a page, a multiple of {@value #PAGE_ALIGNMENT}
   * @param initialPages pages allocated now, at most {@code maxPages}
   * @param maxPages most pages there may be
   * @throws EngineException OUT_OF_MEMORY when the first pages do not fit; nothing stays allocated
   */
  public PagePool(BufferAllocator allocator, int pageBytes, int initialPages, int maxPages) {
    if (pageBytes <= 0 || pageBytes % PAGE_ALIGNMENT != 0) {
      throw new IllegalArgumentException("page of " + pageBytes + " bytes");
    }
    if (initialPages < 0 || maxPages < 1 || initialPages > maxPages) {
      throw new IllegalArgumentException(initialPages + " pages at first of " + maxPages);
    }
    this.allocator = allocator;
    this.pageBytes = pageBytes;
    this.maxPages = maxPages;
    try {
      while (pages < initialPages) {
        free.add(newPage());
      }
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      free.forEach(page -> closer.close(page.buffer));
      closer.suppressIn(e);
      throw e;
    }
  }

  /** Allocates a page. It counts for the process, since it outlives the work of the thread. */
  @GuardedBy("lock")
  private Page newPage() {
    boolean before = ThreadUse.current().forProcess(true);
    try {
      Page page = new Page(allocator.allocate((long) pageBytes + PAGE_ALIGNMENT));
      pages++;
      return page;
    } finally {
      ThreadUse.current().forProcess(before);
    }
  }

  /** Returns bytes of a page. */
  public int pageBytes() {
    return pageBytes;
  }

  /** Returns most pages there may be. */
  public int maxPages() {
    return maxPages;
  }

  /** Returns pages that exist, lent ones included. */
  public int pageCount() {
    lock.lock();
    try {
      return pages;
    } finally {
      lock.unlock();
    }
  }

  /** Returns pages that are lent. */
  public int lentPages() {
    lock.lock();
    try {
      return pages - free.size();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Lends pages, all or none, in the order of calls. An interrupt does not end the wait and stays
   * pending, because other threads need the bytes that the pages move out of memory.
   *
   * @param count pages, at most the limit
   * @param timeoutMillis how long to wait at most
   * @return pages, which the caller {@link #giveBack gives back}
   * @throws EngineException OUT_OF_MEMORY when the time is over
   */
  public List<Page> take(int count, long timeoutMillis) {
    if (count > maxPages) {
      throw new IllegalArgumentException(count + " pages of a pool of " + maxPages);
    }
    lock.lock();
    try {
      checkOpen();
      Waiter waiter = new Waiter(count, lock.newCondition());
      waiters.addLast(waiter);
      try {
        await(waiter, timeoutMillis);
        return lend(count);
      } finally {
        waiters.remove(waiter);
        wakeFirst();
      }
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private void await(Waiter waiter, long timeoutMillis) {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    boolean interrupted = false;
    Wait wait = null;
    try {
      while (waiters.peekFirst() != waiter || !ensureFree(waiter.count)) {
        long nanos = deadline - System.nanoTime();
        if (nanos <= 0) {
          throw refusal(waiter.count, timeoutMillis);
        }
        if (wait == null) {
          wait = beginWait(waiter.count);
        }
        try {
          waiter.isFirst.awaitNanos(nanos);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (wait != null) {
        wait.close();
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private Wait beginWait(int count) {
    String what = count + " pages of " + pageBytes + " bytes";
    long bytes = (long) count * pageBytes;
    return ThreadRecord.current().await(WaitKind.PAGES, what, bytes, null);
  }

  /** Returns whether so many pages are free; allocates the missing ones if possible. */
  @GuardedBy("lock")
  private boolean ensureFree(int count) {
    checkOpen();
    if (maxPages - pages + free.size() < count) {
      return false;
    }
    try {
      while (free.size() < count) {
        free.addFirst(newPage());
      }
    } catch (EngineException e) {
      if (e.code() != ErrorCode.OUT_OF_MEMORY) {
        throw e;
      }
      // Wait for pages that other threads give back.
      return false;
    }
    return true;
  }

  @GuardedBy("lock")
  private List<Page> lend(int count) {
    List<Page> lent = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      Page page = free.removeFirst();
      page.lent = true;
      lent.add(page);
    }
    return lent;
  }

  /** Takes pages back; those of a closed pool are freed. */
  public void giveBack(List<Page> returned) {
    lock.lock();
    try {
      for (Page page : returned) {
        takeBack(page);
        free.addFirst(page);
      }
      if (closed) {
        freePages();
      }
      wakeFirst();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes back pages that must not be used again, because a lost device may still write to them.
   * Their memory is freed, and the pool may allocate other pages instead.
   */
  public void retire(List<Page> returned) {
    Closer closer = new Closer();
    lock.lock();
    try {
      for (Page page : returned) {
        takeBack(page);
        pages--;
        closer.close(page.buffer);
      }
      wakeFirst();
    } finally {
      lock.unlock();
    }
    closer.rethrow();
  }

  private static void takeBack(Page page) {
    if (!page.lent) {
      throw new IllegalStateException("a page is given back that was not lent");
    }
    page.lent = false;
  }

  @GuardedBy("lock")
  private void wakeFirst() {
    Waiter first = waiters.peekFirst();
    if (first != null) {
      first.isFirst.signal();
    }
  }

  @GuardedBy("lock")
  private EngineException refusal(int count, long timeoutMillis) {
    return new EngineException(
        ErrorCode.OUT_OF_MEMORY,
        count
            + " pages of "
            + pageBytes
            + " bytes were not free within "
            + timeoutMillis
            + " ms: "
            + (pages - free.size())
            + " of "
            + pages
            + " are lent, there may be "
            + maxPages
            + ", "
            + waiters.size()
            + " wait");
  }

  @GuardedBy("lock")
  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException("the page pool is closed");
    }
  }

  /**
   * Frees all pages.
   *
   * @throws IllegalStateException when pages are lent; those are freed when they are given back
   */
  @Override
  public void close() {
    lock.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      waiters.forEach(waiter -> waiter.isFirst.signal());
      freePages();
      if (pages > 0) {
        throw new IllegalStateException(pages + " pages are lent while their pool closes");
      }
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private void freePages() {
    Closer closer = new Closer();
    pages -= free.size();
    free.forEach(page -> closer.close(page.buffer));
    free.clear();
    closer.rethrow();
  }
}

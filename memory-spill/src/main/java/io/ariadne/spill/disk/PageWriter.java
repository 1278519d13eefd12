package io.ariadne.spill.disk;

import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.memory.PagePool;
import io.ariadne.spill.disk.SpillDirectory.Extent;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;

/**
 * Writes a stream of bytes in pages to several directories at the same time. While pages are
 * written, each to the directory with the fewest queued bytes, the next page is filled. A page that
 * a directory refuses goes to another one. Used by one thread.
 */
final class PageWriter implements AutoCloseable {
  private final SpillDirectories directories;
  private final Deque<PagePool.Page> free;
  private final int pageBytes;

  /** Where each page of the stream is on disk; null while it is being written. */
  private final List<Extent> places = new ArrayList<>();

  private final List<Flight> inFlight = new ArrayList<>();
  private PagePool.Page current;
  private int filled;
  private boolean finished;

  /** A page that is being written. */
  private static final class Flight {
    final PagePool.Page page;
    final int length;

    /** The page's index in the stream. */
    final int index;

    final List<SpillDirectory> tried = new ArrayList<>();
    final List<IOException> failures = new ArrayList<>();
    Transfer<Extent> transfer;

    Flight(PagePool.Page page, int length, int index) {
      this.page = page;
      this.length = length;
      this.index = index;
    }
  }

  /**
   * Starts a stream.
   *
   * @param pages at least two; the caller keeps ownership and leaves them alone until this is
   *     closed
   */
  PageWriter(SpillDirectories directories, List<PagePool.Page> pages) {
    this.directories = directories;
    this.free = new ArrayDeque<>(pages);
    this.pageBytes = directories.pageBytes();
    this.current = free.removeFirst();
  }

  /** Returns where the next byte of the stream goes. */
  long address() {
    return current.address() + filled;
  }

  /** Returns how many bytes fit at {@link #address}, at least one. */
  int remaining() {
    return pageBytes - filled;
  }

  /** Returns bytes of the stream so far. */
  long position() {
    return (long) places.size() * pageBytes + filled;
  }

  /**
   * Ends the filling of bytes at {@link #address}.
   *
   * @param count at most {@link #remaining}
   * @throws io.ariadne.error.EngineException OUT_OF_MEMORY when no directory accepts a page
   */
  void advance(int count) {
    filled += count;
    if (filled == pageBytes) {
      flush();
      current = nextPage();
    }
  }

  private void flush() {
    Flight flight = new Flight(current, filled, places.size());
    places.add(null);
    filled = 0;
    inFlight.add(flight);
    start(flight);
  }

  /** Sends a page to a directory that has not refused it. */
  private void start(Flight flight) {
    SpillDirectory directory = directories.choose(flight.tried);
    if (directory == null) {
      inFlight.remove(flight);
      throw directories.refusal(flight.length, flight.failures);
    }
    flight.tried.add(directory);
    flight.transfer = directory.write(Memory.byteBuffer(flight.page.address(), flight.length));
  }

  private PagePool.Page nextPage() {
    while (free.isEmpty()) {
      settleSome();
    }
    return free.removeFirst();
  }

  /** Waits until at least one page is written, or was refused and goes to another directory. */
  private void settleSome() {
    Transfer.awaitAny(inFlight.stream().map(flight -> flight.transfer).toList());
    for (Flight flight : List.copyOf(inFlight)) {
      if (flight.transfer.done().isDone()) {
        settle(flight);
      }
    }
  }

  private void settle(Flight flight) {
    try {
      places.set(flight.index, flight.transfer.await());
      inFlight.remove(flight);
      free.addLast(flight.page);
    } catch (IOException e) {
      SpillDirectory refusing = flight.tried.get(flight.tried.size() - 1);
      if (refusing.isClosed()) {
        throw new IllegalStateException("the spill store is closed", e);
      }
      refusing.failed(e);
      flight.failures.add(e);
      start(flight);
    }
  }

  /**
   * Waits until the system has accepted all bytes. Ownership of the extents passes to the caller.
   *
   * @throws io.ariadne.error.EngineException OUT_OF_MEMORY when no directory accepts a page
   */
  void finish() {
    if (filled > 0) {
      flush();
    }
    while (!inFlight.isEmpty()) {
      settleSome();
    }
    finished = true;
  }

  /**
   * Returns where bytes of the finished stream are, in order. Pages that are neighbours on disk are
   * joined, so that bytes across their border take one read, up to the length of a page.
   */
  List<Extent> extents(long start, long end) {
    List<Extent> parts = new ArrayList<>();
    for (long at = start; at < end; ) {
      int offset = (int) (at % pageBytes);
      long length = Math.min(end - at, pageBytes - offset);
      addJoined(parts, places.get((int) (at / pageBytes)).part(offset, length));
      at += length;
    }
    return Collections.unmodifiableList(parts);
  }

  private void addJoined(List<Extent> parts, Extent next) {
    Extent last = parts.isEmpty() ? null : parts.get(parts.size() - 1);
    boolean joins =
        last != null
            && last.isBefore(next)
            && last.lengthInBytes() + next.lengthInBytes() <= pageBytes;
    if (joins) {
      parts.set(parts.size() - 1, last.longer(next.lengthInBytes()));
    } else {
      parts.add(next);
    }
  }

  /** Waits until the pages are not in use; frees the extents unless the stream is finished. */
  @Override
  public void close() {
    Closer closer = new Closer();
    for (Flight flight : inFlight) {
      if (flight.transfer == null) {
        continue;
      }
      flight.transfer.awaitEnd();
      if (!flight.transfer.done().isCompletedExceptionally()) {
        closer.close(() -> flight.transfer.done().join().free());
      }
    }
    inFlight.clear();
    for (Extent place : finished ? List.<Extent>of() : places) {
      if (place != null) {
        closer.close(place::free);
      }
    }
    places.clear();
    closer.rethrow();
  }
}

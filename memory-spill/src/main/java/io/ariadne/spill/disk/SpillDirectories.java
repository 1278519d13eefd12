package io.ariadne.spill.disk;

import io.ariadne.columnar.buffer.Closer;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.memory.PagePool;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The directories of a store, which read and write at the same time, and the pages they do it with.
 * Bytes go where the fewest wait; a directory that has failed lately is asked last. Thread-safe.
 */
final class SpillDirectories implements AutoCloseable {
  /** Directories that one stream keeps busy at most: its pages are beside the limit of memory. */
  private static final int MOST_AT_ONCE = 8;

  private static final long PAGE_TIMEOUT_MILLIS = 60_000;

  private final List<SpillDirectory> all = new ArrayList<>();
  private final PagePool pages;
  private final int pagesPerStream;
  private final String advice;
  private final SpillRates rates;
  private final AtomicInteger turn = new AtomicInteger();

  /**
   * Makes the directories if they are not there.
   *
   * @throws EngineException CONFIGURATION when one cannot be made
   */
  SpillDirectories(DiskSpillOptions options, PagePool pages) {
    this.pages = pages;
    this.pagesPerStream = Math.min(pagesPerStream(options.directories().size()), pages.maxPages());
    this.advice = options.advice();
    this.rates = new SpillRates(options.directories().size());
    for (Path path : options.directories()) {
      all.add(open(path, options));
    }
  }

  private SpillDirectory open(Path path, DiskSpillOptions options) {
    try {
      return new SpillDirectory(path, options.direct(), options.threadsPerDirectory(), rates);
    } catch (IOException e) {
      throw new EngineException(
          ErrorCode.CONFIGURATION, "cannot make the spill directory " + path, e);
    }
  }

  /** Returns a page on its way for each directory, one to work at and one to work in. */
  static int pagesPerStream(int directoryCount) {
    return Math.min(directoryCount, MOST_AT_ONCE) + 2;
  }

  /** Lends the pages of one stream, at least three. */
  List<PagePool.Page> takePages() {
    return pages.take(pagesPerStream, PAGE_TIMEOUT_MILLIS);
  }

  /** Takes them back. */
  void giveBack(List<PagePool.Page> lent) {
    pages.giveBack(lent);
  }

  /** Takes them back for good: a device that is lost may still write to them. */
  void retire(List<PagePool.Page> lent) {
    pages.retire(lent);
  }

  /** Returns bytes of a page. */
  int pageBytes() {
    return pages.pageBytes();
  }

  /** Returns how fast it goes. */
  SpillRates rates() {
    return rates;
  }

  /**
   * Returns where the next bytes go best, those that have failed lately last.
   *
   * @param tried those that have refused these bytes
   * @return null when all have
   */
  SpillDirectory choose(Collection<SpillDirectory> tried) {
    SpillDirectory best = null;
    boolean bestRests = true;
    int first = Math.floorMod(turn.getAndIncrement(), all.size());
    for (int i = 0; i < all.size(); i++) {
      SpillDirectory each = all.get((first + i) % all.size());
      if (tried.contains(each)) {
        continue;
      }
      boolean rests = each.rests();
      boolean isBetter =
          rests == bestRests
              ? best == null || each.waitingBytes() < best.waitingBytes()
              : bestRests;
      if (isBetter) {
        best = each;
        bestRests = rests;
      }
    }
    return best;
  }

  /** Returns what to throw when no directory takes bytes. */
  EngineException refusal(int bytes, List<IOException> failures) {
    StringBuilder text = new StringBuilder("no directory takes " + bytes + " bytes");
    for (SpillDirectory directory : all) {
      text.append("\n  ").append(directory.path()).append(": ").append(directory.room());
    }
    for (IOException failure : failures) {
      text.append("\n  ").append(failure.getMessage());
    }
    text.append("\n  ").append(advice);
    var refusal = new EngineException(ErrorCode.OUT_OF_MEMORY, text.toString(), failures.get(0));
    failures.stream().skip(1).forEach(refusal::addSuppressed);
    return refusal;
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    all.forEach(closer::close);
    closer.rethrow();
  }
}

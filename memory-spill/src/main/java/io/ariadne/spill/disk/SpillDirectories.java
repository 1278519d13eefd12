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
 * The directories of a store, which read and write at the same time, and the pages for that. Bytes
 * go to the directory with the fewest queued bytes; a directory that has failed lately is chosen
 * last. Thread-safe.
 */
final class SpillDirectories implements AutoCloseable {
  /** Most directories that one stream keeps busy: its pages do not count against a memory limit. */
  private static final int MOST_AT_ONCE = 8;

  private static final long PAGE_TIMEOUT_MILLIS = 60_000;

  private final List<SpillDirectory> all = new ArrayList<>();
  private final PagePool pages;
  private final int pagesPerStream;
  private final String advice;
  private final SpillRates rates;
  private final AtomicInteger nextFirst = new AtomicInteger();

  /**
   * Creates the directories that do not exist.
   *
   * @throws EngineException CONFIGURATION when a directory cannot be created
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
          ErrorCode.CONFIGURATION, "cannot create the spill directory " + path, e);
    }
  }

  /** Returns pages of a stream: one in transfer per directory, one to fill and one for scratch. */
  static int pagesPerStream(int directoryCount) {
    return Math.min(directoryCount, MOST_AT_ONCE) + 2;
  }

  /** Lends the pages of one stream, at least three. */
  List<PagePool.Page> takePages() {
    return pages.take(pagesPerStream, PAGE_TIMEOUT_MILLIS);
  }

  /** Takes pages back. */
  void giveBack(List<PagePool.Page> lent) {
    pages.giveBack(lent);
  }

  /** Takes pages back that must not be used again: a lost device may still write to them. */
  void retire(List<PagePool.Page> lent) {
    pages.retire(lent);
  }

  /** Returns bytes of a page. */
  int pageBytes() {
    return pages.pageBytes();
  }

  /** Returns the rates of writing and compressing. */
  SpillRates rates() {
    return rates;
  }

  /**
   * Chooses the directory for the next bytes; directories that have failed lately are chosen last.
   *
   * @param tried directories that have refused these bytes
   * @return null when all have refused them
   */
  SpillDirectory choose(Collection<SpillDirectory> tried) {
    SpillDirectory best = null;
    boolean isBestAvoided = true;
    int first = Math.floorMod(nextFirst.getAndIncrement(), all.size());
    for (int i = 0; i < all.size(); i++) {
      SpillDirectory each = all.get((first + i) % all.size());
      if (tried.contains(each)) {
        continue;
      }
      boolean isAvoided = each.isAvoided();
      boolean isBetter =
          isAvoided == isBestAvoided
              ? best == null || each.queuedBytes() < best.queuedBytes()
              : isBestAvoided;
      if (isBetter) {
        best = each;
        isBestAvoided = isAvoided;
      }
    }
    return best;
  }

  /** Creates the exception for bytes that no directory accepts. */
  EngineException refusal(int bytes, List<IOException> failures) {
    StringBuilder text = new StringBuilder("no directory accepts " + bytes + " bytes");
    for (SpillDirectory directory : all) {
      text.append("\n  ").append(directory.path()).append(": ").append(directory.freeSpace());
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

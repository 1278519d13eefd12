package io.ariadne.parquet.scan;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.operator.Operator;
import io.ariadne.operator.Split;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A split of one or more row groups of one file. Opens the file and allocates memory when it is
 * first driven.
 */
final class ParquetSplit implements Split {
  private static final long TURN_NANOS = 20_000_000;

  private final ParquetSplitSource source;
  private final FileScan file;
  private final ScanFile handle;
  private final List<GroupPiece> groups;
  private ScanWorker worker;
  private RowGroupScan current;
  private int nextGroup;
  private boolean isOver;

  /**
   * Creates a split.
   *
   * @param source owns the workers
   * @param file the scan in this file
   * @param handle a reference to the file, which passes to the split
   * @param groups the row groups, in order; ownership of what they hold passes to the split
   */
  ParquetSplit(ParquetSplitSource source, FileScan file, ScanFile handle, List<GroupPiece> groups) {
    this.source = source;
    this.file = file;
    this.handle = handle;
    this.groups = groups;
  }

  @Override
  public CompletableFuture<Void> isBlocked() {
    if (isOver) {
      return Operator.NOT_BLOCKED;
    }
    if (current != null && !current.isFinished()) {
      return current.isBlocked();
    }
    PrefetchedGroup next = nextGroup == groups.size() ? null : groups.get(nextGroup).prefetched();
    return next == null ? Operator.NOT_BLOCKED : next.arrived(groups.get(nextGroup).firstRow());
  }

  @Override
  public RecordBatch next() {
    try {
      return advance();
    } catch (RuntimeException e) {
      ParquetSplitSource.forgetFooter(handle);
      RuntimeException located = ScanErrors.located(handle.site(), e);
      if (!ScanErrors.isIgnored(located, file.spec().options())) {
        throw located;
      }
      source.ignored((ScanException) located);
      isOver = true;
      return null;
    } finally {
      if (worker != null) {
        source.statistics().take(worker.statistics());
      }
    }
  }

  @Override
  public long memoryInBytes() {
    return groups.stream().mapToLong(GroupPiece::heldBytes).max().orElse(0);
  }

  private RecordBatch advance() {
    long end = System.nanoTime() + TURN_NANOS;
    do {
      if (current != null && current.isFinished()) {
        closeCurrent();
      }
      if (current == null && (isOver || !open())) {
        return null;
      }
      RecordBatch batch = current.isFinished() ? null : current.next();
      if (batch != null) {
        return batch;
      }
      source.checkCancelled();
    } while (System.nanoTime() < end && isBlocked().isDone());
    return source.emptyBatch(); // the time slice has ended, or the next pages are missing
  }

  /** Opens the next row group; returns false when there is none. */
  private boolean open() {
    if (nextGroup == groups.size()) {
      isOver = true;
      return false;
    }
    if (worker == null) {
      worker = source.takeWorker();
    }
    GroupPiece piece = groups.get(nextGroup);
    nextGroup++;
    try {
      current =
          new RowGroupScan(
              file,
              handle.reader(),
              piece,
              worker,
              source.limits(file, piece.group()),
              source.statistics());
    } catch (IOException e) {
      throw ScanErrors.failed(handle.site(), e);
    }
    return true;
  }

  private void closeCurrent() {
    RowGroupScan finished = current;
    current = null;
    finished.close();
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(current);
    current = null;
    if (worker != null) {
      source.giveBack(worker);
      worker = null;
    }
    ParquetSplitSource.recountFooter(handle, file.metadata());
    groups.forEach(piece -> closer.close(piece::release));
    closer.close(handle::release);
    closer.rethrow();
  }
}

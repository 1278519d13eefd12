package io.ariadne.shuffle.catalog;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.Dictionary;
import io.ariadne.columnar.HeapCompaction;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.RetainedBytes;
import io.ariadne.columnar.RetainedRows;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.concat.RowConcatenator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Lays the rows of one attempt of a map task to rest. Used by one thread.
 *
 * <p>A batch that has many rows of each partition stays as it is. Others are gathered and put
 * together, partition by partition, to batches of some partitions each: rows of one partition are
 * then few batches to readers, and little else comes back from disk with them.
 *
 * <p>Batches at rest may leave memory while others are written: whoever reads them has not started
 * yet. Closing without a commit leaves nothing behind.
 */
public final class MapOutputWriter implements AutoCloseable {
  /** Bytes of a batch that is put together; it goes to disk and comes back as a whole. */
  private static final long FULL_BYTES = 256 << 10;

  /** Bytes and rows of such a batch when one partition has so many. */
  private static final long MOST_BYTES = 4 << 20;

  private static final int MOST_ROWS = 1 << 16;

  /** With more partitions a batch does not stay as it is: all come back for the sake of one. */
  private static final int FEW_PARTITIONS = 16;

  /** With fewer bytes of each partition, neither. */
  private static final long LEAST_BYTES_PER_PARTITION = 32 << 10;

  /** Heaps and dictionaries that batches share may take this many times the target. */
  private static final int SHARED_RATIO = 4;

  /** Strings of dictionaries with more entries are sent to other processes as characters. */
  private static final int MOST_ENTRIES_SENT = 256;

  private static final Runnable NOBODY_WAITS = () -> {};

  private final MapOutputs outputs;
  private final MapAttempt attempt;
  private final int partitions;
  private final int firstPartition;
  private final long targetBytes;
  private final long[] lengths;
  private final List<MapOutputBatch> kept = new ArrayList<>();

  /** Batches whose rows are to be put together. */
  private final List<Gathered> gathered = new ArrayList<>();

  private final RetainedBytes held = new RetainedBytes();
  private long gatheredBytes;
  private boolean isCommitted;

  /** A batch, and the first row of each place, and at the end the number of rows. */
  private record Gathered(RecordBatch batch, int[] firstRows, long sizeInBytes) {
    int count(int place) {
      return firstRows[place + 1] - firstRows[place];
    }

    RetainedRows rows(int place) {
      long bytes = (long) ((double) sizeInBytes * count(place) / batch.rowCount());
      return new RetainedRows(batch, firstRows[place], count(place), bytes, NOBODY_WAITS);
    }
  }

  MapOutputWriter(
      MapOutputs outputs, MapAttempt attempt, MapOutputs.Places places, long targetBytes) {
    this.outputs = outputs;
    this.attempt = attempt;
    this.partitions = places.partitions();
    this.firstPartition = places.firstPartition();
    this.targetBytes = targetBytes;
    this.lengths = new long[partitions];
  }

  /**
   * Adds rows.
   *
   * @param batch in host memory, in the order of places; owned by this from now on, also when this
   *     throws
   * @param firstRows the first row of each place, and at the end the number of rows
   * @throws io.ariadne.error.EngineException OUT_OF_MEMORY when neither memory nor the tier below
   *     takes it
   */
  public void add(RecordBatch batch, int[] firstRows) {
    if (firstRows.length != partitions + 1 || firstRows[partitions] != batch.rowCount()) {
      batch.close();
      throw new IllegalArgumentException("rows of other than " + partitions + " partitions");
    }
    if (batch.rowCount() == 0) {
      batch.close();
      return;
    }
    Gathered next = new Gathered(batch, firstRows, bytesOf(batch));
    boolean mayStay = mayStayUncut(next);
    try {
      if (mayStay || !isLikeGathered(batch)) {
        putTogether();
      }
      if (mayStay) {
        keepUncut(next);
        return;
      }
    } catch (RuntimeException | Error e) {
      batch.close();
      throw e;
    }
    gathered.add(next);
    held.add(batch);
    gatheredBytes += next.sizeInBytes() + (long) firstRows.length * Integer.BYTES;
    if (gatheredBytes >= targetBytes || held.bytes() >= SHARED_RATIO * targetBytes) {
      putTogether();
    }
  }

  private boolean isLikeGathered(RecordBatch batch) {
    return gathered.isEmpty() || RowConcatenator.haveSameLayouts(gathered.get(0).batch(), batch);
  }

  /**
   * Returns bytes that a batch's values take: of dictionary columns the codes, and of heaps, which
   * others may share, the characters in use.
   */
  private static long bytesOf(RecordBatch batch) {
    long bytes = batch.ownSizeInBytes();
    for (int i = 0; i < batch.columnCount(); i++) {
      bytes += charactersOf(batch.column(i));
    }
    return bytes;
  }

  private static long charactersOf(ColumnVector column) {
    long bytes = HeapCompaction.liveBytes(column);
    for (ColumnVector child : column.children()) {
      bytes += charactersOf(child);
    }
    return bytes;
  }

  /**
   * Returns bytes of strings that are codes here and, their dictionary being large, not sent so.
   */
  private static long decodedBytes(RecordBatch batch) {
    long bytes = 0;
    for (int i = 0; i < batch.columnCount(); i++) {
      Dictionary dictionary = batch.column(i).dictionary();
      if (dictionary != null && dictionary.entryCount() > MOST_ENTRIES_SENT) {
        bytes +=
            (long) ((double) dictionary.sizeInBytes() * batch.rowCount() / dictionary.entryCount());
      }
    }
    return bytes;
  }

  /** Returns whether a batch has many rows of each partition and may be kept like that. */
  private boolean mayStayUncut(Gathered next) {
    return next.sizeInBytes() >= partitions * LEAST_BYTES_PER_PARTITION
        && partitions <= FEW_PARTITIONS
        && (partitions == 1 || outputs.mayStayUncut(attempt.shuffleId(), next.sizeInBytes()))
        && !isWasteful(next.batch());
  }

  private void keepUncut(Gathered next) {
    boolean isUncut = partitions > 1 && next.sizeInBytes() > 2 * FULL_BYTES;
    keep(next.batch(), 0, next.firstRows(), isUncut);
  }

  /** Returns whether a batch has more characters, or entries of dictionaries, than it needs. */
  private static boolean isWasteful(RecordBatch batch) {
    for (int i = 0; i < batch.columnCount(); i++) {
      if (isWasteful(batch.column(i))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isWasteful(ColumnVector column) {
    return (column.dictionary() != null && column.dictionary().entryCount() > column.rowCount())
        || HeapCompaction.pays(column)
        || column.children().stream().anyMatch(MapOutputWriter::isWasteful);
  }

  /** Lays to rest what is gathered; a small batch that is alone as it is. */
  private void putTogether() {
    if (gathered.isEmpty()) {
      return;
    }
    Gathered first = gathered.get(0);
    if (gathered.size() == 1
        && first.sizeInBytes() <= 2 * FULL_BYTES
        && !isWasteful(first.batch())) {
      forgetGathered();
      keep(first.batch(), 0, first.firstRows(), false);
    } else {
      joinPlaces();
    }
  }

  /** Copies rows of all gathered batches, place by place, to batches of some places each. */
  private void joinPlaces() {
    try (RowConcatenator join =
        new RowConcatenator(gathered.get(0).batch().schema(), outputs.pool())) {
      int from = 0;
      int[] firstRows = new int[partitions + 1];
      for (int place = 0; place < partitions; place++) {
        firstRows[place - from] = (int) join.rowCount();
        for (Gathered some : gathered) {
          if (some.count(place) > 0) {
            join.add(some.rows(place));
          }
          if (isFull(join, MOST_BYTES)) {
            keepJoined(join, from, place + 1, firstRows);
            from = place;
            firstRows[0] = 0;
          }
        }
        if (isFull(join, FULL_BYTES)) {
          keepJoined(join, from, place + 1, firstRows);
          from = place + 1;
        }
      }
      if (!join.isEmpty()) {
        keepJoined(join, from, partitions, firstRows);
      }
    }
    closeGathered();
  }

  private static boolean isFull(RowConcatenator join, long bytes) {
    return join.sizeInBytes() >= bytes || join.rowCount() >= MOST_ROWS;
  }

  private void keepJoined(RowConcatenator join, int from, int end, int[] firstRows) {
    int[] rows = Arrays.copyOf(firstRows, end - from + 1);
    rows[end - from] = (int) join.rowCount();
    keep(join.concat(kept.size()), from, rows, false);
  }

  private void keep(RecordBatch batch, int firstPlace, int[] firstRows, boolean isUncut) {
    double decodedPerRow = (double) decodedBytes(batch) / batch.rowCount();
    MapOutputBatch resting =
        outputs.keep(attempt.shuffleId(), batch, firstPlace, firstRows, bytesOf(batch), isUncut);
    kept.add(resting);
    for (int i = 0; i < firstRows.length - 1; i++) {
      int partition = (firstPlace + i + firstPartition) % partitions;
      int rows = firstRows[i + 1] - firstRows[i];
      lengths[partition] += resting.bytesOf(rows) + (long) (decodedPerRow * rows);
    }
  }

  private void forgetGathered() {
    gathered.clear();
    held.clear();
    gatheredBytes = 0;
  }

  private void closeGathered() {
    Closer closer = new Closer();
    gathered.forEach(some -> closer.close(some.batch()));
    forgetGathered();
    closer.rethrow();
  }

  /**
   * Makes the output known to readers, all at once; nothing is added afterwards.
   *
   * @return bytes of each partition in memory, about, strings of large dictionaries as characters;
   *     0 exactly for those without rows
   * @throws IllegalStateException when this attempt has an output already
   */
  public long[] commit() {
    putTogether();
    isCommitted = true;
    outputs.add(attempt, new MapOutput(kept, partitions, firstPartition));
    return lengths.clone();
  }

  /** Frees what was not committed, and ends the attempt. Idempotent. */
  @Override
  public void close() {
    attempt.close();
    if (isCommitted) {
      return;
    }
    Closer closer = new Closer();
    closer.close(this::closeGathered);
    kept.forEach(batch -> closer.close(batch::free));
    kept.clear();
    closer.rethrow();
  }
}

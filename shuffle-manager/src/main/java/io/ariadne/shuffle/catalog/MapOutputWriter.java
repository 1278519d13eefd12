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
 * Writes the rows of one attempt of a map task to spillable batches. Used by one thread.
 *
 * <p>A batch that has many rows of each partition stays as it is. The writer gathers other batches
 * and concatenates their rows, partition by partition, to batches of some partitions each. A reader
 * then finds the rows of a partition in few batches, and reads little else back from disk with
 * them.
 *
 * <p>Written batches may be spilled while later ones are written: their readers have not started
 * yet. Closing without a commit frees everything.
 */
public final class MapOutputWriter implements AutoCloseable {
  /** Bytes of a concatenated batch, which is spilled and read back as a whole. */
  private static final long FULL_BYTES = 256 << 10;

  /** Bytes and rows of such a batch when one partition has so many. */
  private static final long MOST_BYTES = 4 << 20;

  private static final int MOST_ROWS = 1 << 16;

  /** With more partitions no batch stays as it is: a reader of one would read back all. */
  private static final int FEW_PARTITIONS = 16;

  /** With fewer bytes per partition no batch stays as it is. */
  private static final long LEAST_BYTES_PER_PARTITION = 32 << 10;

  /** Shared heaps and dictionaries may have this many times the target's bytes. */
  private static final int SHARED_RATIO = 4;

  /** Strings of dictionaries with more entries are sent to other processes as characters. */
  private static final int MOST_ENTRIES_SENT = 256;

  private static final Runnable NOTHING_TO_RELEASE = () -> {};

  private final MapOutputs outputs;
  private final MapAttempt attempt;
  private final int partitions;
  private final int firstPartition;
  private final long targetBytes;
  private final long[] lengths;
  private final List<MapOutputBatch> kept = new ArrayList<>();

  /** Batches whose rows will be concatenated. */
  private final List<Gathered> gathered = new ArrayList<>();

  private final RetainedBytes held = new RetainedBytes();
  private long gatheredBytes;
  private boolean isCommitted;

  /** A batch with the first row of each place, then the number of rows. */
  private record Gathered(RecordBatch batch, int[] firstRows, long sizeInBytes) {
    int count(int place) {
      return firstRows[place + 1] - firstRows[place];
    }

    RetainedRows rows(int place) {
      long bytes = (long) ((double) sizeInBytes * count(place) / batch.rowCount());
      return new RetainedRows(batch, firstRows[place], count(place), bytes, NOTHING_TO_RELEASE);
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
   * @param batch in host memory, in the order of places; ownership passes to this object, also when
   *     this throws
   * @param firstRows the first row of each place, then the number of rows
   * @throws io.ariadne.error.EngineException OUT_OF_MEMORY when neither memory nor disk has space
   *     for it
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
        writeGathered();
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
      writeGathered();
    }
  }

  private boolean isLikeGathered(RecordBatch batch) {
    return gathered.isEmpty() || RowConcatenator.haveSameLayouts(gathered.get(0).batch(), batch);
  }

  /**
   * Returns the bytes of a batch's values. Counts the codes of dictionary columns without the
   * dictionaries, and the characters of heaps that the batch uses.
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
   * Returns the bytes of values whose codes are not sent to other processes, because their
   * dictionaries are large.
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

  /** Returns whether a batch has many rows of each partition and may stay as it is. */
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

  /** Writes the gathered rows; a small batch that is alone stays as it is. */
  private void writeGathered() {
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
      concatenatePlaces();
    }
  }

  /** Copies rows of all gathered batches, place by place, to batches of some places each. */
  private void concatenatePlaces() {
    try (RowConcatenator rows =
        new RowConcatenator(gathered.get(0).batch().schema(), outputs.pool())) {
      int from = 0;
      int[] firstRows = new int[partitions + 1];
      for (int place = 0; place < partitions; place++) {
        firstRows[place - from] = (int) rows.rowCount();
        for (Gathered some : gathered) {
          if (some.count(place) > 0) {
            rows.add(some.rows(place));
          }
          if (isFull(rows, MOST_BYTES)) {
            keepConcatenated(rows, from, place + 1, firstRows);
            from = place;
            firstRows[0] = 0;
          }
        }
        if (isFull(rows, FULL_BYTES)) {
          keepConcatenated(rows, from, place + 1, firstRows);
          from = place + 1;
        }
      }
      if (!rows.isEmpty()) {
        keepConcatenated(rows, from, partitions, firstRows);
      }
    }
    closeGathered();
  }

  private static boolean isFull(RowConcatenator rows, long bytes) {
    return rows.sizeInBytes() >= bytes || rows.rowCount() >= MOST_ROWS;
  }

  private void keepConcatenated(RowConcatenator rows, int from, int end, int[] firstRows) {
    int[] starts = Arrays.copyOf(firstRows, end - from + 1);
    starts[end - from] = (int) rows.rowCount();
    keep(rows.concat(kept.size()), from, starts, false);
  }

  private void keep(RecordBatch batch, int firstPlace, int[] firstRows, boolean isUncut) {
    double decodedPerRow = (double) decodedBytes(batch) / batch.rowCount();
    MapOutputBatch written =
        outputs.keep(attempt.shuffleId(), batch, firstPlace, firstRows, bytesOf(batch), isUncut);
    kept.add(written);
    for (int i = 0; i < firstRows.length - 1; i++) {
      int partition = (firstPlace + i + firstPartition) % partitions;
      int rows = firstRows[i + 1] - firstRows[i];
      lengths[partition] += written.bytesOf(rows) + (long) (decodedPerRow * rows);
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
   * Makes the output known to readers, all at once. The caller adds nothing afterwards.
   *
   * @return approximate bytes of each partition in memory, with the characters of strings that have
   *     large dictionaries; 0 only for partitions without rows
   * @throws IllegalStateException when this attempt has an output already
   */
  public long[] commit() {
    writeGathered();
    isCommitted = true;
    outputs.add(attempt, new MapOutput(kept, partitions, firstPartition));
    return lengths.clone();
  }

  /** Frees an uncommitted output, and ends the attempt. Idempotent. */
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

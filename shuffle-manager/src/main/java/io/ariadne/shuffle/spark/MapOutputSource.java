package io.ariadne.shuffle.spark;

import io.ariadne.columnar.RetainedRows;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.concat.RowConcatenator;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.shuffle.catalog.MapOutputReader;
import io.ariadne.shuffle.catalog.MapOutputs;
import io.ariadne.shuffle.catalog.MergedReader;
import io.ariadne.shuffle.format.RowsEncoder;
import io.ariadne.shuffle.transport.BlockRange;
import io.ariadne.shuffle.transport.BlockSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Encodes the map outputs of this process for peers. Rows of a partition that are in several small
 * batches become one block. Thread-safe.
 *
 * @param outputs the map outputs
 * @param allocator host memory for blocks
 */
record MapOutputSource(MapOutputs outputs, BufferAllocator allocator) implements BlockSource {
  /** A reply has no smaller part than this of a range that does not fit. */
  private static final int LEAST_PARTS = 8;

  @Override
  public Blocks open(BlockRange range, long maxBytes) {
    MapOutputReader reader;
    try {
      reader = reader(range);
    } catch (IndexOutOfBoundsException e) {
      return null;
    }
    return reader == null ? merged(range) : new EncodedRows(range, reader, maxBytes);
  }

  private MapOutputReader reader(BlockRange range) {
    int shuffleId = range.shuffleId();
    int first = range.firstPartition();
    return range.use() == BlockRange.Use.COPY
        ? outputs.openToMerge(shuffleId, range.mapId(), first, range.endPartition())
        : outputs.open(shuffleId, range.mapId(), first, range.endPartition());
  }

  private Blocks merged(BlockRange range) {
    MergedReader reader =
        outputs.openMerged(
            range.shuffleId(), Set.of(range.mapId()), range.firstPartition(), range.endPartition());
    return reader == null ? null : new MergedRows(reader, range.firstRow());
  }

  /** The merged blocks of one range, sent as they are: a reply ends at the end of a block. */
  private final class MergedRows implements Blocks {
    private final MergedReader reader;
    private long rowsToSkip;

    /** Whether the reader is at a block that was not encoded. */
    private boolean isAtBlock;

    MergedRows(MergedReader reader, long rowsToSkip) {
      this.reader = reader;
      this.rowsToSkip = rowsToSkip;
    }

    @Override
    public long next(long bytesLeft) {
      while (!isAtBlock) {
        if (!reader.next()) {
          return 0;
        }
        isAtBlock = rowsToSkip < reader.rows();
        if (!isAtBlock) {
          rowsToSkip -= reader.rows();
        } else if (rowsToSkip > 0) {
          throw new EngineException(
              ErrorCode.TRANSPORT, rowsToSkip + " rows of a block are to be skipped");
        }
      }
      return reader.lengthInBytes();
    }

    @Override
    public int rows() {
      return reader.rows();
    }

    @Override
    public MemoryBuffer encode() {
      isAtBlock = false;
      return reader.take();
    }

    @Override
    public long readBackBytes() {
      return reader.readBackBytes();
    }

    @Override
    public void close() {
      reader.close();
    }
  }

  /** The blocks of one range. */
  private final class EncodedRows implements Blocks {
    private final MapOutputReader reader;
    private final RowsEncoder encoder;
    private final long maxBytes;

    /** Rows that the encoder has, but those of {@link #current}. */
    private final List<RetainedRows> retained = new ArrayList<>();

    /** Rows of which {@link #used} were given to the encoder; null when there are none. */
    private RetainedRows current;

    private int used;
    private long rowsToSkip;

    /** Whether no rows were read yet. */
    private boolean isFirst = true;

    /** Bytes in memory of the rows that the encoder got last, and bytes of their blocks. */
    private double gatheredBytes;

    private double encodedBytes;

    /** Bytes of blocks per byte in memory. */
    private double ratio = 1;

    EncodedRows(BlockRange range, MapOutputReader reader, long maxBytes) {
      this.reader = reader;
      this.encoder = new RowsEncoder(allocator, maxBytes);
      this.maxBytes = maxBytes;
      this.rowsToSkip = range.firstRow();
    }

    @Override
    public long next(long bytesLeft) {
      if (bytesLeft < maxBytes / LEAST_PARTS) {
        long least = encoder.isEmpty() ? leastBytes() : bytesLeft + 1;
        if (least > bytesLeft) {
          return least;
        }
      }
      if (encoder.isEmpty()) {
        gather(bytesLeft);
      }
      return encoder.prepare(bytesLeft);
    }

    /** Returns bytes of blocks that there are at least, estimated without reading from disk. */
    private long leastBytes() {
      if (current != null) {
        return (long) (bytesPerRow() * (current.count() - used));
      }
      return isFirst && rowsToSkip == 0 ? reader.totalBytes() : 0;
    }

    @Override
    public int rows() {
      return encoder.preparedRows();
    }

    @Override
    public MemoryBuffer encode() {
      MemoryBuffer block = encoder.encode().intoBytes();
      encodedBytes += block.lengthInBytes();
      return block;
    }

    @Override
    public long readBackBytes() {
      return reader.readBackBytes();
    }

    /** Gives the encoder the next rows, about as many as fit; at least one. */
    private void gather(long bytesLeft) {
      release();
      if (encodedBytes > 0) {
        ratio = encodedBytes / gatheredBytes;
      }
      encodedBytes = 0;
      gatheredBytes = 0;
      List<RowsEncoder.Rows> rows = new ArrayList<>();
      double left = bytesLeft;
      while ((rows.isEmpty() || left > 0) && advance() && mayJoin(rows)) {
        double each = bytesPerRow();
        int most = (int) Math.min(left / each, Integer.MAX_VALUE);
        int count = Math.min(current.count() - used, Math.max(most, rows.isEmpty() ? 1 : 0));
        if (count == 0) {
          break;
        }
        rows.add(new RowsEncoder.Rows(current.batch(), current.first() + used, count));
        left -= count * each;
        gatheredBytes += count * each / ratio;
        used += count;
      }
      if (!rows.isEmpty()) {
        encoder.add(rows);
      }
    }

    private boolean mayJoin(List<RowsEncoder.Rows> rows) {
      return rows.isEmpty()
          || RowConcatenator.haveSameLayouts(rows.get(0).batch(), current.batch());
    }

    private double bytesPerRow() {
      return Math.max(1, (double) current.sizeInBytes() / current.count() * ratio);
    }

    /** Moves to rows that the encoder has not got yet; returns whether there are any. */
    private boolean advance() {
      if (current != null && used < current.count()) {
        return true;
      }
      if (current != null) {
        retained.add(current);
        current = null;
      }
      do {
        if (!reader.next()) {
          return false;
        }
      } while (isSkipped(reader.rowCount()));
      current = reader.take();
      used = (int) rowsToSkip;
      rowsToSkip = 0;
      isFirst = false;
      return true;
    }

    /** Skips the reader's current rows if the peer has all of them. */
    private boolean isSkipped(int count) {
      boolean isWhole = rowsToSkip >= count;
      rowsToSkip -= isWhole ? count : 0;
      return isWhole;
    }

    private void release() {
      Closer closer = new Closer();
      retained.forEach(closer::close);
      retained.clear();
      closer.rethrow();
    }

    @Override
    public void close() {
      encoder.clear();
      Closer closer = new Closer();
      closer.close(this::release);
      closer.close(current);
      current = null;
      closer.close(reader);
      closer.rethrow();
    }
  }
}

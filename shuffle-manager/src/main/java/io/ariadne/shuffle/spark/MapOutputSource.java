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
    public long next() {
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
    public void close() {
      reader.close();
    }
  }

  /** The blocks of one range. */
  private final class EncodedRows implements Blocks {
    private final MapOutputReader reader;
    private final RowsEncoder encoder;
    private final long maxBytes;
    private final List<RetainedRows> retained = new ArrayList<>();
    private long rowsToSkip;

    /** Rows that do not fit in the layouts of the retained ones; null when there are none. */
    private RetainedRows other;

    EncodedRows(BlockRange range, MapOutputReader reader, long maxBytes) {
      this.reader = reader;
      this.encoder = new RowsEncoder(allocator, maxBytes);
      this.maxBytes = maxBytes;
      this.rowsToSkip = range.firstRow();
    }

    @Override
    public long next() {
      if (encoder.isEmpty()) {
        gather();
      }
      return encoder.prepare();
    }

    @Override
    public int rows() {
      return encoder.preparedRows();
    }

    @Override
    public MemoryBuffer encode() {
      return encoder.encode().intoBytes();
    }

    /** Retains the next rows, as many as a reply may have. */
    private void gather() {
      release();
      List<RowsEncoder.Rows> rows = new ArrayList<>();
      long bytes = 0;
      for (RetainedRows next = take(); next != null; next = take()) {
        if (!retained.isEmpty()
            && !RowConcatenator.haveSameLayouts(retained.get(0).batch(), next.batch())) {
          other = next;
          break;
        }
        retained.add(next);
        int skipped = (int) rowsToSkip;
        rowsToSkip = 0;
        rows.add(
            new RowsEncoder.Rows(next.batch(), next.first() + skipped, next.count() - skipped));
        bytes += next.sizeInBytes();
        if (bytes >= maxBytes) {
          break;
        }
      }
      if (!rows.isEmpty()) {
        encoder.add(rows);
      }
    }

    private RetainedRows take() {
      if (other != null) {
        RetainedRows next = other;
        other = null;
        return next;
      }
      do {
        if (!reader.next()) {
          return null;
        }
      } while (isSkipped(reader.rowCount()));
      return reader.take();
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
      closer.close(other);
      other = null;
      closer.close(reader);
      closer.rethrow();
    }
  }
}

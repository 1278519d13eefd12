package io.ariadne.shuffle.format;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.type.Schema;
import java.util.ArrayList;
import java.util.List;

/**
 * Concatenates blocks of one schema into batches. Gathers blocks whose columns have the same
 * layouts, and decodes them once, to a batch. Owns the blocks. Used by one thread.
 */
public final class BlockConcatenator implements AutoCloseable {
  private final Schema schema;
  private final BufferAllocator allocator;
  private final List<EncodedBlock> blocks = new ArrayList<>();
  private long rowCount;
  private long lengthInBytes;

  /**
   * Creates a concatenator without blocks.
   *
   * @param schema of all blocks
   * @param allocator host memory for the batches
   */
  public BlockConcatenator(Schema schema, BufferAllocator allocator) {
    this.schema = schema;
    this.allocator = allocator;
  }

  /** Returns the number of rows of the gathered blocks. */
  public long rowCount() {
    return rowCount;
  }

  /** Returns the bytes of the gathered blocks. */
  public long lengthInBytes() {
    return lengthInBytes;
  }

  /**
   * Returns whether a block can be gathered: there are none, or it has their layouts and they have
   * at most 2^31 - 1 rows and {@link EncodedBlock#MAX_HEAP_BYTES} together.
   */
  public boolean canAdd(EncodedBlock block) {
    if (blocks.isEmpty()) {
      return true;
    }
    List<BlockColumn> columns = blocks.get(0).columns();
    boolean isLike =
        columns.size() == block.columns().size()
            && rowCount + block.rowCount() <= Integer.MAX_VALUE
            && lengthInBytes + block.lengthInBytes() <= EncodedBlock.MAX_HEAP_BYTES;
    for (int i = 0; isLike && i < columns.size(); i++) {
      isLike = columns.get(i).isLike(block.columns().get(i));
    }
    return isLike;
  }

  /**
   * Gathers a block for which {@link #canAdd} is true.
   *
   * @param block ownership passes to this object
   */
  public void add(EncodedBlock block) {
    blocks.add(block);
    rowCount += block.rowCount();
    lengthInBytes += block.lengthInBytes();
  }

  /**
   * Makes a batch of the gathered blocks, at least one, and closes them.
   *
   * @param sequence position of the batch in its stream
   * @return a batch owned by the caller
   * @throws io.ariadne.error.EngineException CORRUPT_DATA when a block does not hold such columns
   */
  public RecordBatch concat(long sequence) {
    List<BlockColumnDecoder.Piece> pieces = new ArrayList<>();
    for (EncodedBlock block : blocks) {
      if (block.columns().size() != schema.columnCount()) {
        throw EncodedBlock.damaged(
            block.columns().size() + " columns where " + schema.columnCount() + " were planned");
      }
      pieces.add(new BlockColumnDecoder.Piece(block.dataAddress()));
    }
    List<ColumnVector> columns = new ArrayList<>();
    try {
      for (int c = 0; c < schema.columnCount(); c++) {
        int column = c;
        List<BlockColumn> layouts = blocks.stream().map(b -> b.columns().get(column)).toList();
        columns.add(
            new BlockColumnDecoder(schema.field(c).type(), layouts, pieces, allocator).decode());
      }
      RecordBatch batch = new RecordBatch(schema, (int) rowCount, columns, sequence);
      close();
      return batch;
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      columns.forEach(closer::close);
      closer.suppressIn(e);
      throw e;
    }
  }

  /** Frees the gathered blocks. Idempotent. */
  @Override
  public void close() {
    Closer closer = new Closer();
    blocks.forEach(closer::close);
    blocks.clear();
    rowCount = 0;
    lengthInBytes = 0;
    closer.rethrow();
  }
}

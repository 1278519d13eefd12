package io.ariadne.shuffle.format;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.type.Schema;
import java.util.ArrayList;
import java.util.List;

/**
 * Puts blocks of one schema together into batches: they are gathered while their columns are laid
 * out alike, and copied once, to where they stay. Owns the blocks it was given. Used by one thread.
 */
public final class BlockConcatenator implements AutoCloseable {
  private final Schema schema;
  private final BufferAllocator allocator;
  private final List<EncodedBlock> blocks = new ArrayList<>();
  private long rowCount;
  private long lengthInBytes;

  /**
   * Creates an empty join.
   *
   * @param schema the columns of all blocks
   * @param allocator where batches come from, host memory
   */
  public BlockConcatenator(Schema schema, BufferAllocator allocator) {
    this.schema = schema;
    this.allocator = allocator;
  }

  /** Returns the rows of the blocks gathered. */
  public long rowCount() {
    return rowCount;
  }

  /** Returns the bytes of the blocks gathered. */
  public long lengthInBytes() {
    return lengthInBytes;
  }

  /** Returns whether a block's columns are laid out as those gathered, if any are. */
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
   * Gathers a block for which {@link #canAdd} holds.
   *
   * @param block owned by this from now on
   */
  public void add(EncodedBlock block) {
    blocks.add(block);
    rowCount += block.rowCount();
    lengthInBytes += block.lengthInBytes();
  }

  /**
   * Makes a batch of the blocks gathered, at least one, and forgets them.
   *
   * @param sequence the batch's place in its stream
   * @return a batch owned by the caller
   * @throws io.ariadne.error.EngineException CORRUPT_DATA when a block does not hold such columns
   */
  public RecordBatch join(long sequence) {
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

  /** Frees the blocks gathered. Idempotent. */
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

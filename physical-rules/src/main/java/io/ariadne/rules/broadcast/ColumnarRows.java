package io.ariadne.rules.broadcast;

import io.ariadne.bridge.node.BroadcastRows;
import io.ariadne.columnar.BatchSource;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.type.Schema;
import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectOutput;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * Holds rows in columns for a broadcast that Spark's joins without keys read as an array. The array
 * must be a Java array, so these joins read this object through a {@link
 * io.ariadne.bridge.node.BroadcastRowsExec}.
 */
public final class ColumnarRows implements BroadcastColumns, BroadcastRows, Externalizable {
  private static final long serialVersionUID = 1L;

  private BroadcastBlocks blocks;

  /** For serializers. */
  public ColumnarRows() {}

  ColumnarRows(BroadcastBlocks blocks) {
    this.blocks = blocks;
  }

  /** Returns approximately how many bytes the rows take as batches. */
  public long sizeInBytes() {
    return blocks.sizeInBytes();
  }

  @Override
  public BatchSource batches(Schema schema, BufferAllocator allocator) {
    return blocks.batches(schema, allocator);
  }

  @Override
  public InternalRow[] rows() {
    return blocks.rows();
  }

  @Override
  public void writeExternal(ObjectOutput out) throws IOException {
    blocks.writeExternal(out);
  }

  @Override
  public void readExternal(ObjectInput in) throws IOException {
    blocks = new BroadcastBlocks();
    blocks.readExternal(in);
  }
}

package io.ariadne.rules.broadcast;

import io.ariadne.bridge.UndeclaredExceptions;
import io.ariadne.columnar.BatchSource;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.type.Schema;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectOutput;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.joins.HashedRelation;
import org.apache.spark.sql.execution.joins.LongHashedRelation;
import scala.collection.Iterator;

/**
 * {@link ColumnarRelation} for a key that is one long. Of this class because Spark asks relations
 * for it: what reads keys for pruning gets packed ones from it. Like Spark's it knows no numbers of
 * keys.
 */
public final class ColumnarLongRelation extends LongHashedRelation implements BroadcastColumns {
  private static final long serialVersionUID = 1L;

  private BroadcastBlocks blocks;

  /** A copy that one thread looks rows up in; null in what is broadcast. */
  private transient HashedRelation copy;

  /** For serializers. */
  public ColumnarLongRelation() {}

  ColumnarLongRelation(BroadcastBlocks blocks) {
    this.blocks = blocks;
  }

  private HashedRelation relation() {
    return copy == null ? blocks.relation() : copy;
  }

  @Override
  public BatchSource batches(Schema schema, BufferAllocator allocator) {
    return blocks.batches(schema, allocator);
  }

  @Override
  public ColumnarLongRelation asReadOnlyCopy() {
    ColumnarLongRelation readOnly = new ColumnarLongRelation(blocks);
    readOnly.copy = relation().asReadOnlyCopy();
    return readOnly;
  }

  @Override
  public long estimatedSize() {
    return blocks.sizeInBytes();
  }

  @Override
  public Iterator<InternalRow> get(InternalRow key) {
    return relation().get(key);
  }

  @Override
  public Iterator<InternalRow> get(long key) {
    return relation().get(key);
  }

  @Override
  public InternalRow getValue(InternalRow key) {
    return relation().getValue(key);
  }

  @Override
  public InternalRow getValue(long key) {
    return relation().getValue(key);
  }

  @Override
  public boolean keyIsUnique() {
    return relation().keyIsUnique();
  }

  @Override
  public Iterator<InternalRow> keys() {
    return relation().keys();
  }

  /** What is broadcast has no owner that closes it; a copy shares its memory. */
  @Override
  public void close() {}

  @Override
  public void writeExternal(ObjectOutput out) {
    try {
      blocks.writeExternal(out);
    } catch (IOException e) {
      throw UndeclaredExceptions.raise(e);
    }
  }

  @Override
  public void readExternal(ObjectInput in) {
    blocks = new BroadcastBlocks();
    try {
      blocks.readExternal(in);
    } catch (IOException e) {
      throw UndeclaredExceptions.raise(e);
    }
  }
}

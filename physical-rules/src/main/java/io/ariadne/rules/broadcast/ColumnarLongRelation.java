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
 * {@link ColumnarRelation} for a key that is one long. It is a separate class because Spark checks
 * the class of relations: partition pruning reads packed keys from this class. As Spark's relation,
 * it does not know the number of its keys.
 */
public final class ColumnarLongRelation extends LongHashedRelation implements BroadcastColumns {
  private static final long serialVersionUID = 1L;

  private BroadcastBlocks blocks;

  /** The copy in which one thread looks rows up; null in the broadcast object. */
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

  /** Does nothing: a broadcast object has no owner that closes it, and a copy shares its memory. */
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

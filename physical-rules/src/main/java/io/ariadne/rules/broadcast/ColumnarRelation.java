package io.ariadne.rules.broadcast;

import io.ariadne.columnar.BatchSource;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.type.Schema;
import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectOutput;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.joins.HashedRelation;
import org.apache.spark.sql.execution.joins.ValueRowWithKeyIndex;
import scala.collection.Iterator;

/**
 * Holds broadcast rows in columns, and is a {@link HashedRelation} for Spark's joins, which look
 * rows up by key. {@code asReadOnlyCopy} returns an object of this class, as generated code
 * expects, over a copy of Spark's relation. Spark has a second relation class for keys that are
 * longs, and so does Ariadne: {@link ColumnarLongRelation}.
 */
public final class ColumnarRelation implements HashedRelation, BroadcastColumns, Externalizable {
  private static final long serialVersionUID = 1L;

  private BroadcastBlocks blocks;

  /** The copy in which one thread looks rows up; null in the broadcast object. */
  private transient HashedRelation copy;

  /** For serializers. */
  public ColumnarRelation() {}

  ColumnarRelation(BroadcastBlocks blocks) {
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
  public ColumnarRelation asReadOnlyCopy() {
    ColumnarRelation readOnly = new ColumnarRelation(blocks);
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
  public InternalRow getValue(InternalRow key) {
    return relation().getValue(key);
  }

  @Override
  public Iterator<ValueRowWithKeyIndex> getWithKeyIndex(InternalRow key) {
    return relation().getWithKeyIndex(key);
  }

  @Override
  public ValueRowWithKeyIndex getValueWithKeyIndex(InternalRow key) {
    return relation().getValueWithKeyIndex(key);
  }

  @Override
  public Iterator<ValueRowWithKeyIndex> valuesWithKeyIndex() {
    return relation().valuesWithKeyIndex();
  }

  @Override
  public int maxNumKeysIndex() {
    return relation().maxNumKeysIndex();
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
  public void writeExternal(ObjectOutput out) throws IOException {
    blocks.writeExternal(out);
  }

  @Override
  public void readExternal(ObjectInput in) throws IOException {
    blocks = new BroadcastBlocks();
    blocks.readExternal(in);
  }
}

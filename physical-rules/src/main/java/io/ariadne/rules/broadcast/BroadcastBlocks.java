package io.ariadne.rules.broadcast;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.bridge.output.BatchRows;
import io.ariadne.bridge.vector.SparkBatchIterator;
import io.ariadne.columnar.BatchSource;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.Schema;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.MemoryPools;
import io.ariadne.shuffle.format.BlockConcatenator;
import io.ariadne.shuffle.format.EncodedBlock;
import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectOutput;
import java.lang.ref.SoftReference;
import java.util.Iterator;
import java.util.List;
import java.util.function.BiFunction;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.execution.joins.HashedRelation;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.util.Utils;
import scala.Some;

/**
 * The rows of a broadcast as blocks. They are on the Java heap, as Spark's broadcasts are.
 *
 * <p>Some readers need the value that Spark itself would broadcast, a relation or an array of rows:
 * tasks of Spark's joins, and code generation on Spark's driver, which asks for an array's length.
 * That value is made from the blocks once in a process, when the first such reader asks. A relation
 * lives as long as this object. An array is softly reachable, and is made again when it is gone.
 * Thread-safe.
 *
 * <p>Has only arrays and numbers as fields, so that any serializer can ship it.
 */
final class BroadcastBlocks implements Externalizable {
  private static final long serialVersionUID = 1L;

  private byte[][] blocks;
  private long rowCount;
  private long sizeInBytes;
  private byte[] form;

  /** The value that has been made: a relation, or a soft reference to an array. */
  private transient Object value;

  /** For serializers. */
  public BroadcastBlocks() {}

  /**
   * Takes blocks over.
   *
   * @param collected the blocks, of at least one row
   * @param form the form in which Spark would broadcast the rows
   */
  BroadcastBlocks(BlockCollection collected, BroadcastForm form) {
    this.blocks = collected.blocks().toArray(byte[][]::new);
    this.rowCount = collected.rowCount();
    this.sizeInBytes = collected.sizeInBytes();
    this.form = Utils.serialize(form);
  }

  long sizeInBytes() {
    return sizeInBytes;
  }

  BatchSource batches(Schema schema, BufferAllocator allocator) {
    return new Batches(schema, allocator);
  }

  /** Returns Spark's relation of the rows, which are looked up by key. */
  HashedRelation relation() {
    return (HashedRelation) value();
  }

  /** Returns the rows in their order, which are an array to Spark. */
  InternalRow[] rows() {
    return (InternalRow[]) value();
  }

  /** Returns the value that Spark would broadcast; the first call makes it. */
  synchronized Object value() {
    Object made = value instanceof SoftReference<?> array ? array.get() : value;
    if (made == null) {
      made = newValue();
      value = made instanceof InternalRow[] array ? new SoftReference<>(array) : made;
    }
    return made;
  }

  /** Returns whether a key of some row is null. */
  boolean hasNullKey() {
    return ofRows(
        (read, rows) -> {
          List<Expression> keys = read.keys();
          while (rows.hasNext()) {
            InternalRow row = rows.next();
            if (keys.stream().anyMatch(key -> key.eval(row) == null)) {
              return true;
            }
          }
          return false;
        });
  }

  private Object newValue() {
    return ofRows(
        (read, rows) ->
            read.isArray()
                ? copies(rows)
                : read.mode()
                    .transform(ScalaCollections.iterator(rows), new Some<>((Object) rowCount)));
  }

  private InternalRow[] copies(Iterator<InternalRow> rows) {
    InternalRow[] copies = new InternalRow[Math.toIntExact(rowCount)];
    for (int i = 0; i < copies.length; i++) {
      copies[i] = rows.next().copy();
    }
    return copies;
  }

  /**
   * Returns what a function makes of what the rows are to Spark and of the rows, each of which is
   * valid until the next one is asked for.
   */
  private <T> T ofRows(BiFunction<BroadcastForm, Iterator<InternalRow>, T> function) {
    BroadcastForm read = Utils.deserialize(form, BroadcastForm.class.getClassLoader());
    DataType[] types = read.types().toArray(DataType[]::new);
    // On the driver there is no pool of a runtime; one block's batch is open at a time.
    try (MemoryPool memory = MemoryPools.host("rows of a broadcast", Long.MAX_VALUE);
        SparkBatchIterator batches =
            new SparkBatchIterator(batches(read.schema(), memory), types, null)) {
      Iterator<InternalRow> rows =
          new BatchRows(batches, types, new SQLMetric("sum", 0), new SQLMetric("sum", 0));
      return function.apply(read, rows);
    }
  }

  @Override
  public void writeExternal(ObjectOutput out) throws IOException {
    out.writeLong(rowCount);
    out.writeLong(sizeInBytes);
    write(out, form);
    out.writeInt(blocks.length);
    for (byte[] block : blocks) {
      write(out, block);
    }
  }

  private static void write(ObjectOutput out, byte[] bytes) throws IOException {
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  @Override
  public void readExternal(ObjectInput in) throws IOException {
    rowCount = in.readLong();
    sizeInBytes = in.readLong();
    form = read(in);
    blocks = new byte[in.readInt()][];
    for (int i = 0; i < blocks.length; i++) {
      blocks[i] = read(in);
    }
  }

  private static byte[] read(ObjectInput in) throws IOException {
    byte[] bytes = new byte[in.readInt()];
    in.readFully(bytes);
    return bytes;
  }

  /** A batch per block. Used by one thread. */
  private final class Batches implements BatchSource {
    private final Schema schema;
    private final BufferAllocator allocator;
    private int next;

    Batches(Schema schema, BufferAllocator allocator) {
      this.schema = schema;
      this.allocator = allocator;
    }

    @Override
    public Schema schema() {
      return schema;
    }

    @Override
    public RecordBatch next() {
      if (next == blocks.length) {
        return null;
      }
      byte[] block = blocks[next];
      MemoryBuffer bytes = allocator.allocate(block.length);
      Memory.copy(block, 0, bytes.address(), block.length);
      try (BlockConcatenator concatenator = new BlockConcatenator(schema, allocator)) {
        concatenator.add(EncodedBlock.check(bytes));
        return concatenator.concat(next++);
      }
    }

    @Override
    public void close() {
      next = blocks.length;
    }
  }
}

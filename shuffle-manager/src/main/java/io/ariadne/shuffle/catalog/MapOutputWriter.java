package io.ariadne.shuffle.catalog;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.spill.SpillPlacement;
import io.ariadne.spill.SpillableBatch;
import java.util.ArrayList;
import java.util.List;

/**
 * Gathers the blocks of one attempt of a map task. Used by one thread.
 *
 * <p>Segments that are full may leave memory while others are written: whoever reads them has not
 * started yet. Closing without a commit leaves nothing behind.
 */
public final class MapOutputWriter implements AutoCloseable {
  /**
   * Bytes of a segment, which goes to disk and comes back as a whole, for the sake of any of its
   * blocks. A block that is longer has one of its own.
   */
  static final int SEGMENT_BYTES = 256 << 10;

  private static final Schema WORDS =
      new Schema(List.of(new Field("words", PrimitiveType.INT64, false)));

  /** Nobody works on what reads it, so it goes before all that the running tasks have at rest. */
  private static final SpillPlacement AT_REST = SpillPlacement.at(Integer.MAX_VALUE, false);

  private final MapOutputs outputs;
  private final int shuffleId;
  private final long mapId;
  private final long[] lengths;
  private final List<SpillableBatch> segments = new ArrayList<>();
  private final List<MapOutput.Block> blocks = new ArrayList<>();
  private final List<Integer> partitions = new ArrayList<>();

  /** The segment being written, or null, and how many of its bytes are. */
  private MemoryBuffer open;

  private long openBytes;
  private boolean isCommitted;

  MapOutputWriter(MapOutputs outputs, int shuffleId, long mapId, int partitionCount) {
    this.outputs = outputs;
    this.shuffleId = shuffleId;
    this.mapId = mapId;
    this.lengths = new long[partitionCount];
  }

  /**
   * Copies a block.
   *
   * @param partition its partition, from 0; partitions may come in any order
   * @param address its first byte, in host memory
   * @param lengthInBytes how many, more than 0
   * @throws io.ariadne.error.EngineException OUT_OF_MEMORY when neither memory nor the tier below
   *     takes it
   */
  public void add(int partition, long address, long lengthInBytes) {
    if (open == null || open.capacityInBytes() - openBytes < lengthInBytes) {
      seal();
      open = outputs.pool().allocate(Math.max(SEGMENT_BYTES, lengthInBytes));
    }
    Memory.copy(address, open.address() + openBytes, lengthInBytes);
    blocks.add(new MapOutput.Block(segments.size(), openBytes, lengthInBytes));
    partitions.add(partition);
    lengths[partition] += lengthInBytes;
    openBytes += lengthInBytes;
  }

  /** Lays the open segment to rest, in memory of little more than it needs. */
  private void seal() {
    if (open == null) {
      return;
    }
    if (openBytes <= open.capacityInBytes() / 2) {
      MemoryBuffer fitting = outputs.pool().allocate(openBytes);
      Memory.copy(open.address(), fitting.address(), openBytes);
      open.close();
      open = fitting;
    }
    int words = (int) ((openBytes + Long.BYTES - 1) / Long.BYTES);
    MemoryBuffer data = open.withLength((long) words * Long.BYTES);
    open = null;
    openBytes = 0;
    ColumnVector column =
        ColumnVector.flat(PrimitiveType.INT64, PhysicalType.I64, words, data, null);
    RecordBatch batch = new RecordBatch(WORDS, words, List.of(column), segments.size());
    segments.add(outputs.spill().add(batch, AT_REST));
  }

  /**
   * Makes the output known to readers, all at once; nothing is added afterwards.
   *
   * @return bytes of each partition; 0 exactly for those without blocks
   * @throws IllegalStateException when this attempt has an output already
   */
  public long[] commit() {
    seal();
    MapOutput output = inOrderOfPartitions();
    isCommitted = true;
    outputs.add(shuffleId, mapId, output);
    return lengths.clone();
  }

  /** Sorts the blocks by counting, so that those of a partition keep their order. */
  private MapOutput inOrderOfPartitions() {
    int[] firstBlocks = new int[lengths.length + 1];
    for (int partition : partitions) {
      firstBlocks[partition + 1]++;
    }
    for (int i = 0; i < lengths.length; i++) {
      firstBlocks[i + 1] += firstBlocks[i];
    }
    int[] places = firstBlocks.clone();
    MapOutput.Block[] sorted = new MapOutput.Block[blocks.size()];
    for (int i = 0; i < sorted.length; i++) {
      sorted[places[partitions.get(i)]++] = blocks.get(i);
    }
    return new MapOutput(segments, sorted, firstBlocks);
  }

  /** Frees what was not committed. Idempotent. */
  @Override
  public void close() {
    if (isCommitted) {
      return;
    }
    Closer closer = new Closer();
    closer.close(open);
    open = null;
    segments.forEach(closer::close);
    segments.clear();
    closer.rethrow();
  }
}

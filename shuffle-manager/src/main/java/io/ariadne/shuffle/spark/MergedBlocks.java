package io.ariadne.shuffle.spark;

import io.ariadne.columnar.buffer.Closer;
import io.ariadne.error.EngineException;
import io.ariadne.shuffle.catalog.MergedReader;

/** Iterates over the merged blocks that a reader has. Used by the task thread. */
final class MergedBlocks implements AutoCloseable {
  private final MergedReader reader;
  private final ReceivedBytes bytes = new ReceivedBytes();
  private final BlockInput input = new BlockInput(bytes);

  /** Iterates over the blocks of a reader, which this owns. */
  MergedBlocks(MergedReader reader) {
    this.reader = reader;
  }

  /** Moves to the next block; returns whether there is one. */
  boolean next() {
    return reader.next();
  }

  /** Returns the map attempt whose rows the current block has. */
  long mapId() {
    return reader.mapId();
  }

  /** Returns the number of bytes of the current block. */
  long lengthInBytes() {
    return reader.lengthInBytes();
  }

  /** Returns the bytes of batches that were read back from disk for this reader so far. */
  long readBackBytes() {
    return reader.readBackBytes();
  }

  /**
   * Returns the current block, read back from disk where necessary.
   *
   * @throws EngineException as {@link MergedReader#take}
   */
  BlockInput take() {
    bytes.begin(reader.take());
    input.begin(reader.lengthInBytes(), reader.mapId());
    return input;
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(bytes);
    closer.close(reader);
    closer.rethrow();
  }
}

package io.ariadne.shuffle.spark;

import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.event.ThreadRecord;
import io.ariadne.event.Threads;
import io.ariadne.executor.ProcessRuntime;
import io.ariadne.shuffle.catalog.MapOutputReader;
import io.ariadne.shuffle.catalog.MapOutputs;
import io.ariadne.shuffle.catalog.MergedReader;
import java.io.File;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.spark.SparkEnv;
import org.apache.spark.network.buffer.FileSegmentManagedBuffer;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.apache.spark.network.buffer.NioManagedBuffer;
import org.apache.spark.network.util.MapConfigProvider;
import org.apache.spark.network.util.TransportConf;

/**
 * Rows of map outputs in memory that Spark sends to another executor, as blocks in the layout of
 * Spark's files. The first access encodes the blocks; the last {@link #release} frees them. They
 * are on the heap, or in a temporary file when they are too many.
 *
 * <p>A map output that is gone, or damaged on disk and therefore dropped, raises an {@link
 * IOException}, which the reader sees as a failed fetch. When memory is refused, the content is a
 * {@link BackPressureBlock}: after a failed fetch Spark drops all map outputs of this process, and
 * the calling thread does not wait for memory, because it is one of the few that send to all other
 * executors. Thread-safe.
 */
final class InMemoryBlockBuffer extends ManagedBuffer {
  private static final int MAX_HEAP_BYTES = 16 << 20;

  /**
   * Limits the heap bytes of all buffers of the process, from encoding until they are sent: a
   * sixteenth of an executor's default heap of 1 GB, of which Spark leaves 300 MB and two fifths of
   * the rest to other code.
   */
  private static final HeapBudget HEAP = new HeapBudget(64L << 20);

  /** How often encoding is tried when memory is refused. */
  private static final int MAX_ATTEMPTS = 3;

  /** Doubled before each pause. Batches that are being spilled may free memory meanwhile. */
  private static final long BASE_PAUSE_MILLIS = 10;

  /** Bytes that an encrypted connection copies and encrypts at a time. */
  private static final int SSL_PIECE_BYTES = 64 << 10;

  private static final Cleaner CLEANER = Cleaner.create(Threads.daemons("shuffle-block-cleaner"));

  private final MapOutputRange range;
  private final HeapBudget budget;

  /** The encoded blocks; null before the first access and after the last release. */
  private ManagedBuffer content;

  /** Frees the content; null when there is none. */
  private Cleaner.Cleanable cleanable;

  private int references = 1;

  /**
   * The bytes of a content. Spark releases most buffers, but drops some whose message has failed:
   * their bytes are freed when no code can reach the buffer.
   *
   * @param output on the heap, or in a file
   */
  private record Encoded(HeapOrFileOutput output) implements Runnable {
    @Override
    public void run() {
      output.free();
      File file = output.file();
      if (file != null && !file.delete() && file.exists()) {
        file.deleteOnExit();
      }
    }
  }

  InMemoryBlockBuffer(MapOutputRange range) {
    this(range, HEAP);
  }

  InMemoryBlockBuffer(MapOutputRange range, HeapBudget budget) {
    this.range = range;
    this.budget = budget;
  }

  @Override
  public long size() {
    try {
      return content().size();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public ByteBuffer nioByteBuffer() throws IOException {
    return content().nioByteBuffer();
  }

  @Override
  public InputStream createInputStream() throws IOException {
    return content().createInputStream();
  }

  @Override
  public Object convertToNetty() throws IOException {
    return content().convertToNetty();
  }

  /**
   * Returns a stream, because Spark releases the buffer only of streams. Overrides a method of
   * Spark 4.x; Spark 3.5 has no such encrypted connections.
   */
  @SuppressWarnings("MissingOverride")
  public Object convertToNettyForSsl() throws IOException {
    ManagedBuffer blocks = content();
    return blocks instanceof BackPressureBlock refusal
        ? refusal.convertToNettyForSsl()
        : new Pieces(blocks.createInputStream());
  }

  /** Limits the available bytes, for which Spark allocates a buffer at a time. */
  private static final class Pieces extends FilterInputStream {
    Pieces(InputStream in) {
      super(in);
    }

    @Override
    public int available() throws IOException {
      return Math.min(SSL_PIECE_BYTES, super.available());
    }
  }

  @Override
  public synchronized ManagedBuffer retain() {
    references++;
    return this;
  }

  @Override
  public synchronized ManagedBuffer release() {
    references--;
    if (references == 0) {
      content = null;
      if (cleanable != null) {
        cleanable.clean();
        cleanable = null;
      }
    }
    return this;
  }

  private synchronized ManagedBuffer content() throws IOException {
    if (content == null) {
      content = encodeWithoutWaiting();
    }
    return content;
  }

  private ManagedBuffer encodeWithoutWaiting() throws IOException {
    ThreadRecord thread = ThreadRecord.current();
    boolean before = thread.mayWait(false);
    try {
      return encodeOrRefuse(MapOutputs.of(ProcessRuntime.get()));
    } finally {
      thread.mayWait(before);
    }
  }

  private ManagedBuffer encodeOrRefuse(MapOutputs outputs) throws IOException {
    for (int attempt = 1; ; attempt++) {
      try {
        return encode(outputs);
      } catch (EngineException e) {
        if (e.code() == ErrorCode.CORRUPT_DATA) {
          // The fetch fails, and Spark runs the map task again.
          throw new IOException(name() + " is damaged on disk", e);
        }
        if (e.code() != ErrorCode.OUT_OF_MEMORY) {
          throw e;
        }
        if (attempt == MAX_ATTEMPTS) {
          return new BackPressureBlock("no memory for " + name() + ": " + e.getMessage());
        }
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(BASE_PAUSE_MILLIS << attempt));
    }
  }

  private String name() {
    return range.id(range.firstPartition()).name();
  }

  private ManagedBuffer encode(MapOutputs outputs) throws IOException {
    HeapOrFileOutput out =
        new HeapOrFileOutput(
            MAX_HEAP_BYTES,
            budget,
            () -> SparkEnv.get().blockManager().diskBlockManager().createTempLocalBlock()._2());
    Encoded encoded = new Encoded(out);
    boolean isWritten = false;
    try {
      try (out) {
        write(outputs, out);
      }
      isWritten = true;
    } finally {
      if (!isWritten) {
        encoded.run();
      }
    }
    cleanable = CLEANER.register(this, encoded);
    File file = out.file();
    if (file == null) {
      return new NioManagedBuffer(out.bytesOnHeap());
    }
    TransportConf conf = new TransportConf("shuffle", new MapConfigProvider(Map.of()));
    return new FileSegmentManagedBuffer(conf, file, 0, file.length());
  }

  private void write(MapOutputs outputs, OutputStream out) throws IOException {
    for (int p = range.firstPartition(); p < range.endPartition(); p++) {
      try (MapOutputReader rows = outputs.open(range.shuffleId(), range.mapId(), p, p + 1)) {
        if (rows == null) {
          writeMerged(outputs, p, out);
        } else if (rows.totalBytes() > 0) {
          new BlockEncoder(range.id(p)).write(rows, out, ProcessRuntime.get().pool());
        }
      }
    }
  }

  private void writeMerged(MapOutputs outputs, int partition, OutputStream out) throws IOException {
    try (MergedReader blocks =
        outputs.openMerged(range.shuffleId(), Set.of(range.mapId()), partition, partition + 1)) {
      if (blocks == null) {
        throw new IOException(range.id(partition).name() + " is no longer kept by this process");
      }
      new BlockEncoder(range.id(partition)).write(blocks, out);
    }
  }
}

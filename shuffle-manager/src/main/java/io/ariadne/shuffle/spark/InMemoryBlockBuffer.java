package io.ariadne.shuffle.spark;

import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.event.ThreadRecord;
import io.ariadne.executor.ProcessRuntime;
import io.ariadne.shuffle.catalog.MapOutputReader;
import io.ariadne.shuffle.catalog.MapOutputs;
import java.io.File;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.spark.SparkEnv;
import org.apache.spark.network.buffer.FileSegmentManagedBuffer;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.apache.spark.network.buffer.NioManagedBuffer;
import org.apache.spark.network.util.MapConfigProvider;
import org.apache.spark.network.util.TransportConf;

/**
 * Kept rows as Spark sends them: blocks in the layout of Spark's files, made when they are first
 * asked for and forgotten when they were sent. Many go through a file, since they may be more than
 * the heap has room for.
 *
 * <p>Thread-safe. A map output that is gone by then, or damaged on disk and so forgotten, is an
 * {@link IOException}, which the reader meets as a failed fetch. Where memory is refused a {@link
 * BackPressureBlock} is sent: a failed fetch costs Spark all outputs of this process, and the
 * thread that asks is one of the few that send to all others, so it does not wait for memory.
 */
final class InMemoryBlockBuffer extends ManagedBuffer {
  private static final int MOST_BYTES_ON_HEAP = 16 << 20;

  /**
   * What all buffers of the process have on the heap, from being made until they are sent: a
   * sixteenth of the heap that Spark gives executors by default, of which it leaves 300 MB and two
   * fifths of the rest to others.
   */
  private static final HeapBudget HEAP = new HeapBudget(64L << 20);

  /** How often this is tried when memory is refused. */
  private static final int MOST_ATTEMPTS = 3;

  /** What may be over soon, as moves of batches to disk are; doubled with each attempt. */
  private static final long BASE_PAUSE_MILLIS = 10;

  /** Bytes that are copied and encrypted at once. */
  private static final int SSL_PIECE_BYTES = 64 << 10;

  private final MapOutputRange range;
  private final HeapBudget budget;
  private ManagedBuffer made;

  /** Has the bytes while they are on the heap, else null. */
  private HeapOrFileOutput onHeap;

  private File file;
  private int holders = 1;

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
      return made().size();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public ByteBuffer nioByteBuffer() throws IOException {
    return made().nioByteBuffer();
  }

  @Override
  public InputStream createInputStream() throws IOException {
    return made().createInputStream();
  }

  @Override
  public Object convertToNetty() throws IOException {
    return made().convertToNetty();
  }

  /**
   * Returns a stream, since Spark releases buffers of streams alone. Overrides nothing with Spark
   * 3.5, which has no encrypted connections of this kind.
   */
  @SuppressWarnings("MissingOverride")
  public Object convertToNettyForSsl() throws IOException {
    ManagedBuffer bytes = made();
    return bytes instanceof BackPressureBlock refused
        ? refused.convertToNettyForSsl()
        : new Pieces(bytes.createInputStream());
  }

  /** Says that little is there at once: so much Spark has a buffer for. */
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
    holders++;
    return this;
  }

  @Override
  public synchronized ManagedBuffer release() {
    holders--;
    if (holders == 0) {
      made = null;
      freeHeap();
      deleteFile();
    }
    return this;
  }

  private void freeHeap() {
    if (onHeap != null) {
      onHeap.free();
      onHeap = null;
    }
  }

  private synchronized ManagedBuffer made() throws IOException {
    if (made == null) {
      made = make();
    }
    return made;
  }

  private ManagedBuffer make() throws IOException {
    ThreadRecord thread = ThreadRecord.current();
    boolean before = thread.mayWait(false);
    try {
      return makeOrRefuse(MapOutputs.of(ProcessRuntime.get()));
    } finally {
      thread.mayWait(before);
    }
  }

  private ManagedBuffer makeOrRefuse(MapOutputs outputs) throws IOException {
    for (int attempt = 1; ; attempt++) {
      try {
        return encoded(outputs);
      } catch (EngineException e) {
        if (e.code() == ErrorCode.CORRUPT_DATA) {
          // Of no use to anybody: Spark has it made again.
          outputs.forget(range.shuffleId(), range.mapId());
          throw new IOException(name() + " is damaged on disk", e);
        }
        if (e.code() != ErrorCode.OUT_OF_MEMORY) {
          throw e;
        }
        if (attempt == MOST_ATTEMPTS) {
          return new BackPressureBlock("no memory for " + name() + ": " + e.getMessage());
        }
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(BASE_PAUSE_MILLIS << attempt));
    }
  }

  private String name() {
    return range.id(range.firstPartition()).name();
  }

  private ManagedBuffer encoded(MapOutputs outputs) throws IOException {
    HeapOrFileOutput out =
        new HeapOrFileOutput(
            MOST_BYTES_ON_HEAP,
            budget,
            () -> SparkEnv.get().blockManager().diskBlockManager().createTempLocalBlock()._2());
    onHeap = out;
    boolean isWritten = false;
    try {
      try (out) {
        write(outputs, out);
      }
      isWritten = true;
    } finally {
      file = out.file();
      if (!isWritten) {
        freeHeap();
        deleteFile();
      }
    }
    if (file == null) {
      return new NioManagedBuffer(out.bytesOnHeap());
    }
    TransportConf conf = new TransportConf("shuffle", new MapConfigProvider(Map.of()));
    return new FileSegmentManagedBuffer(conf, file, 0, file.length());
  }

  private void deleteFile() {
    if (file != null && !file.delete() && file.exists()) {
      file.deleteOnExit();
    }
    file = null;
  }

  private MapOutputReader open(MapOutputs outputs, int first, int end) throws IOException {
    MapOutputReader rows = outputs.open(range.shuffleId(), range.mapId(), first, end);
    if (rows == null) {
      throw new IOException(range.id(first).name() + " is not kept here any more");
    }
    return rows;
  }

  private void write(MapOutputs outputs, OutputStream out) throws IOException {
    for (int p = range.firstPartition(); p < range.endPartition(); p++) {
      try (MapOutputReader rows = open(outputs, p, p + 1)) {
        if (rows.totalBytes() > 0) {
          new BlockEncoder(range.id(p)).write(rows, out, ProcessRuntime.get().pool());
        }
      }
    }
  }
}

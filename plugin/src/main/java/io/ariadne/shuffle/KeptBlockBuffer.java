package io.ariadne.shuffle;

import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.executor.ProcessRuntime;
import io.ariadne.shuffle.catalog.MapOutputReader;
import io.ariadne.shuffle.catalog.MapOutputs;
import java.io.File;
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
 * <p>Thread-safe. A map output that is gone by then, and memory that is refused for seconds, are an
 * {@link IOException}, which the reader meets as a failed fetch.
 */
final class KeptBlockBuffer extends ManagedBuffer {
  private static final int MOST_BYTES_ON_HEAP = 16 << 20;

  /**
   * How often this is tried when memory is refused, which takes a while by itself, with pauses of
   * half a second and more between: a failed fetch costs Spark all outputs of this process.
   */
  private static final int MOST_ATTEMPTS = 3;

  private static final long BASE_PAUSE_MILLIS = 250;

  private final KeptRange range;
  private ManagedBuffer made;
  private File file;
  private int holders = 1;

  KeptBlockBuffer(KeptRange range) {
    this.range = range;
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

  /** Overrides nothing with Spark 3.5, which has no encrypted connections of this kind. */
  @SuppressWarnings("MissingOverride")
  public Object convertToNettyForSsl() throws IOException {
    return new NioManagedBuffer(made().nioByteBuffer()).convertToNetty();
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
      deleteFile();
    }
    return this;
  }

  private synchronized ManagedBuffer made() throws IOException {
    if (made == null) {
      made = make();
    }
    return made;
  }

  /** Makes the bytes; waits a little when memory for blocks is refused, which others give back. */
  private ManagedBuffer make() throws IOException {
    for (int attempt = 1; ; attempt++) {
      try {
        return encoded(ProcessRuntime.get().mapOutputs());
      } catch (EngineException e) {
        if (e.code() != ErrorCode.OUT_OF_MEMORY) {
          throw e;
        }
        if (attempt == MOST_ATTEMPTS) {
          throw new IOException("no memory for " + range.id(range.firstPartition()).name(), e);
        }
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(BASE_PAUSE_MILLIS << attempt));
    }
  }

  private ManagedBuffer encoded(MapOutputs outputs) throws IOException {
    HeapOrFileOutput out =
        new HeapOrFileOutput(
            MOST_BYTES_ON_HEAP,
            () -> SparkEnv.get().blockManager().diskBlockManager().createTempLocalBlock()._2());
    boolean isWritten = false;
    try {
      try (out) {
        write(outputs, out);
      }
      isWritten = true;
    } finally {
      file = out.file();
      if (!isWritten) {
        deleteFile();
      }
    }
    if (file == null) {
      return new NioManagedBuffer(ByteBuffer.wrap(out.bytesOnHeap()));
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

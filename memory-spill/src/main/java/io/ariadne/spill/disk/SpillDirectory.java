package io.ariadne.spill.disk;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.event.Threads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One local directory of the disk tier. It allocates extents in files that have been deleted from
 * the directory and stay open, and has the threads that read and write them. A directory is assumed
 * to be a disk: a slow directory holds up no other, because each has its own threads. Callers do no
 * I/O themselves: a task thread may be interrupted at any time, and an interrupt closes a channel.
 * A directory that has refused bytes gets no more bytes for a while. Thread-safe.
 */
final class SpillDirectory implements AutoCloseable {
  /** Bytes of a file, unless a range is longer. */
  static final long FILE_BYTES = 1L << 30;

  private static final Logger LOG = LoggerFactory.getLogger(SpillDirectory.class);

  /** How long a directory that has failed is chosen last. */
  private static final long AVOID_SECONDS = 10;

  private final Path path;
  private final boolean direct;
  private final SpillRates rates;
  private final ExecutorService threads;
  private final AtomicLong queuedBytes = new AtomicLong();

  @GuardedBy("this")
  private final List<SpillFile> files = new ArrayList<>();

  @GuardedBy("this")
  private long nextNumber;

  @GuardedBy("this")
  private boolean closed;

  private volatile long avoidedUntil = System.nanoTime();

  /** Whether it has refused bytes since it last accepted some. */
  private volatile boolean fails;

  /**
   * A range of a file.
   *
   * @param directory where it is
   * @param file the file
   * @param offset first byte
   * @param lengthInBytes bytes
   */
  record Extent(SpillDirectory directory, SpillFile file, long offset, long lengthInBytes) {
    /** Frees all bytes. */
    void free() {
      directory.free(file, offset, lengthInBytes);
    }

    /** Returns a part of the extent, which may be freed on its own. */
    Extent part(long from, long length) {
      return new Extent(directory, file, offset + from, length);
    }

    /** Returns whether another extent begins where this one ends. */
    boolean isBefore(Extent next) {
      return next.file == file && next.offset == offset + lengthInBytes;
    }

    /** Returns the extent with the bytes behind it, which it owns then. */
    Extent longer(long byBytes) {
      return new Extent(directory, file, offset, lengthInBytes + byBytes);
    }
  }

  /** Reads or writes. */
  private interface Call<T> {
    T run() throws IOException;
  }

  /**
   * Creates the directory if it does not exist.
   *
   * @param direct whether to bypass the page cache, if the file system allows it
   * @param threadCount threads that read and write
   * @param rates record how fast the directory writes
   */
  SpillDirectory(Path path, boolean direct, int threadCount, SpillRates rates) throws IOException {
    this.path = Files.createDirectories(path);
    this.direct = direct;
    this.rates = rates;
    this.threads =
        Executors.newFixedThreadPool(
            threadCount, Threads.daemons("ariadne-spill-" + path.getFileName()));
  }

  /** Returns the path. */
  Path path() {
    return path;
  }

  /** Returns bytes of reads and writes that have not ended. */
  long queuedBytes() {
    return queuedBytes.get();
  }

  /** Returns whether it is closed: transfers fail then, whatever state the disk is in. */
  synchronized boolean isClosed() {
    return closed;
  }

  /** Returns whether it has failed a short while ago. */
  boolean isAvoided() {
    return System.nanoTime() - avoidedUntil < 0;
  }

  /** Notes, and logs once, that the directory does not accept bytes. */
  void failed(IOException failure) {
    avoidedUntil = System.nanoTime() + TimeUnit.SECONDS.toNanos(AVOID_SECONDS);
    if (!fails) {
      fails = true;
      LOG.warn(
          "spill directory {} is left out, {} s at a time, until it accepts bytes again: {}; {}",
          path,
          AVOID_SECONDS,
          failure.getMessage(),
          freeSpace());
    }
  }

  /** Describes the free space of the file system, for messages. */
  String freeSpace() {
    try {
      var store = Files.getFileStore(path);
      return store.getUsableSpace() + " of " + store.getTotalSpace() + " bytes are free there";
    } catch (IOException e) {
      return "its free space is unknown: " + e.getMessage();
    }
  }

  /**
   * Writes a buffer, which the caller leaves unchanged until the transfer ends.
   *
   * @return where the bytes are, owned by the caller; nothing stays allocated when the write fails
   */
  Transfer<Extent> write(ByteBuffer bytes) {
    int length = bytes.remaining();
    String what = "writing " + length + " bytes to spill directory " + path;
    return submit(what, length, () -> writeNow(bytes));
  }

  private Extent writeNow(ByteBuffer bytes) throws IOException {
    long length = bytes.remaining();
    Extent extent = allocate(length);
    try {
      long start = System.nanoTime();
      extent.file().write(bytes, extent.offset());
      rates.written(length, System.nanoTime() - start);
    } catch (IOException | RuntimeException | Error e) {
      Closer closer = new Closer();
      closer.close(extent::free);
      closer.suppressIn(e);
      throw e;
    }
    if (fails) {
      fails = false;
      LOG.info("spill directory {} accepts bytes again", path);
    }
    return extent;
  }

  /** Fills a buffer from an extent of this directory. */
  Transfer<Extent> read(Extent extent, ByteBuffer bytes) {
    int length = bytes.remaining();
    String what =
        "reading "
            + length
            + " bytes at "
            + extent.offset()
            + " of spill file "
            + extent.file().path();
    return submit(
        what,
        length,
        () -> {
          extent.file().read(bytes, extent.offset());
          return extent;
        });
  }

  private <T> Transfer<T> submit(String what, int length, Call<T> call) {
    CompletableFuture<T> done = new CompletableFuture<>();
    Transfer<T> transfer = new Transfer<>(done, what);
    queuedBytes.addAndGet(length);
    boolean isSubmitted = false;
    try {
      threads.execute(() -> run(call, length, done));
      isSubmitted = true;
    } finally {
      if (!isSubmitted) {
        queuedBytes.addAndGet(-length);
      }
    }
    return transfer;
  }

  private <T> void run(Call<T> call, int length, CompletableFuture<T> done) {
    T result = null;
    Throwable failure = null;
    try {
      result = call.run();
    } catch (Throwable thrown) { // the waiting thread throws it
      failure = thrown;
    }
    // Before the transfer ends: the waiting thread then chooses the next directory by these bytes.
    queuedBytes.addAndGet(-length);
    if (failure == null) {
      done.complete(result);
    } else {
      done.completeExceptionally(failure);
    }
  }

  /** Returns a range of that length; opens a new file when no other has enough space. */
  private synchronized Extent allocate(long lengthInBytes) throws IOException {
    if (closed) {
      throw new IllegalStateException("spill directory " + path + " is closed");
    }
    for (SpillFile file : files) {
      long offset = file.allocate(lengthInBytes);
      if (offset >= 0) {
        return new Extent(this, file, offset, lengthInBytes);
      }
    }
    Path name = path.resolve("ariadne-spill-" + ProcessHandle.current().pid() + "-" + hash());
    SpillFile file = SpillFile.open(name, Math.max(FILE_BYTES, lengthInBytes), direct);
    files.add(file);
    return new Extent(this, file, file.allocate(lengthInBytes), lengthInBytes);
  }

  @GuardedBy("this")
  private String hash() {
    return Integer.toHexString(System.identityHashCode(this)) + "-" + nextNumber++;
  }

  private void free(SpillFile file, long offset, long lengthInBytes) {
    boolean unused;
    synchronized (this) {
      if (closed) {
        return;
      }
      unused = file.free(offset, lengthInBytes) && files.remove(file);
    }
    if (unused) {
      close(file);
    }
  }

  private static void close(SpillFile file) {
    try {
      file.close();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot close spill file " + file.path(), e);
    }
  }

  /** Ends the threads and closes the files: transfers that have not ended fail. Idempotent. */
  @Override
  public void close() {
    Closer closer = new Closer();
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      files.forEach(closer::close);
      files.clear();
    }
    closer.close(threads::shutdown);
    closer.rethrow();
  }
}

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
 * One local directory: nameless files in which ranges are allocated, and the threads that read and
 * write them. A directory is a disk to us: its threads are its own, so that one that is slow holds
 * up no other. Callers are tasks that may be interrupted at any time, which would close a channel;
 * these threads never are. A directory that refused bytes is left out for a while. Thread-safe.
 */
final class SpillDirectory implements AutoCloseable {
  /** Bytes of a file, unless one range is longer. */
  static final long FILE_BYTES = 1L << 30;

  private static final Logger LOG = LoggerFactory.getLogger(SpillDirectory.class);

  /** How long a directory that failed is asked last. */
  private static final long REST_SECONDS = 10;

  private final Path path;
  private final boolean direct;
  private final SpillRates rates;
  private final ExecutorService threads;
  private final AtomicLong waitingBytes = new AtomicLong();

  @GuardedBy("this")
  private final List<SpillFile> files = new ArrayList<>();

  @GuardedBy("this")
  private long nextNumber;

  @GuardedBy("this")
  private boolean closed;

  private volatile long restsUntil = System.nanoTime();

  /** Whether it has refused bytes since it last took some. */
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
    /** Gives all bytes back. */
    void free() {
      directory.free(file, offset, lengthInBytes);
    }

    /** Returns a part of it, which may be freed by itself. */
    Extent part(long from, long length) {
      return new Extent(directory, file, offset + from, length);
    }
  }

  /** Reads or writes. */
  private interface Call<T> {
    T run() throws IOException;
  }

  /**
   * Makes the directory if it is not there.
   *
   * @param direct whether to go around the page cache, if the file system lets us
   * @param threadCount threads that read and write
   * @param rates are told how fast it writes
   */
  SpillDirectory(Path path, boolean direct, int threadCount, SpillRates rates) throws IOException {
    this.path = Files.createDirectories(path);
    this.direct = direct;
    this.rates = rates;
    this.threads =
        Executors.newFixedThreadPool(
            threadCount, Threads.daemons("ariadne-spill-" + path.getFileName()));
  }

  /** Returns where it is. */
  Path path() {
    return path;
  }

  /** Returns bytes that are being read or written, or wait for that. */
  long waitingBytes() {
    return waitingBytes.get();
  }

  /** Returns whether it is closed: what is on its way fails then, whatever the disk is like. */
  synchronized boolean isClosed() {
    return closed;
  }

  /** Returns whether it has failed a short while ago. */
  boolean rests() {
    return System.nanoTime() - restsUntil < 0;
  }

  /** Notes, and tells once, that it does not take bytes. */
  void failed(IOException failure) {
    restsUntil = System.nanoTime() + TimeUnit.SECONDS.toNanos(REST_SECONDS);
    if (!fails) {
      fails = true;
      LOG.warn(
          "spill directory {} is left out, {} s at a time, until it takes bytes again: {}; {}",
          path,
          REST_SECONDS,
          failure.getMessage(),
          room());
    }
  }

  /** Describes the room on the file system, for messages. */
  String room() {
    try {
      var store = Files.getFileStore(path);
      return store.getUsableSpace() + " of " + store.getTotalSpace() + " bytes are free there";
    } catch (IOException e) {
      return "its free space is unknown: " + e.getMessage();
    }
  }

  /**
   * Writes a buffer, which stays untouched until that is done.
   *
   * @return where its bytes are, owned by the caller; nothing stays allocated when it fails
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
      LOG.info("spill directory {} takes bytes again", path);
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
    waitingBytes.addAndGet(length);
    boolean isSubmitted = false;
    try {
      threads.execute(() -> run(call, length, done));
      isSubmitted = true;
    } finally {
      if (!isSubmitted) {
        waitingBytes.addAndGet(-length);
      }
    }
    return transfer;
  }

  private <T> void run(Call<T> call, int length, CompletableFuture<T> done) {
    T result = null;
    Throwable failure = null;
    try {
      result = call.run();
    } catch (Throwable thrown) { // the thread that waits gets it
      failure = thrown;
    }
    // Before the end is known: the thread that learns of it chooses the next directory.
    waitingBytes.addAndGet(-length);
    if (failure == null) {
      done.complete(result);
    } else {
      done.completeExceptionally(failure);
    }
  }

  /** Returns a range of that length; makes a file when no other has room. */
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

  /** Ends the threads and closes the files: what is on its way fails. Idempotent. */
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

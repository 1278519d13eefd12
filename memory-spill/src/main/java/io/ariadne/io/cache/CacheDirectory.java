package io.ariadne.io.cache;

import io.ariadne.event.ThreadRecord;
import io.ariadne.event.Threads;
import io.ariadne.event.Wait;
import io.ariadne.event.WaitKind;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One local directory of the cache, assumed to be a disk. Its thread does everything but reading:
 * it writes, deletes and notes uses, one task after the other, so a slow disk delays no read. A
 * disk that fails is left out for a while, with one line in the log. Thread-safe.
 */
final class CacheDirectory implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CacheDirectory.class);
  private static final int MAX_QUEUED = 1024;
  private static final long BEAT_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final long PAUSE_NANOS = TimeUnit.MINUTES.toNanos(5);
  private static final long CLOSE_MILLIS = 10_000;

  /** Consecutive failed reads after which the disk counts as failed. */
  private static final int MAX_READ_FAILURES = 3;

  private final Path root;
  private final RangeCacheConfig config;
  private final CacheKeys keys;
  private final RangeCacheCounters counters;
  private final String process = UUID.randomUUID().toString();
  private final CacheContents contents;
  private final BlockingQueue<Task> queue = new ArrayBlockingQueue<>(MAX_QUEUED);
  private final Thread thread;
  private final AtomicInteger readFailures = new AtomicInteger();
  private final AtomicBoolean fails = new AtomicBoolean();
  private volatile long pausedUntil = System.nanoTime();
  private volatile boolean closed;
  private long nextNumber;
  private long nextBeat = System.nanoTime();

  /** Something for the thread to do. */
  private interface Task {
    void run() throws IOException;

    /** Is called instead when it is not going to run. */
    default void drop() {}
  }

  /**
   * Opens a directory.
   *
   * @param root the directory, created when it does not exist
   * @param limitInBytes most bytes of files there
   * @throws IOException when the directory cannot be used
   */
  CacheDirectory(
      Path root,
      long limitInBytes,
      RangeCacheConfig config,
      CacheKeys keys,
      RangeCacheCounters counters)
      throws IOException {
    this.root = root.toAbsolutePath();
    this.config = config;
    this.keys = keys;
    this.counters = counters;
    this.contents =
        new CacheContents(this.root, process, limitInBytes, config.minFreeBytes(), counters);
    Files.createDirectories(this.root.getParent());
    contents.createFolders();
    this.thread = Threads.daemon("ariadne-cache-" + root.getFileName(), this::work);
    thread.start();
  }

  /** Returns the path. */
  Path path() {
    return root;
  }

  /** Returns the folder of an object, which may not exist. */
  Path folderOf(ObjectKey key) {
    return contents.folderOf(key);
  }

  /** Returns whether the directory is in use: it has not failed lately, and is not closed. */
  boolean isUsable() {
    return !closed && System.nanoTime() - pausedUntil >= 0;
  }

  /** Writes ranges soon, or drops them; takes ownership. */
  void write(RangeWrite write) {
    submit(
        new Task() {
          @Override
          public void run() throws IOException {
            try (write) {
              store(write);
            }
          }

          @Override
          public void drop() {
            counters.droppedWrites().increment();
            write.close();
          }
        });
  }

  /** Notes that a file has been used, and when. */
  void touch(CacheFile file) {
    FileTime now = FileTime.fromMillis(System.currentTimeMillis());
    submit(
        () -> {
          try {
            Files.setLastModifiedTime(file.path(), now);
          } catch (NoSuchFileException e) {
            // Evicted in the meantime.
          }
        });
  }

  /** Deletes a damaged file soon. */
  void discard(Path file) {
    counters.corruptFiles().increment();
    LOG.debug("damaged file of the range cache: {}", file);
    delete(file);
  }

  /** Deletes a file soon. */
  void delete(Path file) {
    submit(() -> contents.delete(file));
  }

  /** Reads the headers of new files of an object soon. */
  void refresh(ObjectIndex index) {
    submit(() -> index.refresh(this::discard));
  }

  /** Runs an action after all tasks submitted so far have ended. */
  void after(Runnable action) {
    submit(
        new Task() {
          @Override
          public void run() {
            action.run();
          }

          @Override
          public void drop() {
            action.run();
          }
        });
  }

  private void submit(Task task) {
    if (!isUsable() || !queue.offer(task)) {
      task.drop();
    } else if (closed) {
      dropAll();
    }
  }

  private void dropAll() {
    for (Task task = queue.poll(); task != null; task = queue.poll()) {
      task.drop();
    }
  }

  /** Notes that bytes were read. */
  void readSucceeded() {
    if (readFailures.get() != 0) {
      readFailures.set(0);
    }
  }

  /** Notes that the disk has failed to read. */
  void readFailed(IOException failure) {
    if (readFailures.incrementAndGet() >= MAX_READ_FAILURES) {
      readFailures.set(0);
      pause(failure);
    }
  }

  /** Leaves the directory out for a while, and logs that once. */
  private void pause(IOException failure) {
    pausedUntil = System.nanoTime() + PAUSE_NANOS;
    if (!fails.getAndSet(true)) {
      LOG.warn(
          "the range cache leaves out directory {} until it accepts bytes again; reads go to the"
              + " storage: {}",
          root,
          failure.toString());
    }
  }

  private void work() {
    try {
      while (!closed) {
        beat();
        Task task = queue.poll(BEAT_NANOS, TimeUnit.NANOSECONDS);
        if (task != null) {
          run(task);
        }
      }
    } catch (InterruptedException e) {
      LOG.warn("the thread of range cache directory {} was interrupted; it is closed", root);
      closed = true;
    }
    dropAll();
    try {
      contents.end(config.deletesAtEnd());
    } catch (IOException e) {
      LOG.info("range cache directory {} is left as it is: {}", root, e.toString());
    }
  }

  private void run(Task task) {
    if (!isUsable()) {
      task.drop();
      return;
    }
    try {
      task.run();
    } catch (NoSuchFileException e) {
      // Another process that was the last one, or a person, has deleted the directory meanwhile;
      // the next write makes it again. Unless the disk is gone.
      if (!Files.isDirectory(root.getParent())) {
        pause(e);
      }
    } catch (IOException e) {
      pause(e);
    } catch (RuntimeException e) {
      LOG.warn("the range cache failed in directory {}", root, e);
      pause(new IOException(e));
    }
  }

  private void beat() {
    if (System.nanoTime() - nextBeat >= 0 && isUsable()) {
      nextBeat = System.nanoTime() + BEAT_NANOS;
      run(contents::beat);
    }
  }

  /** Writes a file. */
  private void store(RangeWrite write) throws IOException {
    boolean isDropped = true;
    try {
      write.index().refresh(this::discard);
      List<RangeWrite.Source> wanted = write.wanted();
      long size =
          FileLayout.sizeInBytes(
              wanted.stream().map(RangeWrite.Source::range).toList(), keys.encrypts());
      if (wanted.isEmpty()) {
        isDropped = false;
      } else if (contents.begin(size)) {
        publish(write, wanted, size);
        isDropped = false;
        if (fails.getAndSet(false)) {
          LOG.info("range cache directory {} accepts bytes again", root);
        }
      }
    } finally {
      if (isDropped) {
        counters.droppedWrites().increment();
      }
    }
  }

  private void publish(RangeWrite write, List<RangeWrite.Source> wanted, long size)
      throws IOException {
    String name = process + "-" + nextNumber++;
    Path temporary = contents.temporary(name);
    Path path = folderOf(write.index().key()).resolve(name);
    boolean isPublished = false;
    try {
      CacheFile file;
      try (FileChannel channel =
          FileChannel.open(temporary, CacheFolders.NEW, CacheFolders.FILE_PERMISSIONS)) {
        file = write.write(channel, path, wanted, keys);
      }
      move(temporary, path, write.index().key());
      isPublished = true;
      write.index().add(file);
      counters.bytesWritten().add(size);
    } finally {
      contents.end(size, isPublished);
      if (!isPublished) {
        deleteQuietly(temporary);
      }
    }
  }

  /** Publishes a file; another process may delete the empty folder at any time. */
  private void move(Path temporary, Path path, ObjectKey key) throws IOException {
    contents.createFolderOf(key);
    try {
      Files.move(temporary, path, StandardCopyOption.ATOMIC_MOVE);
    } catch (NoSuchFileException e) {
      contents.createFolderOf(key);
      Files.move(temporary, path, StandardCopyOption.ATOMIC_MOVE);
    }
  }

  private static void deleteQuietly(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      LOG.debug("left for a later scan: {}", file, e);
    }
  }

  /** Returns whether a failure to open a file says nothing about its contents. */
  static boolean isOfSystem(IOException failure) {
    return failure instanceof FileSystemException;
  }

  /** Ends the thread; writes that have not begun are dropped. */
  @Override
  public void close() {
    closed = true;
    if (!queue.offer(() -> {})) {
      dropAll();
    }
    Wait wait =
        ThreadRecord.current()
            .await(WaitKind.DISK, "the last write to range cache directory " + root, 0, null);
    try {
      thread.join(CLOSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      wait.close();
    }
    if (thread.isAlive()) {
      LOG.warn("range cache directory {} does not end its last write; it is left behind", root);
    }
  }
}

package io.ariadne.io.local;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ariadne.backend.cpu.NativeLibrary;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.error.EngineException;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.MemoryPools;
import io.ariadne.memory.PagePool;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the readers of local files of a process share: the ring with its thread, pages for direct
 * reads, and what file systems do not support. Thread-safe.
 *
 * <p>Pages are pageable memory: bytes only pass through them on their way to the target, which is
 * what a device copies from. They come from a pool of their own, at most {@value #RING_PAGES} +
 * {@value #READ_PAGES} pages of 1 MiB, and none exist before the first direct read.
 *
 * <p>It is closed when it is no longer the one of the process and its last file is closed.
 */
public final class LocalStorage {
  private static final Logger LOG = LoggerFactory.getLogger(LocalStorage.class);

  /** System property: {@code off} to do without {@code io_uring}, whatever the kernel offers. */
  public static final String RING_PROPERTY = "ariadne.io.uring";

  /** Pages of the ring: 16 reads of 1 MiB keep a fast disk busy. */
  static final int RING_PAGES = 16;

  /** Pages of threads that wait for their reads. */
  static final int READ_PAGES = 4;

  private static final long PAGE_TIMEOUT_MILLIS = 60_000;

  @GuardedBy("LocalStorage.class")
  private static LocalStorage current;

  private final LocalReadOptions options;
  private final MemoryPool memory;
  private final PagePool ringPages;
  private final PagePool readPages;
  private final ConcurrentMap<Long, FileSystemFacts> facts = new ConcurrentHashMap<>();

  /** The open files, and 1 for the owner. */
  private final AtomicLong users = new AtomicLong(1);

  /** The ring; null when there is none, for the reason {@link #noRing}. */
  private final RingThread ring;

  private final String noRing;

  private LocalStorage(LocalReadOptions options, Optional<Ring.Opener> opener) {
    this.options = options;
    long pageBytes = PagePool.PAGE_BYTES + PagePool.PAGE_ALIGNMENT;
    this.memory = MemoryPools.host("local-reads", (RING_PAGES + READ_PAGES) * pageBytes);
    this.ringPages = new PagePool(memory, PagePool.PAGE_BYTES, 0, RING_PAGES);
    this.readPages = new PagePool(memory, PagePool.PAGE_BYTES, 0, READ_PAGES);
    RingThread.Started started =
        opener
            .map(each -> RingThread.start(each, ringPages, this::closePools))
            .orElseGet(() -> RingThread.Started.refused("off"));
    this.ring = started.ring().orElse(null);
    this.noRing = started.reason();
  }

  /**
   * Creates the storage of a process, or of a test.
   *
   * @param options how files are read
   * @param withRing whether to use {@code io_uring} where the kernel has it
   * @return a storage that the caller {@link #release releases}
   * @throws EngineException when the native library cannot be loaded, with a message of one line
   */
  static LocalStorage open(LocalReadOptions options, boolean withRing) {
    return open(options, withRing ? Optional.of(Ring::open) : Optional.empty());
  }

  /**
   * Creates a storage; otherwise as {@link #open(LocalReadOptions, boolean)}.
   *
   * @param opener opens the ring, empty for none
   */
  static LocalStorage open(LocalReadOptions options, Optional<Ring.Opener> opener) {
    NativeLibrary.load();
    return new LocalStorage(options, opener);
  }

  /**
   * Sets how this process reads the files that it opens afterwards. Without a call, files larger
   * than a quarter of memory are read directly.
   *
   * @throws EngineException when the native library cannot be loaded, with a message of one line
   */
  public static synchronized void start(LocalReadOptions options) {
    LocalStorage next = open(options, mayUseRing());
    stop();
    current = next;
  }

  /** Ends the storage of the process, if there is one; files that are open stay readable. */
  public static synchronized void stop() {
    LocalStorage ended = current;
    current = null;
    if (ended != null) {
      ended.release();
    }
  }

  /**
   * Returns the storage of the process, which is started if need be.
   *
   * @return a storage that the caller {@link #release releases}
   */
  static synchronized LocalStorage retained() {
    if (current == null) {
      current = open(LocalReadOptions.of(DirectReads.AUTO), mayUseRing());
    }
    current.retain();
    return current;
  }

  private static boolean mayUseRing() {
    return !"off".equals(System.getProperty(RING_PROPERTY));
  }

  /** Returns the options. */
  LocalReadOptions options() {
    return options;
  }

  /** Returns how files are read, in one line. */
  String description() {
    String asynchronous =
        ring == null ? "preadv (no io_uring: " + noRing + ")" : "preadv and " + ring.description();
    return asynchronous + ", " + options.description();
  }

  /**
   * Returns why files of this machine cannot be read through system calls; empty when they can.
   *
   * <p>Asks for the status of the root folder, because a container may forbid that call.
   */
  static Optional<String> refusal() {
    try {
      NativeLibrary.load();
    } catch (EngineException e) {
      return Optional.of(e.getMessage());
    }
    long result = Memory.allocate(FileStatus.BYTES);
    try (NativePath root = NativePath.of(Path.of("/"))) {
      int code = NativeFile.statusOfPath(root.address(), result);
      return code == 0
          ? Optional.empty()
          : Optional.of("the system call statx fails: " + SystemErrors.describe(code));
    } finally {
      Memory.free(result);
    }
  }

  /** Returns what is known of a file system. */
  FileSystemFacts facts(long device) {
    return facts.computeIfAbsent(device, number -> new FileSystemFacts());
  }

  /** Returns the ring, empty when there is none or it has failed. */
  Optional<RingThread> ring() {
    return Optional.ofNullable(ring).filter(each -> !each.isBroken());
  }

  /** Returns the pages of threads that wait for their reads. */
  PagePool readPages() {
    return readPages;
  }

  /** Returns how long a thread waits for a page at most. */
  static long pageTimeoutMillis() {
    return PAGE_TIMEOUT_MILLIS;
  }

  /** Returns the bytes of pages. */
  long pageBytes() {
    return memory.allocatedBytes();
  }

  /** Counts a user; {@link #release} ends its use. */
  void retain() {
    users.incrementAndGet();
  }

  /** Ends a use; the last one closes the storage. Does not wait. */
  void release() {
    if (users.decrementAndGet() == 0) {
      if (ring == null) {
        closePools();
      } else {
        ring.stop();
      }
    }
  }

  /** Waits until the thread of a closed storage has ended and its memory is free. For tests. */
  void awaitClosed() {
    if (ring != null) {
      ring.join();
    }
  }

  private void closePools() {
    Closer closer = new Closer();
    closer.close(ringPages);
    closer.close(readPages);
    closer.close(memory);
    try {
      closer.rethrow();
    } catch (RuntimeException e) {
      LOG.error("pages for direct reads are still in use", e);
    }
  }
}

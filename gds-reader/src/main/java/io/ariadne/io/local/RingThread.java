package io.ariadne.io.local;

import io.ariadne.error.EngineException;
import io.ariadne.event.ThreadRecord;
import io.ariadne.event.Threads;
import io.ariadne.event.Wait;
import io.ariadne.event.WaitKind;
import io.ariadne.io.ReadCounters;
import io.ariadne.memory.PagePool;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread of a process's {@code io_uring}: passes pieces of reads to the kernel, at most {@value
 * #DEPTH} at a time, and takes the results. Reads begin in the order of their start. One thread
 * does both, because the kernel ends the requests of a thread that ends, and copies bytes of the
 * page cache on the thread that has asked for them.
 *
 * <pre>
 *  submit, cancel --> incoming --> active: reads with pieces to begin
 *                                    |  a free slot, and a page if the piece needs one
 *                                    v
 *                     again ---> appended ---> in the kernel ---> result: Piece.accept
 *                       ^                                            |  done: the slot is free
 *                       +---------------- more bytes needed ---------+
 * </pre>
 *
 * <p>The thread ends after {@link #stop}, once nothing is in the kernel; only then are ring and
 * pages closed.
 */
final class RingThread implements Runnable {
  /** Most calls in the kernel at a time. */
  static final int DEPTH = 64;

  /** Most bytes of one call. */
  static final int PIECE_BYTES = Pieces.PAGE_BYTES;

  private static final Logger LOG = LoggerFactory.getLogger(RingThread.class);
  private static final String NAME = "ariadne-io-ring";
  private static final long START_TIMEOUT_SECONDS = 15;
  private static final long STOP_TIMEOUT_SECONDS = 30;
  private static final long LONGEST_WAIT_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long FAILURE_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long RETRY_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final int SLOT_BITS = 8;
  private static final long CANCEL_BIT = 1L << 62;

  private final Ring.Opener opener;
  private final PagePool pages;
  private final Runnable whenEnded;
  private final CompletableFuture<Optional<String>> opened = new CompletableFuture<>();
  private final Thread thread = Threads.daemon(NAME, this);

  /** Reads that were started or cancelled since the thread has looked. */
  private final Queue<RingRead> incoming = new ConcurrentLinkedQueue<>();

  /** Whether the thread is about to wait, so that it must be notified. */
  private final AtomicBoolean sleeping = new AtomicBoolean();

  private volatile boolean isStopping;
  private volatile boolean isBroken;

  /** Only the thread itself uses what follows, but {@link Ring#notifyThread}. */
  private volatile Ring ring;

  private final Slot[] slots = new Slot[DEPTH];
  private final Deque<Slot> free = new ArrayDeque<>();
  private final Deque<Slot> again = new ArrayDeque<>();
  private final Deque<RingRead> active = new ArrayDeque<>();

  /** What was appended and not passed to the kernel yet, in order. */
  private final Deque<Slot> appended = new ArrayDeque<>();

  /** Stand in {@link #appended} for requests that are not calls of pieces. */
  private final Slot notification = new Slot(-1);

  private final Slot cancellation = new Slot(-1);
  private boolean awaitsNotification;
  private int inKernel;
  private int lentPages;
  private long lastId;
  private long bytesInKernel;

  /** A piece with a call. */
  private static final class Slot {
    final int index;
    long id;
    RingRead read;
    Piece piece;
    long startNanos;
    boolean isInKernel;

    Slot(int index) {
      this.index = index;
    }
  }

  /**
   * The outcome of a start.
   *
   * @param ring the ring, empty when there is none
   * @param reason why there is none, otherwise empty
   */
  record Started(Optional<RingThread> ring, String reason) {
    static Started refused(String reason) {
      return new Started(Optional.empty(), reason);
    }
  }

  private RingThread(Ring.Opener opener, PagePool pages, Runnable whenEnded) {
    this.opener = opener;
    this.pages = pages;
    this.whenEnded = whenEnded;
    for (int i = 0; i < DEPTH; i++) {
      slots[i] = new Slot(i);
      free.add(slots[i]);
    }
  }

  /**
   * Starts the thread and asks the kernel for a ring.
   *
   * @param opener opens the ring, called by the thread
   * @param pages pages for direct reads, used by this ring only; stay owned by the caller
   * @param whenEnded called once by the thread when it ends, after {@link #stop}; not called when
   *     there is no ring
   */
  static Started start(Ring.Opener opener, PagePool pages, Runnable whenEnded) {
    RingThread started = new RingThread(opener, pages, whenEnded);
    started.thread.start();
    try {
      Optional<String> refusal = started.opened.get(START_TIMEOUT_SECONDS, TimeUnit.SECONDS);
      return refusal.map(Started::refused).orElseGet(() -> new Started(Optional.of(started), ""));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      started.isStopping = true;
      return Started.refused("interrupted");
    } catch (TimeoutException e) {
      started.isStopping = true;
      return Started.refused("no answer within " + START_TIMEOUT_SECONDS + " s");
    } catch (ExecutionException e) {
      throw new IllegalStateException("cannot start " + NAME, e.getCause());
    }
  }

  /** Returns what it is, for the start-up line. */
  String description() {
    return "io_uring (" + DEPTH + " x " + (PIECE_BYTES >> 20) + " MiB)";
  }

  /** Returns whether the kernel has refused a call, so that reads must be made otherwise. */
  boolean isBroken() {
    return isBroken;
  }

  /** Starts a read. */
  void submit(RingRead read) {
    changed(read);
  }

  /** Makes the thread look at a read. */
  void changed(RingRead read) {
    incoming.add(read);
    wake();
  }

  private void wake() {
    if (sleeping.getAndSet(false)) {
      ring.notifyThread();
    }
  }

  /** Ends the thread once nothing is in the kernel. Does not wait. No read may be started. */
  void stop() {
    isStopping = true;
    // The thread waits for this notification in any case: a request must not stay in the kernel.
    ring.notifyThread();
  }

  /**
   * Waits until the thread has ended.
   *
   * @throws IllegalStateException when that takes too long, with what it is doing
   */
  void join() {
    try {
      thread.join(TimeUnit.SECONDS.toMillis(STOP_TIMEOUT_SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (thread.isAlive()) {
      throw new IllegalStateException(
          NAME + " has not ended: " + this + ", stopping: " + isStopping);
    }
  }

  @Override
  public void run() {
    try {
      ring = opener.open();
    } catch (Ring.RefusedException e) {
      opened.complete(Optional.of(e.getMessage()));
      return;
    } catch (RuntimeException | Error e) {
      opened.completeExceptionally(e);
      return;
    }
    ThreadRecord.current().mayWait(false);
    boolean isWanted = !isStopping && opened.complete(Optional.empty());
    if (isWanted) {
      serve();
      whenEnded.run();
    }
    ring.close(awaitsNotification);
  }

  private void serve() {
    try {
      while (!isDone()) {
        takeIncoming();
        append();
        enter();
        ring.reap(this::accept);
      }
    } catch (RuntimeException | Error e) {
      LOG.error("{} fails; later reads use other threads", NAME, e);
      isBroken = true;
      awaitKernel(new IOException(NAME + " has failed: " + e.getMessage(), e));
    }
  }

  /** Fails all reads. What is in the kernel is still awaited: it writes to memory. */
  private void awaitKernel(IOException reason) {
    while (!isStopping || inKernel > 0 || !incoming.isEmpty()) {
      giveUp(reason);
      if (inKernel > 0) {
        // A code would say what is known: that the ring does not work.
        ring.enter(0, 0);
        ring.reap(this::accept);
      }
      LockSupport.parkNanos(FAILURE_PAUSE_NANOS);
    }
  }

  private boolean isDone() {
    return isStopping
        && !awaitsNotification
        && inKernel == 0
        && appended.isEmpty()
        && again.isEmpty()
        && active.isEmpty()
        && incoming.isEmpty();
  }

  private void takeIncoming() {
    for (RingRead read = incoming.poll(); read != null; read = incoming.poll()) {
      boolean isNew = read.take();
      if (read.failure() != null) {
        endEarly(read);
      } else if (isNew && !read.endIfDone()) {
        active.addLast(read);
      }
    }
  }

  /** Ends a read that has failed or was cancelled, as soon as its calls have returned. */
  private void endEarly(RingRead read) {
    active.remove(read);
    for (Slot slot : slots) {
      if (slot.read == read && slot.isInKernel && ring.pushCancel(CANCEL_BIT, slot.id)) {
        appended.addLast(cancellation);
      }
    }
    again.removeIf(slot -> slot.read == read && end(slot));
    read.endIfDone();
  }

  /** Frees a slot whose piece needs no more calls; returns true. */
  private boolean end(Slot slot) {
    var taken = slot.piece.takePage();
    lentPages -= taken.size();
    if (!taken.isEmpty()) {
      pages.giveBack(taken);
    }
    slot.read.pieceEnded();
    slot.read = null;
    slot.piece = null;
    free.addLast(slot);
    return true;
  }

  /** Appends as many calls as there are slots and pages. */
  private void append() {
    if (!awaitsNotification && !isStopping && ring.pushNotification()) {
      awaitsNotification = true;
      appended.addLast(notification);
    }
    boolean hasSpace = true;
    while (hasSpace && !again.isEmpty()) {
      hasSpace = append(again.peekFirst());
      if (hasSpace) {
        again.removeFirst();
      }
    }
    while (hasSpace && !free.isEmpty() && !active.isEmpty()) {
      hasSpace = appendNext(active.peekFirst());
    }
  }

  /** Begins the next piece of a read; returns false when that must wait. */
  private boolean appendNext(RingRead read) {
    Piece piece = read.peek();
    if (piece == null) {
      active.removeFirst();
      if (read.failure() != null) {
        endEarly(read);
      }
      return true;
    }
    if (piece.needsPage() && !usePage(read, piece)) {
      return false;
    }
    Slot slot = free.removeFirst();
    slot.read = read;
    slot.piece = piece;
    read.begin();
    if (!append(slot)) {
      again.addFirst(slot);
      return false;
    }
    return true;
  }

  /**
   * Gives a page to a piece; returns false when pages of pieces in the kernel must return first.
   */
  private boolean usePage(RingRead read, Piece piece) {
    if (lentPages == pages.maxPages()) {
      return false;
    }
    try {
      piece.usePage(pages.take(1, 0).get(0));
      lentPages++;
      return true;
    } catch (EngineException e) {
      if (lentPages == 0) {
        // No page will return that could be waited for.
        read.fail(new IOException("no page for a direct read of " + read.file().name(), e));
      }
      return lentPages == 0;
    }
  }

  private boolean append(Slot slot) {
    slot.id = (++lastId << SLOT_BITS) | slot.index;
    if (!ring.pushRead(slot.id, slot.piece)) {
      return false;
    }
    slot.startNanos = System.nanoTime();
    slot.isInKernel = true;
    inKernel++;
    bytesInKernel += slot.piece.callLength();
    appended.addLast(slot);
    return true;
  }

  /** Passes what was appended to the kernel, and waits for results. */
  private void enter() {
    sleeping.set(true);
    boolean mayWait = incoming.isEmpty() && !isDone();
    Wait wait = mayWait && inKernel > 0 ? beginWait() : null;
    int code;
    try {
      code = ring.enter(mayWait ? 1 : 0, LONGEST_WAIT_NANOS);
    } finally {
      if (wait != null) {
        wait.close();
      }
    }
    sleeping.set(false);
    if (code >= 0) {
      for (int i = 0; i < code; i++) {
        appended.removeFirst();
      }
      return;
    }
    switch (-code) {
      case SystemErrors.ETIME, SystemErrors.EINTR -> {}
      case SystemErrors.EAGAIN, SystemErrors.EBUSY -> LockSupport.parkNanos(RETRY_PAUSE_NANOS);
      default -> throw new IllegalStateException("io_uring_enter: " + SystemErrors.describe(code));
    }
  }

  private Wait beginWait() {
    return ThreadRecord.current().await(WaitKind.DISK, this, bytesInKernel, null);
  }

  /** Takes a result of the kernel. */
  private void accept(long id, int code) {
    if (id == Ring.NOTIFIED) {
      awaitsNotification = false;
      return;
    }
    if ((id & CANCEL_BIT) != 0) {
      return;
    }
    Slot slot = slots[(int) (id & ((1 << SLOT_BITS) - 1))];
    if (slot.id != id || !slot.isInKernel) {
      LOG.error("io_uring has a result without a request: {}", id);
      return;
    }
    leaveKernel(slot);
    count(slot, code);
    RingRead read = slot.read;
    if (isAccepted(slot, code)) {
      end(slot);
      read.endIfDone();
    } else {
      again.addLast(slot);
    }
  }

  /** Returns whether the piece of a slot needs no more calls. */
  private boolean isAccepted(Slot slot, int code) {
    RingRead read = slot.read;
    if (read.failure() != null) {
      return true;
    }
    try {
      return slot.piece.accept(code);
    } catch (IOException | RuntimeException | Error e) {
      // Must not leave this method: other results of the same batch would be lost.
      read.fail(e);
      endEarly(read);
      return true;
    }
  }

  private void leaveKernel(Slot slot) {
    slot.isInKernel = false;
    inKernel--;
    bytesInKernel -= slot.piece.callLength();
  }

  private static void count(Slot slot, int code) {
    ReadCounters counters = slot.read.counters();
    counters.requests().increment();
    counters.nanos().add(System.nanoTime() - slot.startNanos);
    if (code > 0) {
      counters.bytes().add(code);
    } else if (code < 0) {
      counters.retries().increment();
    }
  }

  /** Fails every read; those with calls in the kernel end when these return. */
  private void giveUp(IOException reason) {
    int retracted = ring.retract();
    for (int i = 0; i < retracted && !appended.isEmpty(); i++) {
      Slot slot = appended.removeLast();
      awaitsNotification &= slot != notification;
      if (slot.isInKernel) {
        leaveKernel(slot);
        again.addLast(slot);
      }
    }
    appended.clear();
    active.addAll(incoming);
    incoming.clear();
    for (Slot slot : slots) {
      if (slot.read != null) {
        slot.read.fail(reason);
        active.addLast(slot.read);
      }
    }
    again.removeIf(this::end);
    for (RingRead read : active) {
      read.take();
      read.fail(reason);
      read.endIfDone();
    }
    active.clear();
  }

  @Override
  public String toString() {
    return inKernel + " reads of local files";
  }
}

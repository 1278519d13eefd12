package io.ariadne.shuffle.transport.ucx;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.event.ThreadRecord;
import io.ariadne.event.Threads;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.openucx.jucx.ucp.UcpConstants;
import org.openucx.jucx.ucp.UcpContext;
import org.openucx.jucx.ucp.UcpEndpoint;
import org.openucx.jucx.ucp.UcpEndpointParams;
import org.openucx.jucx.ucp.UcpParams;
import org.openucx.jucx.ucp.UcpWorker;
import org.openucx.jucx.ucp.UcpWorkerParams;
import org.openucx.jucx.ucs.UcsConstants;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that makes all calls of one UCX worker, and runs its callbacks. It sleeps while there
 * is nothing to do. Thread-safe.
 *
 * <p>An error of UCX, or an {@link Error} of a step or a {@link #guard callback}, is a failure of
 * the loop: what the step has left undone is unknown. It then refuses steps, and its last step
 * closes what is open.
 */
final class UcxLoop implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(UcxLoop.class);

  /** Calls of UCX in a row before the steps of other threads. */
  private static final int MAX_PROGRESS = 64;

  /** How long {@link #close} waits for UCX to end its connections. */
  private static final Duration END = Duration.ofSeconds(5);

  /** Between looks for work of UCX when nothing wakes the thread. */
  private static final Duration PAUSE = Duration.ofMillis(10);

  /**
   * UCX's setting UCX_TCP_CONN_NB: else the thread, and all peers with it, waits some minutes for
   * the system to connect to an address that does not answer.
   */
  private static final String CONNECTS_WITHOUT_WAITING = "CONN_NB";

  /** UCX's setting of the time between looks whether peers still have their connections. */
  private static final String KEEPALIVE_INTERVAL = "KEEPALIVE_INTERVAL";

  /** UCX's setting of the devices that it may use. */
  private static final String NET_DEVICES = "NET_DEVICES";

  /** UCX's 20 s would keep blocks in memory that long for peers that do not fetch them any more. */
  private static final Duration KEEPALIVE = Duration.ofSeconds(2);

  private final Queue<Runnable> steps = new ConcurrentLinkedQueue<>();

  /** Steps that callbacks of UCX leave; used by the thread of this loop. */
  private final Queue<Runnable> afterCallback = new ArrayDeque<>();

  /** Connections that UCX still closes; used by the thread of this loop. */
  private final List<UcxConnection> closing = new ArrayList<>();

  private final UcpContext context;
  private final UcpWorker worker;
  private final WorkerAddress address;
  private final Thread thread;

  /** Guards against steps that come after the last one has run. */
  private final Object stepsLock = new Object();

  @GuardedBy("stepsLock")
  private boolean isClosing;

  private volatile boolean isFreed;

  /** What has failed; null for nothing. */
  @GuardedBy("stepsLock")
  private Throwable failure;

  /** Runs after a failure. */
  @GuardedBy("stepsLock")
  private Runnable lastStep = () -> {};

  /**
   * Starts the thread.
   *
   * @param name of the thread
   * @param devices network devices, as UCX names them; empty for those that UCX chooses
   */
  UcxLoop(String name, Optional<String> devices) {
    UcpParams params =
        new UcpParams()
            .requestAmFeature()
            .requestWakeupFeature()
            .setConfig(CONNECTS_WITHOUT_WAITING, "y")
            .setConfig(KEEPALIVE_INTERVAL, KEEPALIVE.toSeconds() + "s");
    devices.ifPresent(names -> params.setConfig(NET_DEVICES, names));
    context = new UcpContext(params);
    UcpWorker opened = null;
    try {
      opened = context.newWorker(new UcpWorkerParams().requestThreadSafety());
      address = new WorkerAddress(opened.getAddress());
      ignoreMessages(opened);
    } catch (RuntimeException | Error e) {
      if (opened != null) {
        opened.close();
      }
      context.close();
      throw e;
    }
    worker = opened;
    thread = Threads.daemon(name, this::run);
    thread.start();
  }

  /**
   * Ignores messages of all kinds that have no handler. UCX 1.13 takes what lies in memory for the
   * handler of a kind when only a higher one has been set.
   */
  private static void ignoreMessages(UcpWorker worker) {
    for (int kind = 0; kind <= UcxSessions.LAST_KIND; kind++) {
      worker.setAmRecvHandler(
          kind,
          (header, headerBytes, data, endpoint) -> UcsConstants.STATUS.UCS_OK,
          UcpConstants.UCP_AM_FLAG_WHOLE_MSG);
    }
  }

  /** Returns bytes of UCX, big endian as all numbers of the transport. */
  static ByteBuffer bytes(long address, long lengthInBytes) {
    return Memory.byteBuffer(address, Math.toIntExact(lengthInBytes)).order(ByteOrder.BIG_ENDIAN);
  }

  /** Returns the worker, for calls on the thread of this loop. */
  UcpWorker worker() {
    return worker;
  }

  /** Returns where peers reach the worker. Any thread may call this. */
  WorkerAddress address() {
    return address;
  }

  /**
   * Connects to a peer. Called on the thread of this loop, outside of callbacks.
   *
   * @param peer its worker
   * @param whenLost takes the reason when the connection has failed, on the thread of this loop
   * @return this side's end, which the caller closes
   * @throws RuntimeException when UCX finds no way to the peer
   */
  UcxConnection connect(WorkerAddress peer, Consumer<String> whenLost) {
    return UcxConnection.made(this, endpoint(peer, whenLost));
  }

  /**
   * Takes the oldest connection that a peer has made and this side has not taken. Called on the
   * thread of this loop, outside of callbacks: UCX 1.13 frees the connection whose message it
   * reads. The arguments are those of {@link #connect}.
   *
   * @return this side's end, which the caller closes
   */
  UcxConnection take(WorkerAddress peer, Consumer<String> whenLost) {
    return UcxConnection.taken(this, endpoint(peer, whenLost));
  }

  /** Returns UCX's object; UCX decides by what the peer has sent whether it connects or takes. */
  private UcpEndpoint endpoint(WorkerAddress peer, Consumer<String> whenLost) {
    if (!peer.isLike(address)) {
      throw new IllegalArgumentException("its version of UCX has other addresses");
    }
    return worker.newEndpoint(
        new UcpEndpointParams()
            .setUcpAddress(peer.forUcx())
            .setPeerErrorHandlingMode()
            .setNoLoopbackMode()
            .setErrorHandler(
                (endpoint, status, message) -> {
                  var unused = execute(() -> whenLost.accept(message));
                }));
  }

  /**
   * Runs a step on the thread of this loop, soon.
   *
   * @return false when the loop is closed or has failed: the step does not run
   */
  boolean execute(Runnable step) {
    synchronized (stepsLock) {
      if (isClosing || failure != null) {
        return false;
      }
      steps.add(step);
      worker.signal(); // within the lock, because a closed worker must not be signalled
    }
    return true;
  }

  /**
   * Runs what UCX calls back, and keeps from UCX what that throws: an exception is logged, an error
   * fails this loop. Called on the thread of this loop.
   */
  void guard(Runnable callback) {
    try {
      callback.run();
    } catch (RuntimeException e) {
      LOG.error("a callback of the transport over UCX has failed", e);
    } catch (Error e) {
      fails(e);
    }
  }

  /**
   * Runs a step right after the call of UCX that calls back now. A callback must not take or close
   * connections, because UCX still reads from one. Called on the thread of this loop.
   */
  void afterCallback(Runnable step) {
    afterCallback.add(step);
  }

  /** Makes an error fail this loop, soon. */
  void fails(Error cause) {
    boolean isTaken =
        execute(
            () -> {
              throw cause;
            });
    if (!isTaken) {
      LOG.error("a callback of the transport over UCX has failed after its end", cause);
    }
  }

  /**
   * Sets the step that runs after a failure and all other steps, on the thread of this loop.
   *
   * @param step closes what is open
   */
  void whenFailed(Runnable step) {
    synchronized (stepsLock) {
      lastStep = step;
    }
  }

  /** Returns what has failed; null for nothing. */
  Throwable failure() {
    synchronized (stepsLock) {
      return failure;
    }
  }

  private void run() {
    ThreadRecord.current().mayWait(false); // all peers would wait with it
    try {
      while (!isOver()) {
        boolean hasWorked = runSteps();
        hasWorked |= progress();
        if (!hasWorked) {
          worker.waitForEvents();
        }
      }
    } catch (Throwable e) {
      fail(e);
      progressUntilClosed();
    }
    end();
  }

  /** Lets the steps there are run, so that no request waits for a reply that cannot come. */
  private void fail(Throwable cause) {
    LOG.error("UCX has failed; executors fetch over TCP instead", cause);
    Runnable last;
    synchronized (stepsLock) {
      failure = cause;
      last = lastStep;
    }
    for (Runnable step = steps.poll(); step != null; step = steps.poll()) {
      runAfterFailure(step);
    }
    runAfterFailure(last);
  }

  /** Lets UCX tell peers that their connections are closed; nothing wakes the thread any more. */
  private void progressUntilClosed() {
    while (!isOver()) {
      var unused = progress();
      LockSupport.parkNanos(PAUSE.toNanos());
    }
  }

  private static void runAfterFailure(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException | Error e) {
      LOG.warn("a step of the transport over UCX has failed after UCX has", e);
    }
  }

  /** Makes the end of this wait for the end of a connection. Called on the thread of this loop. */
  void awaitEnd(UcxConnection connection) {
    closing.removeIf(UcxConnection::isOver);
    closing.add(connection);
  }

  /**
   * Lets UCX end its connections, which frees what it still writes to, then frees UCX's memory. UCX
   * 1.13 may abort the process when a worker ends that still sets connections up.
   */
  private void end() {
    while (!areClosed()) {
      if (!progress()) {
        LockSupport.parkNanos(PAUSE.toNanos());
      }
    }
    try {
      worker.close();
      context.close();
      isFreed = true;
    } catch (RuntimeException e) {
      LOG.error("UCX does not free its memory", e);
    }
  }

  private boolean areClosed() {
    return closing.stream().allMatch(UcxConnection::isOver);
  }

  private boolean isOver() {
    synchronized (stepsLock) {
      return isClosing && steps.isEmpty();
    }
  }

  private boolean runSteps() {
    boolean hasRun = false;
    for (Runnable step = steps.poll(); step != null; step = steps.poll()) {
      hasRun = true;
      try {
        step.run();
      } catch (RuntimeException e) {
        LOG.error("a step of the transport over UCX has failed", e);
      }
    }
    return hasRun;
  }

  /** Makes UCX work; returns whether it had something to do. */
  boolean progress() {
    int calls = 0;
    while (calls < MAX_PROGRESS && progressOnce()) {
      calls++;
    }
    return calls > 0;
  }

  private boolean progressOnce() {
    boolean hasWorked = false;
    try {
      hasWorked = worker.progress() != 0;
    } catch (Exception e) { // as UcpWorker declares
      LOG.error("a callback of UCX has failed", e);
    }
    for (Runnable step = afterCallback.poll(); step != null; step = afterCallback.poll()) {
      hasWorked = true;
      guard(step);
    }
    return hasWorked;
  }

  /**
   * Runs the steps there are, ends the thread and frees UCX's memory. When UCX does not close its
   * connections in time, the thread waits for them, and frees the memory later. Idempotent.
   */
  @Override
  public void close() {
    synchronized (stepsLock) {
      if (isClosing) {
        return;
      }
      isClosing = true;
      worker.signal();
    }
    if (!Threads.join(thread, END)) {
      LOG.warn("UCX has not closed its connections in {} s, and continues", END.toSeconds());
    }
  }

  /** Returns whether UCX's memory is freed. Any thread may call this. */
  boolean isFreed() {
    return isFreed;
  }
}

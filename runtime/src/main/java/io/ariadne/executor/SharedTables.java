package io.ariadne.executor;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ariadne.backend.Backend;
import io.ariadne.columnar.BatchSource;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.event.ThreadRecord;
import io.ariadne.event.Threads;
import io.ariadne.event.Wait;
import io.ariadne.event.WaitKind;
import io.ariadne.fragment.FragmentExecution;
import io.ariadne.fragment.control.TaskEnvironment;
import io.ariadne.memory.Reclaimer;
import io.ariadne.operator.join.SharedBuild;
import io.ariadne.pipeline.plan.LocalPlan;
import io.ariadne.pipeline.plan.LocalPlanner;
import io.ariadne.plan.InputNode;
import io.ariadne.plan.JoinNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Hash tables that several tasks of a process build from the same rows, built once. The first task
 * that asks for a table builds it with a fragment of its own. Other tasks that ask meanwhile wait
 * before their own fragment begins, so that they hold no memory while they wait. If building fails,
 * the waiting tasks try one after the other. Thread-safe.
 *
 * <p>A table without users is kept for some seconds for later tasks, unless an allocation lacks
 * memory. A table that is in use when this is closed is freed by its last user. A table on a lost
 * device is given to no further task.
 */
public final class SharedTables implements Reclaimer, AutoCloseable {
  /** How long a table without users is kept. */
  static final long IDLE_MILLIS = 2_000;

  /** How often a waiting task checks whether it was cancelled. */
  private static final long CANCEL_POLL_MILLIS = 50;

  private final Fragments fragments;
  private final ScheduledThreadPoolExecutor timer;

  /** Guards the fields below; not held while memory is allocated. */
  private final ReentrantLock lock = new ReentrantLock();

  private final Condition changed = lock.newCondition();

  @GuardedBy("lock")
  private final Map<Key, Entry> entries = new HashMap<>();

  @GuardedBy("lock")
  private int waiting;

  @GuardedBy("lock")
  private boolean closed;

  /** Runs the fragments that build tables. */
  interface Fragments {
    /**
     * Returns the back end of fragments that start now. It changes at most once, when a device is
     * lost.
     */
    Backend backend();

    /** Prepares a fragment as {@link ExecutorRuntime#execute} does. */
    FragmentExecution execute(
        LocalPlan plan, List<BatchSource> inputs, TaskEnvironment environment);
  }

  /**
   * A task's request for a table.
   *
   * @param rowsId equal for equal rows
   * @param join a join that reads the rows directly as its build side
   * @param rows opens the rows; called only if this task builds the table
   * @param onBuilt called by the task that builds the table with the finished fragment, for its
   *     metrics
   */
  public record Request(
      Object rowsId,
      JoinNode join,
      Supplier<BatchSource> rows,
      Consumer<FragmentExecution> onBuilt) {
    /** Checks that the table can be shared. */
    public Request {
      if (!isShareable(join)) {
        throw new IllegalArgumentException("a table of join " + join.id() + " cannot be shared");
      }
    }
  }

  /**
   * Identifies a table.
   *
   * @param backend the back end whose memory holds the table: tables of a lost device are not found
   *     any more
   */
  private record Key(Object rowsId, SharedBuild.Shape shape, Backend backend) {}

  /** A table, or one that is being built. */
  private static final class Entry {
    private final Key key;
    private final String builder;
    private SharedBuild table; // null while it is being built
    private int users = 1;
    private long idleSinceNanos;

    Entry(Key key, String builder) {
      this.key = key;
      this.builder = builder;
    }

    boolean isIdle() {
      return table != null && users == 0;
    }
  }

  /** An entry that a task uses, and whether that task must build its table. */
  private record Claim(Entry entry, boolean isNew) {}

  /**
   * Creates an empty set.
   *
   * @param name name of the process's runtime, for the thread that frees tables
   * @param fragments builds tables
   */
  SharedTables(String name, Fragments fragments) {
    this.fragments = fragments;
    this.timer = new ScheduledThreadPoolExecutor(1, Threads.daemons(name + "-tables"));
    timer.setKeepAliveTime(2 * IDLE_MILLIS, TimeUnit.MILLISECONDS);
    timer.allowCoreThreadTimeOut(true);
  }

  /**
   * Returns whether other tasks may use the table of a join: its build side is an input without
   * further operators.
   */
  public static boolean isShareable(JoinNode join) {
    return join.spec().sharesBuild() && join.build() instanceof InputNode;
  }

  /**
   * Returns a lease of a table, which is built now if it does not exist; blocks.
   *
   * @param request the table
   * @param environment environment of the task's code on runtime threads
   * @return to be closed by the caller
   * @throws CancellationException if the task was cancelled
   * @throws IllegalStateException if the runtime is closed
   * @throws EngineException DEVICE_LOST if the device was lost while the table was built
   */
  public TableLease lease(Request request, TaskEnvironment environment) {
    Claim claim = claim(request, environment);
    Entry entry = claim.entry();
    if (claim.isNew()) {
      make(entry, request, environment);
    }
    return new TableLease(
        request.join().build().schema(), entry.table, entry.key.backend(), () -> release(entry));
  }

  /** Returns an entry with one more user; the caller must build the table of a new entry. */
  private Claim claim(Request request, TaskEnvironment environment) {
    lock.lock();
    try {
      while (true) {
        checkOpen();
        // Computed on each attempt: the device may have been lost during the wait.
        Entry mine = new Entry(keyOf(request), environment.description());
        Entry there = entries.putIfAbsent(mine.key, mine);
        if (there == null) {
          return new Claim(mine, true);
        }
        if (there.table != null) {
          there.users++;
          return new Claim(there, false);
        }
        await(there, environment);
      }
    } finally {
      lock.unlock();
    }
  }

  private Key keyOf(Request request) {
    return new Key(request.rowsId(), request.join().spec().buildShape(), fragments.backend());
  }

  /** Waits until a table is built or its builder has failed. */
  @GuardedBy("lock")
  private void await(Entry entry, TaskEnvironment environment) {
    String table = "the table that " + entry.builder + " builds of " + entry.key.rowsId;
    waiting++;
    Wait wait = ThreadRecord.current().await(WaitKind.OUTPUT, table, 0, null);
    try {
      while (!closed && entry.table == null && entries.get(entry.key) == entry) {
        if (environment.isCancelled()) {
          throw new CancellationException("the task was cancelled while it waited for " + table);
        }
        long unused = changed.awaitNanos(TimeUnit.MILLISECONDS.toNanos(CANCEL_POLL_MILLIS));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CancellationException("the task was interrupted while it waited for " + table);
    } finally {
      wait.close();
      waiting--;
    }
  }

  @GuardedBy("lock")
  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException("the runtime is closed");
    }
  }

  private void make(Entry entry, Request request, TaskEnvironment environment) {
    AtomicReference<SharedBuild> made = new AtomicReference<>();
    try {
      build(request, environment, made::set);
      checkBackend(entry.key.backend());
      lock.lock();
      try {
        entry.table = made.get();
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    } catch (RuntimeException | Error e) {
      withdraw(entry);
      Closer closer = new Closer();
      closer.close(made.get());
      closer.suppressIn(e);
      throw e;
    }
  }

  /** Checks that the back end was the same before and after a table was built. */
  private void checkBackend(Backend before) {
    if (fragments.backend() != before) {
      throw new EngineException(
          ErrorCode.DEVICE_LOST, before.lost().orElse("the back end has changed"));
    }
  }

  private void build(Request request, TaskEnvironment environment, Consumer<SharedBuild> target) {
    InputNode input = (InputNode) request.join().build();
    JoinNode join = request.join().withBuild(new InputNode(input.id(), 0, input.schema()));
    LocalPlan plan = LocalPlanner.planBuild(join, target);
    List<BatchSource> rows = List.of(request.rows().get());
    FragmentExecution execution = fragments.execute(plan, rows, environment);
    try (execution) {
      RecordBatch output = execution.next();
      if (output != null) {
        output.close();
        throw new IllegalStateException("a fragment that builds a table must not yield rows");
      }
    }
    request.onBuilt().accept(execution);
  }

  /** Removes an entry whose table could not be built, so that waiting tasks try. */
  private void withdraw(Entry entry) {
    lock.lock();
    try {
      entries.remove(entry.key, entry);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void release(Entry entry) {
    List<SharedBuild> freed = List.of();
    lock.lock();
    try {
      entry.users--;
      entry.idleSinceNanos = System.nanoTime();
      if (closed) {
        freed = removeIdle(0, false);
      } else if (entry.users == 0) {
        ScheduledFuture<?> unused =
            timer.schedule(this::freeIdle, IDLE_MILLIS, TimeUnit.MILLISECONDS);
      }
    } finally {
      lock.unlock();
    }
    closeAll(freed);
  }

  private void freeIdle() {
    long unused = free(TimeUnit.MILLISECONDS.toNanos(IDLE_MILLIS), false);
  }

  /**
   * Frees hash tables. Rows in the spill space leave memory themselves, and closing them might wait
   * for a batch that the calling thread moves.
   */
  @Override
  public long reclaim() {
    return free(0, true);
  }

  /** Frees tables that had no user for a time; returns approximately the bytes freed. */
  private long free(long idleNanos, boolean onlyTables) {
    List<SharedBuild> freed;
    lock.lock();
    try {
      freed = removeIdle(idleNanos, onlyTables);
    } finally {
      lock.unlock();
    }
    closeAll(freed);
    return freed.stream().mapToLong(SharedBuild::sizeInBytes).sum();
  }

  @GuardedBy("lock")
  private List<SharedBuild> removeIdle(long idleNanos, boolean onlyTables) {
    List<SharedBuild> idle = new ArrayList<>();
    for (Iterator<Entry> each = entries.values().iterator(); each.hasNext(); ) {
      Entry entry = each.next();
      if (entry.isIdle()
          && System.nanoTime() - entry.idleSinceNanos >= idleNanos
          && (entry.table.isTable() || !onlyTables)) {
        idle.add(entry.table);
        each.remove();
      }
    }
    return idle;
  }

  private static void closeAll(List<SharedBuild> tables) {
    Closer closer = new Closer();
    tables.forEach(closer::close);
    closer.rethrow();
  }

  /** Describes the tables in one line. */
  public String describe() {
    lock.lock();
    try {
      StringBuilder text = new StringBuilder("shared tables: ").append(entries.size());
      text.append(", ").append(waiting).append(" tasks wait for a table");
      for (Entry entry : entries.values()) {
        text.append("; of ").append(entry.key.rowsId);
        if (entry.table == null) {
          text.append(" being built by ").append(entry.builder);
        } else {
          text.append(" with ").append(entry.table.rowCount()).append(" rows, ");
          text.append(entry.users).append(" users");
        }
      }
      return text.toString();
    } finally {
      lock.unlock();
    }
  }

  /** Returns whether the thread of this has ended, after {@link #close}. */
  boolean isTerminated() {
    return timer.isTerminated();
  }

  /** Refuses further tasks, including waiting ones, and frees tables without users. Idempotent. */
  @Override
  public void close() {
    List<SharedBuild> freed;
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
      freed = removeIdle(0, false);
    } finally {
      lock.unlock();
    }
    timer.shutdownNow();
    closeAll(freed);
  }
}

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
 * The tables that the tasks of a process make of rows that all of them have, once each. The first
 * task that asks makes the table, by a fragment of its own; others that ask meanwhile wait for it
 * before their own fragment begins, so that they hold nothing. When it fails, each of them tries in
 * turn. Thread-safe.
 *
 * <p>A table that nobody uses stays for some seconds, for the tasks to come, unless somebody lacks
 * memory. One that is in use when this is closed goes with its last user. One that lies on a device
 * that was lost is given to no further task.
 */
public final class SharedTables implements Reclaimer, AutoCloseable {
  /** How long a table without users is kept. */
  static final long IDLE_MILLIS = 2_000;

  /** How often a task that waits looks whether it was cancelled. */
  private static final long LOOK_MILLIS = 50;

  private final Fragments fragments;
  private final ScheduledThreadPoolExecutor timer;

  /** Guards all below; not held while memory is asked for. */
  private final ReentrantLock lock = new ReentrantLock();

  private final Condition changed = lock.newCondition();

  @GuardedBy("lock")
  private final Map<Key, Entry> entries = new HashMap<>();

  @GuardedBy("lock")
  private int waiting;

  @GuardedBy("lock")
  private boolean closed;

  /** Runs the fragments that make tables. */
  interface Fragments {
    /**
     * Returns where the kernels of fragments run that start now. It changes once at most, when a
     * device is lost.
     */
    Backend backend();

    /** Prepares a fragment as {@link ExecutorRuntime#execute}. */
    FragmentExecution execute(
        LocalPlan plan, List<BatchSource> inputs, TaskEnvironment environment);
  }

  /**
   * What a task asks for.
   *
   * @param rowsId equal for equal rows
   * @param join which reads them, directly, as its build side
   * @param rows opens them; asked only by the task that makes the table
   * @param onBuilt are told what making the table has cost, by the same task
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
   * What tables are known by.
   *
   * @param backend where their kernels' memory is: tables of a lost device are found no more
   */
  private record Key(Object rowsId, SharedBuild.Shape shape, Backend backend) {}

  /** A table, or one that is being made. */
  private static final class Entry {
    private final Key key;
    private final String maker;
    private SharedBuild table; // null while it is made
    private int users = 1;
    private long idleSinceNanos;

    Entry(Key key, String maker) {
      this.key = key;
      this.maker = maker;
    }

    boolean isIdle() {
      return table != null && users == 0;
    }
  }

  /** An entry that a task uses, and whether the task is the one to make its table. */
  private record Claim(Entry entry, boolean isNew) {}

  /**
   * Creates an empty set.
   *
   * @param name of the process's runtime, for the thread that frees tables
   * @param fragments makes tables
   */
  SharedTables(String name, Fragments fragments) {
    this.fragments = fragments;
    this.timer = new ScheduledThreadPoolExecutor(1, Threads.daemons(name + "-tables"));
    timer.setKeepAliveTime(2 * IDLE_MILLIS, TimeUnit.MILLISECONDS);
    timer.allowCoreThreadTimeOut(true);
  }

  /** Returns whether the table of a join may be used by others: its rows come as they are. */
  public static boolean isShareable(JoinNode join) {
    return join.spec().sharesBuild() && join.build() instanceof InputNode;
  }

  /**
   * Returns the use of a table, which is made now unless it is there; blocks.
   *
   * @param request what is asked for
   * @param environment the task's surroundings
   * @return to be closed by the caller
   * @throws CancellationException when the task was cancelled
   * @throws IllegalStateException when the runtime is closed
   * @throws EngineException DEVICE_LOST when the device was lost while the table was made
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

  /** Returns the entry to be used, one more user counted: a new one is to be made by the caller. */
  private Claim claim(Request request, TaskEnvironment environment) {
    lock.lock();
    try {
      while (true) {
        checkOpen();
        // Each time anew: the device may have been lost during the wait.
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

  /** Waits until a table is there or will not be. */
  @GuardedBy("lock")
  private void await(Entry entry, TaskEnvironment environment) {
    String what = "the table that " + entry.maker + " makes of " + entry.key.rowsId;
    waiting++;
    Wait wait = ThreadRecord.current().await(WaitKind.OUTPUT, what, 0, null);
    try {
      while (!closed && entry.table == null && entries.get(entry.key) == entry) {
        if (environment.isCancelled()) {
          throw new CancellationException("the task was cancelled while it waited for " + what);
        }
        long unused = changed.awaitNanos(TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CancellationException("the task was interrupted while it waited for " + what);
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

  /** The table was made by the back end that there was before and after. */
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
        throw new IllegalStateException("what makes a table yields no rows");
      }
    }
    request.onBuilt().accept(execution);
  }

  /** Lets others try whose wait for a table is in vain. */
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
        freed = removeIdle(0);
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
    free(TimeUnit.MILLISECONDS.toNanos(IDLE_MILLIS));
  }

  @Override
  public long reclaim() {
    return free(0);
  }

  /** Frees tables that nobody has used for so long; returns what they took, about. */
  private long free(long idleNanos) {
    List<SharedBuild> freed;
    lock.lock();
    try {
      freed = removeIdle(idleNanos);
    } finally {
      lock.unlock();
    }
    closeAll(freed);
    return freed.stream().mapToLong(SharedBuild::sizeInBytes).sum();
  }

  @GuardedBy("lock")
  private List<SharedBuild> removeIdle(long idleNanos) {
    List<SharedBuild> idle = new ArrayList<>();
    for (Iterator<Entry> each = entries.values().iterator(); each.hasNext(); ) {
      Entry entry = each.next();
      if (entry.isIdle() && System.nanoTime() - entry.idleSinceNanos >= idleNanos) {
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

  /** Describes what there is, in a line. */
  public String describe() {
    lock.lock();
    try {
      StringBuilder text = new StringBuilder("shared tables: ").append(entries.size());
      text.append(", ").append(waiting).append(" tasks wait for one");
      for (Entry entry : entries.values()) {
        text.append("; of ").append(entry.key.rowsId);
        if (entry.table == null) {
          text.append(" being made by ").append(entry.maker);
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

  /** Returns whether no thread of this is left, after {@link #close}. */
  boolean isTerminated() {
    return timer.isTerminated();
  }

  /** Refuses further tasks, those that wait as well, and frees what nobody uses. Idempotent. */
  @Override
  public void close() {
    List<SharedBuild> freed;
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
      freed = removeIdle(0);
    } finally {
      lock.unlock();
    }
    timer.shutdownNow();
    closeAll(freed);
  }
}

package io.ariadne.executor;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ariadne.backend.Backend;
import io.ariadne.columnar.BatchSource;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.compute.ComputeExecutor;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.event.RoundFailures;
import io.ariadne.event.Threads;
import io.ariadne.fragment.FragmentExecution;
import io.ariadne.fragment.PipelinedFragment;
import io.ariadne.fragment.control.FragmentSettings;
import io.ariadne.fragment.control.SharedResources;
import io.ariadne.fragment.control.TaskEnvironment;
import io.ariadne.fragment.memory.PeakHistories;
import io.ariadne.fragment.memory.SplitMemory;
import io.ariadne.memory.MemoryPool;
import io.ariadne.operator.SplitSourceFactory;
import io.ariadne.operator.join.SharedBuild;
import io.ariadne.pipeline.plan.LocalPlan;
import io.ariadne.pipeline.plan.LocalPlanner;
import io.ariadne.plan.PlanNode;
import io.ariadne.spill.SpillSpace;
import io.ariadne.watch.Watchdog;
import io.ariadne.watch.Watched;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a process runs fragments with: one back end, one memory pool, one set of compute threads.
 *
 * <p>A runtime whose device is lost goes on with the host's kernels: fragments that use the device
 * fail with DEVICE_LOST, those that start afterwards do without it.
 *
 * <p>Thread-safe. Started once per process, though several may live side by side (tests, several
 * class loaders); the creator closes it, after which no thread and no byte of it is left.
 */
public final class ExecutorRuntime implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ExecutorRuntime.class);

  /** Threads that wait for disks in place of compute threads. */
  private static final int PRELOAD_THREADS = 2;

  private final RuntimeConfig config;
  private final SelectedBackend selected;
  private final RuntimeMemory memory;
  private final ComputeExecutor compute;
  private final ComputeExecutor preload;
  private final FragmentSettings settings;

  /** What fragments run with once the device is lost; the same where there is none. */
  private final FragmentSettings hostSettings;

  private final Watchdog watchdog;
  private final SharedTables tables;

  /** The open fragments, and what the watchdog looks at of each. */
  private final Map<PipelinedFragment, Watched> fragments = new ConcurrentHashMap<>();

  private final RoundFailures stopFailures =
      new RoundFailures(LOG, "the close of a fragment when the runtime stops fails");

  /** What other modules keep in this runtime, by class; guarded by this. */
  private final Map<Class<?>, RuntimeService> services = new LinkedHashMap<>();

  /** How many fragments are being prepared: each is refused, counted here or among the others. */
  @GuardedBy("this")
  private int starting;

  @GuardedBy("this")
  private boolean closed;

  private ExecutorRuntime(RuntimeConfig config, SelectedBackend selected) {
    this.config = config;
    this.selected = selected;
    this.memory = new RuntimeMemory(config, selected.backend());
    this.compute = new ComputeExecutor(config.name() + "-compute", config.computeThreads());
    this.preload = new ComputeExecutor(config.name() + "-preload", PRELOAD_THREADS);
    SharedResources shared = new SharedResources(preload, splitMemory(config), new PeakHistories());
    this.settings =
        new FragmentSettings(
            compute,
            memory.pool(),
            memory.kernelPool(),
            selected.backend(),
            config.limits(),
            shared,
            memory.spill(),
            memory.kernelSpill(),
            config.memory().retryPauseMillis());
    this.hostSettings =
        new FragmentSettings(
            compute,
            memory.pool(),
            memory.pool(),
            selected.backend().host(),
            config.limits(),
            shared,
            memory.spill(),
            memory.spill(),
            config.memory().retryPauseMillis());
    this.tables = new SharedTables(config.name(), new TableFragments());
    memory.pool().addReclaimer(tables);
    memory.kernelPool().addReclaimer(tables);
    this.watchdog =
        new Watchdog(
            config.name() + "-watchdog",
            config.limits().reportMillis(),
            fragments::values,
            this::describeShared);
    selected.backend().whenLost(this::deviceLost);
  }

  /** What makes tables that tasks share: fragments of this. */
  private final class TableFragments implements SharedTables.Fragments {
    @Override
    public Backend backend() {
      return ExecutorRuntime.this.backend();
    }

    @Override
    public FragmentExecution execute(
        LocalPlan plan, List<BatchSource> inputs, TaskEnvironment environment) {
      return ExecutorRuntime.this.execute(plan, inputs, environment);
    }
  }

  /** Called once, by the thread that met the error. */
  private void deviceLost(String cause) {
    DeviceLossAction onLoss = config.device().onLoss();
    LOG.error("{}; {}", cause, onLoss.description());
    memory.deviceLost(cause);
    onLoss.action().run();
  }

  /** Returns what fragments that start now run with. */
  private FragmentSettings settings() {
    return selected.backend().lost().isEmpty() ? settings : hostSettings;
  }

  /** Splits may hold, beside one of each pipeline, what every thread's fragment may in flight. */
  private static SplitMemory splitMemory(RuntimeConfig config) {
    return new SplitMemory(config.limits().bytesInFlight() * config.computeThreads());
  }

  /**
   * Opens the back end the settings ask for and starts the threads.
   *
   * @param config the settings
   * @return a runtime to be closed by the caller
   * @throws EngineException with a message of one line when the back end cannot be had
   */
  public static ExecutorRuntime start(RuntimeConfig config) {
    return start(config, BackendSelector.select(config));
  }

  /**
   * Starts the threads over a back end that is open.
   *
   * @param config the settings; its choice of back end is not looked at
   * @param selected the back end, owned by the runtime from now on
   * @return a runtime to be closed by the caller
   */
  public static ExecutorRuntime start(RuntimeConfig config, SelectedBackend selected) {
    ExecutorRuntime runtime;
    try {
      runtime = new ExecutorRuntime(config, selected);
    } catch (RuntimeException | Error e) {
      selected.backend().close();
      throw e;
    }
    LOG.debug("started: {}", runtime.description());
    return runtime;
  }

  /**
   * Returns back end, reason, instruction set, threads and memory limit in one line; once the
   * device is lost, the back end without it, and why.
   */
  public String description() {
    Backend backend = backend();
    return "back end "
        + backend.name()
        + " ("
        + backend.isa()
        + "; "
        + selected.backend().lost().orElse(selected.reason())
        + "), "
        + config.computeThreads()
        + " compute threads, "
        + memory.describe();
  }

  /** Returns the settings. */
  public RuntimeConfig config() {
    return config;
  }

  /** Returns the smaller of {@code wanted} and the configured rows of a batch. */
  public int batchRows(int wanted) {
    return Math.min(wanted, config.batchRows());
  }

  /**
   * Returns where kernels of fragments run that start now: the host once the device is lost. Stays
   * owned by this runtime.
   */
  public Backend backend() {
    return settings().backend();
  }

  /** Returns why the device of this runtime is lost, in one line; empty while it is not. */
  public Optional<String> lostDevice() {
    return selected.backend().lost();
  }

  /** Returns how much of each tier is in use. */
  public MemoryUsage memoryUsage() {
    return memory.usage();
  }

  /** Returns bytes that batches have on disk now. */
  public long spilledBytes() {
    return memoryUsage().diskBytes();
  }

  /** Returns bytes of memory that moves of batches to other tiers have freed so far. */
  public long movedBytes() {
    return memoryUsage().movedFromDevice() + memoryUsage().movedFromHost();
  }

  /** Returns the tables that tasks share; stay owned by this runtime. */
  public SharedTables tables() {
    return tables;
  }

  /** Returns the pool every buffer of the process comes from; stays owned by this runtime. */
  public MemoryPool pool() {
    return memory.pool();
  }

  /** Returns how much work runs at once: the task slots of the process. */
  public int computeThreads() {
    return config.computeThreads();
  }

  /**
   * Returns the runtime's instance of a service, which the first call creates.
   *
   * @param type the service's class
   * @param create makes the service from the pool of host memory and the place where batches in
   *     host memory are spilled from; does not call this runtime
   * @return the service, owned by this runtime
   * @throws IllegalStateException when there is no such service yet and the runtime is closed
   */
  public synchronized <S extends RuntimeService> S service(
      Class<S> type, BiFunction<MemoryPool, SpillSpace, S> create) {
    if (!services.containsKey(type)) {
      if (closed) {
        throw new IllegalStateException("the runtime is closed");
      }
      services.put(type, create.apply(memory.pool(), memory.spill()));
    }
    return type.cast(services.get(type));
  }

  private synchronized List<RuntimeService> services() {
    return List.copyOf(services.values());
  }

  /**
   * Prepares a plan fragment; work starts when the caller first asks for output.
   *
   * @param root the fragment's topmost node
   * @param inputs what its input nodes refer to by number, pulled by the calling thread alone;
   *     owned by the fragment from now on, also when this throws
   * @param environment the task's surroundings for runtime threads
   * @return the execution, to be closed by the caller
   * @throws EngineException UNSUPPORTED when an expression has no kernel
   * @throws IllegalStateException when the runtime is closed
   */
  public FragmentExecution submit(
      PlanNode root, List<BatchSource> inputs, TaskEnvironment environment) {
    return submit(root, inputs, List.of(), Map.of(), environment);
  }

  /**
   * Prepares a plan fragment that also scans; otherwise as {@link #submit(PlanNode, List, List,
   * Map, TaskEnvironment)}.
   *
   * @param root the fragment's topmost node
   * @param inputs what its input nodes refer to by number
   * @param scans what its scan nodes refer to by number
   * @param environment the task's surroundings for runtime threads
   * @return the execution, to be closed by the caller
   */
  public FragmentExecution submit(
      PlanNode root,
      List<BatchSource> inputs,
      List<SplitSourceFactory> scans,
      TaskEnvironment environment) {
    return submit(root, inputs, scans, Map.of(), environment);
  }

  /**
   * Prepares a plan fragment that also scans, and whose joins use tables that are there; work
   * starts when the caller first asks for output.
   *
   * @param root the fragment's topmost node
   * @param inputs what its input nodes refer to by number, pulled by the calling thread alone;
   *     owned by the fragment from now on, also when this throws
   * @param scans what its scan nodes refer to by number, called by this method once each
   * @param builds what joins share, by their numbers: the input of such a join is its lease of the
   *     {@link #tables}, which ends with the fragment
   * @param environment the task's surroundings for runtime threads
   * @return the execution, to be closed by the caller
   * @throws EngineException UNSUPPORTED when an expression has no kernel
   * @throws IllegalStateException when the runtime is closed
   */
  public FragmentExecution submit(
      PlanNode root,
      List<BatchSource> inputs,
      List<SplitSourceFactory> scans,
      Map<Integer, SharedBuild> builds,
      TaskEnvironment environment) {
    // Once: tables and kernels are of the same back end, also when the device is lost meanwhile.
    FragmentSettings now = settings();
    LocalPlan plan;
    try {
      inputs.forEach(input -> checkTable(input, now.backend()));
      plan = LocalPlanner.plan(root, environment.readsInputLocation(), builds);
    } catch (RuntimeException | Error e) {
      closeAll(inputs, e);
      throw e;
    }
    return execute(plan, inputs, scans, environment, now);
  }

  /** A table on a device that was lost since the task leased it is of no use to host kernels. */
  private void checkTable(BatchSource input, Backend backend) {
    if (input instanceof TableLease lease && lease.backend() != backend) {
      throw new EngineException(
          ErrorCode.DEVICE_LOST, lostDevice().orElse("the table of a join is another runtime's"));
    }
  }

  /**
   * Prepares a fragment whose pipelines are already planned; otherwise as {@link #submit(PlanNode,
   * List, TaskEnvironment)}.
   *
   * @param plan the pipelines
   * @param inputs what their inputs refer to by number
   * @param environment the task's surroundings for runtime threads
   * @return the execution, to be closed by the caller
   */
  public FragmentExecution execute(
      LocalPlan plan, List<BatchSource> inputs, TaskEnvironment environment) {
    return execute(plan, inputs, List.of(), environment);
  }

  /**
   * Prepares a fragment whose pipelines are already planned and which also scans; otherwise as
   * {@link #submit(PlanNode, List, List, Map, TaskEnvironment)}.
   *
   * @param plan the pipelines
   * @param inputs what their inputs refer to by number
   * @param scans what their scans refer to by number
   * @param environment the task's surroundings for runtime threads
   * @return the execution, to be closed by the caller
   */
  public FragmentExecution execute(
      LocalPlan plan,
      List<BatchSource> inputs,
      List<SplitSourceFactory> scans,
      TaskEnvironment environment) {
    return execute(plan, inputs, scans, environment, settings());
  }

  private FragmentExecution execute(
      LocalPlan plan,
      List<BatchSource> inputs,
      List<SplitSourceFactory> scans,
      TaskEnvironment environment,
      FragmentSettings with) {
    if (!beginStart()) {
      IllegalStateException refusal = new IllegalStateException("the runtime is closed");
      closeAll(inputs, refusal);
      throw refusal;
    }
    try {
      PipelinedFragment fragment =
          PipelinedFragment.start(plan, inputs, scans, environment, with, fragments::remove);
      fragments.put(fragment, fragment.watched());
      return fragment;
    } finally {
      endStart();
    }
  }

  private synchronized boolean beginStart() {
    if (!closed) {
      starting++;
    }
    return !closed;
  }

  private synchronized void endStart() {
    starting--;
  }

  private synchronized int startingCount() {
    return starting;
  }

  private static void closeAll(List<BatchSource> inputs, Throwable reason) {
    Closer closer = new Closer();
    inputs.forEach(closer::close);
    closer.suppressIn(reason);
  }

  /** Returns how many fragments are not closed. */
  public int openFragmentCount() {
    return fragments.size();
  }

  /** Describes every open fragment and what it waits for, for people. */
  public String diagnosis() {
    StringBuilder text = new StringBuilder(description()).append('\n');
    text.append(startingCount()).append(" fragments start\n");
    text.append(describeShared());
    text.append(tables.describe()).append('\n');
    fragments.keySet().forEach(fragment -> text.append(fragment.diagnosis()));
    return text.toString();
  }

  /** Describes threads and pools, and who holds most of these. */
  private String describeShared() {
    String work = backend().work();
    return compute.describe() + '\n' + (work.isEmpty() ? "" : work + '\n') + memory.state();
  }

  /** Returns what the watchdog said last, empty when all has always got on. */
  public String lastReport() {
    return watchdog.lastReport();
  }

  /**
   * Refuses new fragments, waits for those that start, cancels the open ones, waits until their
   * tasks have left them and closed the output they were given, stops the threads and gives
   * everything back. Idempotent; a second call does not wait for the first.
   *
   * @throws EngineException INTERNAL when fragments stay in use for longer than the settings allow,
   *     with the diagnosis: then the back end and the pools stay open under them; or when buffers
   *     are still open, with the leak report
   */
  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    Deadline deadline = new Deadline(config.stopTimeoutMillis());
    tables.close();
    boolean left = deadline.await(() -> startingCount() == 0);
    fragments.keySet().forEach(PipelinedFragment::cancel);
    services().forEach(RuntimeService::stop);
    left &= awaitFragments(deadline);
    String diagnosis = left ? "" : diagnosis();
    watchdog.close();
    compute.shutdown();
    preload.shutdown();
    if (left && !new Deadline(config.stopTimeoutMillis()).await(this::isTerminated)) {
      left = false;
      diagnosis = compute.describe() + "; " + preload.describe();
    }
    LOG.debug("stopped: {}", memory.state());
    if (!left) {
      throw new EngineException(
          ErrorCode.INTERNAL, "fragments are in use after the runtime stopped:\n" + diagnosis);
    }
    memory.pool().removeReclaimer(tables);
    memory.kernelPool().removeReclaimer(tables);
    Closer closer = new Closer();
    services().forEach(closer::close);
    memory.close(closer);
    closer.close(selected.backend());
    closer.rethrow();
  }

  private boolean isTerminated() {
    return compute.isTerminated() && preload.isTerminated() && tables.isTerminated();
  }

  /**
   * Closes the open fragments; then waits for the tasks to close output they were given, by these
   * fragments or by ones they have closed: they notice at their next call that all is gone.
   */
  private boolean awaitFragments(Deadline deadline) {
    if (!fragments.isEmpty() && !closeFragments(deadline)) {
      return false;
    }
    if (!deadline.await(() -> memory.allocatedBytes() == 0)) {
      LOG.warn("tasks have not closed the output of fragments when the runtime stopped");
    }
    return true;
  }

  /** Closes fragments on a thread of its own, because their inputs may block for ever. */
  private boolean closeFragments(Deadline deadline) {
    Thread closer =
        Threads.daemon(
            config.name() + "-stop", () -> fragments.keySet().forEach(this::closeLogged));
    closer.start();
    return deadline.await(() -> !closer.isAlive() && fragments.isEmpty());
  }

  private void closeLogged(PipelinedFragment fragment) {
    try {
      fragment.close();
    } catch (RuntimeException | Error e) {
      stopFailures.failed(e);
    }
  }
}

package io.ariadne.executor;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ariadne.backend.Backend;
import io.ariadne.backend.ProcessBackend;
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
import io.ariadne.io.ReadAhead;
import io.ariadne.memory.MemoryPool;
import io.ariadne.operator.SplitSourceFactory;
import io.ariadne.operator.join.SharedBuild;
import io.ariadne.pipeline.plan.LocalPlan;
import io.ariadne.pipeline.plan.LocalPlanner;
import io.ariadne.plan.PlanNode;
import io.ariadne.preload.PreloadExecutor;
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
 * Runs the plan fragments of a process with one back end, one set of memory pools and one set of
 * compute threads.
 *
 * <p>A runtime whose device is lost continues with the host's kernels: fragments that use the
 * device fail with DEVICE_LOST, fragments that start afterwards run on the host.
 *
 * <p>Thread-safe. Started once per process, though several runtimes may exist side by side (tests,
 * several class loaders). The creator closes it; afterwards none of its threads and none of its
 * memory is left.
 */
public final class ExecutorRuntime implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ExecutorRuntime.class);

  /** Threads that wait for disks, so that compute threads need not. */
  static final int PRELOAD_THREADS = 2;

  private final RuntimeConfig config;
  private final SelectedBackend selected;
  private final RuntimeMemory memory;
  private final ComputeExecutor compute;
  private final ComputeExecutor preload;
  private final PreloadExecutor readAhead;
  private final FragmentSettings settings;

  /**
   * The settings of fragments after the device is lost; equivalent to {@link #settings} without a
   * device.
   */
  private final FragmentSettings hostSettings;

  private final Watchdog watchdog;
  private final SharedTables tables;
  private final ProcessBackend shared;

  /** The open fragments, and the watchdog's view of each. */
  private final Map<PipelinedFragment, Watched> fragments = new ConcurrentHashMap<>();

  private final RoundFailures stopFailures =
      new RoundFailures(LOG, "closing a fragment while the runtime stops fails");

  /** What other modules keep in this runtime, by class; guarded by this. */
  private final Map<Class<?>, RuntimeService> services = new LinkedHashMap<>();

  /**
   * How many fragments are being prepared. During {@link #close} a fragment counts either here or
   * among the open ones.
   */
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
    this.readAhead = new PreloadExecutor(config.name(), config.preload(), memory.pool());
    if (config.memory().spilling().prefetches()) {
      memory.prefetchOn(readAhead.threads());
    }
    SharedResources shared = new SharedResources(preload, splitMemory(), new PeakHistories());
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
    this.shared = ProcessBackend.register(selected.backend());
  }

  /** Runs the fragments that build shared tables. */
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

  /** Reacts to the loss of the device; called once, by the thread that noticed it. */
  private void deviceLost(String cause) {
    DeviceLossAction onLoss = config.device().onLoss();
    LOG.error("{}; {}", cause, onLoss.description());
    memory.deviceLost(cause);
    onLoss.action().run();
  }

  /** Returns the settings of fragments that start now. */
  private FragmentSettings settings() {
    return selected.backend().lost().isEmpty() ? settings : hostSettings;
  }

  /**
   * Splits that are not the only one of their pipeline may hold as much as the in-flight limits of
   * one fragment per thread allow. Those of a single pipeline may hold what is free below the mark
   * at which batches are spilled.
   */
  private SplitMemory splitMemory() {
    return new SplitMemory(
        config.limits().bytesInFlight() * config.computeThreads(),
        () -> -memory.spill().excessBytes(),
        System::nanoTime);
  }

  /**
   * Opens the configured back end and starts the threads.
   *
   * @param config the configuration
   * @return a runtime to be closed by the caller
   * @throws EngineException with a message of one line if the back end is not available
   */
  public static ExecutorRuntime start(RuntimeConfig config) {
    return start(config, BackendSelector.select(config));
  }

  /**
   * Starts the threads over an open back end.
   *
   * @param config the configuration; its choice of back end is ignored
   * @param selected the back end, ownership passes to the runtime
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
   * Returns back end, reason, instruction set, threads and memory limit in one line; after the
   * device is lost, the host's back end and the cause of the loss.
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

  /** Returns the configuration. */
  public RuntimeConfig config() {
    return config;
  }

  /** Returns the smaller of {@code wanted} and the configured rows of a batch. */
  public int batchRows(int wanted) {
    return Math.min(wanted, config.batchRows());
  }

  /**
   * Returns the back end of fragments that start now: the host's once the device is lost. Stays
   * owned by this runtime.
   */
  public Backend backend() {
    return settings().backend();
  }

  /**
   * Returns the cause of the loss of this runtime's device, in one line; empty if it is not lost.
   */
  public Optional<String> lostDevice() {
    return selected.backend().lost();
  }

  /** Returns how much of each tier is in use. */
  public MemoryUsage memoryUsage() {
    return memory.usage();
  }

  /** Returns the bytes of batches that are on disk now. */
  public long spilledBytes() {
    return memoryUsage().diskBytes();
  }

  /** Returns the bytes of memory that moving batches to other tiers has freed so far. */
  public long movedBytes() {
    return memoryUsage().movedFromDevice() + memoryUsage().movedFromHost();
  }

  /** Returns the tables that tasks share; they stay owned by this runtime. */
  public SharedTables tables() {
    return tables;
  }

  /** Returns the pool of host memory; stays owned by this runtime. */
  public MemoryPool pool() {
    return memory.pool();
  }

  /** Returns what reads files for scans before they need the bytes; stays owned by this runtime. */
  public ReadAhead readAhead() {
    return readAhead;
  }

  /** Returns how many work items run at the same time: the task slots of the process. */
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
   * @param inputs the inputs that its input nodes refer to by index, pulled only by the calling
   *     thread; ownership passes to the fragment, also if this throws
   * @param environment environment of the task's code on runtime threads
   * @return the execution, to be closed by the caller
   * @throws EngineException UNSUPPORTED if an expression has no kernel
   * @throws IllegalStateException if the runtime is closed
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
   * @param inputs the inputs that its input nodes refer to by index
   * @param scans the scans that its scan nodes refer to by index
   * @param environment environment of the task's code on runtime threads
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
   * Prepares a plan fragment that also scans, and whose joins use existing hash tables; work starts
   * when the caller first asks for output.
   *
   * @param root the fragment's topmost node
   * @param inputs the inputs that its input nodes refer to by index, pulled only by the calling
   *     thread; ownership passes to the fragment, also if this throws
   * @param scans the scans that its scan nodes refer to by index; this method calls each once
   * @param builds the shared build sides by the ids of their joins. The input of such a join is its
   *     lease of the {@link #tables}, which ends with the fragment
   * @param environment environment of the task's code on runtime threads
   * @return the execution, to be closed by the caller
   * @throws EngineException UNSUPPORTED if an expression has no kernel
   * @throws IllegalStateException if the runtime is closed
   */
  public FragmentExecution submit(
      PlanNode root,
      List<BatchSource> inputs,
      List<SplitSourceFactory> scans,
      Map<Integer, SharedBuild> builds,
      TaskEnvironment environment) {
    // Read once: tables and kernels must use the same back end even if the device is lost
    // meanwhile.
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

  /**
   * Checks that a leased table is in the memory of the back end that will use it: the device may
   * have been lost since.
   */
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
   * @param inputs the inputs that their plan refers to by index
   * @param environment environment of the task's code on runtime threads
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
   * @param inputs the inputs that their plan refers to by index
   * @param scans the scans that their plan refers to by index
   * @param environment environment of the task's code on runtime threads
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

  /** Describes every open fragment and what it waits for. */
  public String diagnosis() {
    StringBuilder text = new StringBuilder(description()).append('\n');
    text.append(startingCount()).append(" fragments are starting\n");
    text.append(describeShared());
    text.append(tables.describe()).append('\n');
    fragments.keySet().forEach(fragment -> text.append(fragment.diagnosis()));
    return text.toString();
  }

  /** Describes the threads, the pools and their largest reservations. */
  private String describeShared() {
    String work = backend().work();
    return compute.describe()
        + '\n'
        + readAhead.describe()
        + '\n'
        + (work.isEmpty() ? "" : work + '\n')
        + memory.state();
  }

  /** Returns the watchdog's last report; empty if there was none. */
  public String lastReport() {
    return watchdog.lastReport();
  }

  /**
   * Refuses new fragments, waits for those that are starting, cancels the open ones, waits until
   * their tasks have left them and closed the output that they were given, stops the threads and
   * frees everything. Idempotent; a second call does not wait for the first.
   *
   * @throws EngineException INTERNAL with the diagnosis if fragments stay in use for longer than
   *     the configuration allows: the back end and the pools then stay open. INTERNAL with the leak
   *     report if buffers are still open
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
    Closer closer = new Closer();
    services().forEach(service -> closer.close(service::stop));
    left &= awaitFragments(deadline);
    String diagnosis = left ? "" : diagnosis();
    watchdog.close();
    compute.shutdown();
    preload.shutdown();
    readAhead.shutdown();
    if (left && !new Deadline(config.stopTimeoutMillis()).await(this::isTerminated)) {
      left = false;
      diagnosis = compute.describe() + "; " + preload.describe() + "; " + readAhead.describe();
    }
    LOG.debug("stopped: {}", memory.state());
    if (!left) {
      EngineException inUse =
          new EngineException(
              ErrorCode.INTERNAL,
              "fragments are still in use after the runtime stopped:\n" + diagnosis);
      closer.suppressIn(inUse);
      throw inUse;
    }
    memory.pool().removeReclaimer(tables);
    memory.kernelPool().removeReclaimer(tables);
    services().forEach(closer::close);
    closer.close(shared);
    memory.close(closer);
    closer.close(selected.backend());
    closer.rethrow();
  }

  private boolean isTerminated() {
    return compute.isTerminated()
        && preload.isTerminated()
        && readAhead.isTerminated()
        && tables.isTerminated();
  }

  /**
   * Closes the open fragments. Then waits for tasks to close output of these or of already closed
   * fragments; a task notices at its next call that the runtime has stopped.
   */
  private boolean awaitFragments(Deadline deadline) {
    if (!fragments.isEmpty() && !closeFragments(deadline)) {
      return false;
    }
    readAhead.shutdown();
    if (!deadline.await(() -> memory.allocatedBytes() == 0)) {
      LOG.warn("tasks had not closed the output of fragments when the runtime stopped");
    }
    return true;
  }

  /** Closes fragments on a separate thread, because their inputs may block for ever. */
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

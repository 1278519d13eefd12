package io.ariadne.fragment.admission;

import io.ariadne.fragment.admission.AdmissionPolicy.Candidate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;

/**
 * A discrete-event simulation, in virtual time, of a chain load, transform, inference under a limit
 * of memory. The decisions are those of {@link AdmissionPolicy} and {@link SourceBudget}; tasks are
 * durations and partitions are numbers of bytes. Deterministic.
 *
 * <p>What holds for every policy, as in the runtime: memory is reserved before a partition is made;
 * a load task whose next partition finds no memory gives its slot up until it does; and each slot
 * of the transform has memory for the partition that it makes, which loads may not take. So no
 * policy deadlocks while one partition of each stage fits.
 */
final class StreamingSimulation {
  /** Which policy chooses. */
  enum Policy {
    /** Each stage begins when the one before has ended; its output costs no memory and no time. */
    STAGED,
    /** Algorithm 1 with {@link SourceBudget}. */
    OPTIMISTIC,
    /** Algorithm 1 with the paper's counter, which is never compared with the memory in use. */
    COUNTER,
    /** Back-pressure only. */
    PESSIMISTIC
  }

  /**
   * What is run.
   *
   * @param policy the policy
   * @param drain how P is computed
   * @param memoryBytes limit of the memory
   * @param loads load tasks, which share the bytes and the time evenly; E7 has {@link #LOADS}
   * @param partitions partitions of a load task
   * @param loadSlots CPU slots that loads may use
   * @param transformSlots CPU slots that transforms may use; they share {@link #CPU_SLOTS} with
   *     loads
   * @param copies how many times a partition is in memory while it is made
   * @param reservedSlots for how many transforms memory is kept that loads may not take
   */
  record Arm(
      Policy policy,
      DrainRate.Drain drain,
      long memoryBytes,
      int loads,
      int partitions,
      int loadSlots,
      int transformSlots,
      int copies,
      int reservedSlots) {
    /** Returns the arm of the experiment: dynamic partitions, all slots for all operators. */
    static Arm of(Policy policy, DrainRate.Drain drain, long memoryBytes) {
      return new Arm(
          policy, drain, memoryBytes, LOADS, BATCHES_OF_LOAD, CPU_SLOTS, CPU_SLOTS, 1, CPU_SLOTS);
    }

    /** Returns this arm with load tasks that yield one partition each. */
    Arm withStaticPartitions() {
      return new Arm(
          policy, drain, memoryBytes, loads, 1, loadSlots, transformSlots, copies, reservedSlots);
    }

    /** Returns this arm with slots that do one kind of work only. */
    Arm withSlots(int forLoads, int forTransforms) {
      return new Arm(
          policy,
          drain,
          memoryBytes,
          loads,
          partitions,
          forLoads,
          forTransforms,
          copies,
          forTransforms);
    }

    /** Returns this arm with a load task for each partition. */
    Arm withSmallLoads() {
      return new Arm(
          policy,
          drain,
          memoryBytes,
          LOADS * BATCHES_OF_LOAD,
          1,
          loadSlots,
          transformSlots,
          copies,
          reservedSlots);
    }

    /** Returns this arm with partitions that are in memory several times while they are made. */
    Arm withCopies(int count) {
      return new Arm(
          policy,
          drain,
          memoryBytes,
          loads,
          partitions,
          loadSlots,
          transformSlots,
          count,
          reservedSlots);
    }

    /** Returns this arm with memory kept for fewer transforms. */
    Arm withReserve(int slots) {
      return new Arm(
          policy, drain, memoryBytes, loads, partitions, loadSlots, transformSlots, copies, slots);
    }
  }

  static final int CPU_SLOTS = 8;
  static final int GPU_SLOTS = 4;
  static final int LOADS = 160;
  static final int BATCHES_OF_LOAD = 5;

  /** A tenth of the paper's second, as all times are a tenth. */
  private static final long PERIOD_NANOS = 100_000_000;

  private static final long ALL_LOADS_NANOS = LOADS * 500_000_000L;
  private static final long ALL_LOADS_BYTES = LOADS * 500 * 50_000L;
  private static final long BATCH_BYTES = 100 * 50_000L;
  private static final long BATCH_NANOS = 50_000_000;

  private static final String CPU = "CPU";
  private static final String GPU = "GPU";

  private final Arm arm;
  private final long loadBytes;
  private final long partitionBytes;
  private final long partitionNanos;
  private final long useNanos;
  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private final Deque<Integer> suspended = new ArrayDeque<>();
  private final OperatorFigures[] figures = {
    new OperatorFigures(), new OperatorFigures(), new OperatorFigures()
  };
  private final int[] running = new int[3];
  private final int[] ended = new int[3];
  private final long[] queued = new long[3];
  private final SourceBudget budget;
  private final long capacityBytes;
  private final long memoryBytes;
  private double counter;
  private long now;
  private long usedBytes;
  private long transformBytes;
  private long promisedBytes;
  private long peakBytes;
  private int loadsLeft;
  private long order;

  private record Event(long at, long order, int operator, int left) implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      int byTime = Long.compare(at, other.at);
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }
  }

  private StreamingSimulation(Arm arm) {
    this.arm = arm;
    this.loadBytes = ALL_LOADS_BYTES / arm.loads();
    this.loadsLeft = arm.loads();
    this.partitionBytes = loadBytes / arm.partitions();
    this.partitionNanos = ALL_LOADS_NANOS / arm.loads() / arm.partitions();
    this.useNanos = BATCH_NANOS * partitionBytes / BATCH_BYTES;
    long forTransforms = (long) arm.reservedSlots() * arm.copies() * partitionBytes;
    long least = arm.copies() * partitionBytes;
    this.capacityBytes = Math.max(arm.memoryBytes() - forTransforms, least);
    this.memoryBytes = Math.max(arm.memoryBytes(), 2 * least);
    this.counter = capacityBytes;
    this.budget = new SourceBudget(PERIOD_NANOS, ALL_LOADS_NANOS / arm.loads(), 0, capacityBytes);
  }

  /**
   * What a run took.
   *
   * @param seconds virtual time; infinity if the run cannot end
   * @param peakBytes the most memory in use
   */
  record Outcome(double seconds, long peakBytes) {}

  /** Runs an arm. */
  static Outcome run(Arm arm) {
    StreamingSimulation simulation = new StreamingSimulation(arm);
    double seconds = simulation.run();
    return new Outcome(seconds, simulation.peakBytes);
  }

  /**
   * Returns the seconds that no schedule can go below: all work of the busier resource, and the
   * inference of the last partition.
   */
  static double bound() {
    double cpu = (ALL_LOADS_NANOS + LOADS * BATCHES_OF_LOAD * BATCH_NANOS) / 1e9 / CPU_SLOTS;
    return cpu + BATCH_NANOS / 1e9;
  }

  private double run() {
    schedule();
    while (!events.isEmpty()) {
      Event event = events.remove();
      now = event.at();
      end(event);
      schedule();
    }
    boolean isOver = ended[2] == arm.loads() * arm.partitions();
    return isOver ? now / 1e9 : Double.POSITIVE_INFINITY;
  }

  private void end(Event event) {
    int operator = event.operator();
    running[operator]--;
    if (operator == 0) {
      partitionLoaded(event.left() - 1);
      return;
    }
    ended[operator]++;
    long output = operator == 1 ? partitionBytes : 0;
    figures[operator].add(useNanos, partitionBytes, output);
    if (operator == 1) {
      use(-(long) arm.copies() * partitionBytes);
      transformBytes -= (long) arm.copies() * partitionBytes;
      use(partitionBytes);
      queued[1] += partitionBytes;
    }
    use(-partitionBytes); // the input is used up
  }

  private void partitionLoaded(int left) {
    use(-(arm.copies() - 1L) * partitionBytes);
    queued[0] += partitionBytes;
    promisedBytes -= partitionBytes;
    ended[0]++;
    if (left == 0) {
      figures[0].add(partitionNanos * arm.partitions(), 0, loadBytes);
    } else {
      suspended.add(left);
    }
  }

  private void schedule() {
    continueLoads();
    reestimate();
    for (int next = choose(); next != AdmissionPolicy.NONE; next = choose()) {
      start(next);
    }
  }

  /** Lets admitted loads make their next partition if there is a slot and memory. */
  private void continueLoads() {
    while (!suspended.isEmpty() && hasSlot(0) && hasMemoryForLoad()) {
      startLoad(suspended.remove());
    }
  }

  private boolean hasMemoryForLoad() {
    long bytes = arm.copies() * partitionBytes;
    boolean leavesReserve = usedBytes - transformBytes + bytes <= capacityBytes;
    return arm.policy() == Policy.STAGED || (leavesReserve && usedBytes + bytes <= memoryBytes);
  }

  private void startLoad(int left) {
    use(arm.copies() * partitionBytes);
    launch(0, partitionNanos, left);
  }

  private void reestimate() {
    double rate = 0;
    if (figures[0].isKnown()) {
      double seconds =
          DrainRate.secondsPerPartition(
              loadBytes,
              List.of(
                  new DrainRate.Stage(figures[1], arm.transformSlots(), CPU),
                  new DrainRate.Stage(figures[2], GPU_SLOTS, GPU)),
              arm.drain());
      rate = loadBytes / seconds;
    }
    if (budget.isDue(now)) {
      counter += rate * budget.age(now) / 1e9;
      budget.estimate(now, capacityBytes, rate);
    }
  }

  private int choose() {
    if (arm.policy() == Policy.STAGED) {
      return chooseStaged();
    }
    long held = usedBytes - transformBytes + promisedBytes;
    boolean isIdle = held == 0 && running[1] + running[2] == 0;
    boolean fits = held + loadBytes <= capacityBytes || isIdle;
    boolean transformFits = usedBytes + arm.copies() * partitionBytes <= memoryBytes;
    List<Candidate> chain = new ArrayList<>();
    chain.add(
        new Candidate(
            loadsLeft > 0,
            hasSlot(0) && suspended.isEmpty(),
            fits && hasMemoryForLoad(),
            queued[0],
            loadBytes));
    chain.add(new Candidate(queued[0] > 0, hasSlot(1), transformFits, queued[1], partitionBytes));
    chain.add(new Candidate(queued[1] > 0, hasSlot(2), true, 0, 0));
    return switch (arm.policy()) {
      case OPTIMISTIC -> AdmissionPolicy.optimistic(chain, budget.bytes(held), isIdle);
      case COUNTER -> AdmissionPolicy.optimistic(chain, (long) counter, isIdle);
      default -> AdmissionPolicy.pessimistic(chain);
    };
  }

  private int chooseStaged() {
    int all = arm.loads() * arm.partitions();
    int stage = ended[0] < all ? 0 : ended[1] < all ? 1 : 2;
    boolean hasInput = stage == 0 ? loadsLeft > 0 && suspended.isEmpty() : queued[stage - 1] > 0;
    return hasInput && hasSlot(stage) ? stage : AdmissionPolicy.NONE;
  }

  private boolean hasSlot(int operator) {
    if (operator == 2) {
      return running[2] < GPU_SLOTS;
    }
    int most = operator == 0 ? arm.loadSlots() : arm.transformSlots();
    return running[operator] < most && running[0] + running[1] < CPU_SLOTS;
  }

  private void start(int operator) {
    if (operator == 0) {
      loadsLeft--;
      counter -= loadBytes;
      promisedBytes += loadBytes;
      if (hasMemoryForLoad()) {
        startLoad(arm.partitions());
      } else {
        suspended.add(arm.partitions());
      }
      return;
    }
    queued[operator - 1] -= partitionBytes;
    if (operator == 1) {
      use(arm.copies() * partitionBytes);
      transformBytes += arm.copies() * partitionBytes;
    }
    launch(operator, useNanos, 0);
  }

  private void launch(int operator, long nanos, int left) {
    running[operator]++;
    events.add(new Event(now + nanos, order++, operator, left));
  }

  private void use(long bytes) {
    usedBytes += bytes;
    peakBytes = Math.max(peakBytes, usedBytes);
  }
}

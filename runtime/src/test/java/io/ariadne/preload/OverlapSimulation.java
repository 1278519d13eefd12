package io.ariadne.preload;

import io.ariadne.fragment.admission.InFlightBudget;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;

/**
 * The experiment E1 in virtual time: batches are read by requests, computed on one thread and sent
 * one after the other. {@link ReadAheadDepth} and {@link RequestLimit} decide about reading ahead,
 * {@link InFlightBudget} about output that waits to be sent. Repeats exactly.
 */
final class OverlapSimulation {
  /** Bytes of a batch, in the file and as output. */
  static final long BATCH_BYTES = 4 << 20;

  private static final int REQUESTS_PER_BATCH = 8;
  private static final long REQUEST_BYTES = BATCH_BYTES / REQUESTS_PER_BATCH;
  private static final long LATENCY_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
  private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final int FIRST_REQUESTS = 16;
  private static final int MOST_REQUESTS = 64;
  private static final long OUTPUT_BYTES = 128L << 20;

  private final Stages stages;
  private final Arm arm;
  private final int batches;
  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private final RequestLimit limit = new RequestLimit(FIRST_REQUESTS, MOST_REQUESTS);
  private final ReadAheadDepth depth;
  private final InFlightBudget budget;
  private final Deque<Integer> output = new ArrayDeque<>();
  private final int[] arrivedRequests;
  private long now;
  private long linkFreeAt;

  /** Requests before this one have begun. */
  private int begun;

  private int reading;

  /** Requests before this one are needed. */
  private int needed;

  private int computed;
  private boolean isComputing;
  private boolean isSending;
  private int sent;
  private long peakBytes;

  /**
   * How long each stage takes for a batch, in nanoseconds.
   *
   * @param read its bytes pass the storage's link
   * @param compute the thread computes it
   * @param send its output passes the network's link
   */
  record Stages(long read, long compute, long send) {
    private long longest() {
      return Math.max(read, Math.max(compute, send));
    }
  }

  /**
   * How much the stages may overlap.
   *
   * @param batchesInUse batches that are computed, wait or are sent at the same time, at most
   * @param aheadBytes most bytes read ahead
   */
  record Arm(int batchesInUse, long aheadBytes) {
    static final Arm SERIAL = new Arm(1, 0);
    static final Arm DOUBLE = new Arm(2, 2 * BATCH_BYTES);
    static final Arm FULL = new Arm(Integer.MAX_VALUE, 64L << 20);
  }

  /**
   * What a run took.
   *
   * @param seconds until the last byte was sent
   * @param busiest share of the time in which the slowest resource was in use
   * @param peakBytes most bytes that were read ahead or waited to be sent
   */
  record Outcome(double seconds, double busiest, long peakBytes) {}

  private record Event(long at, long order, Runnable action) implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      int byTime = Long.compare(at, other.at);
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }
  }

  private long lastOrder;

  private OverlapSimulation(Stages stages, Arm arm, int batches) {
    this.stages = stages;
    this.arm = arm;
    this.batches = batches;
    this.depth = new ReadAheadDepth(arm.aheadBytes());
    this.arrivedRequests = new int[batches];
    this.budget = new InFlightBudget(OUTPUT_BYTES, OUTPUT_BYTES, () -> false, () -> now);
  }

  /** Runs an arm until all batches are sent. */
  static Outcome run(Stages stages, Arm arm, int batches) {
    return new OverlapSimulation(stages, arm, batches).run();
  }

  private Outcome run() {
    after(TICK_NANOS, this::tick);
    while (sent < batches) {
      startCompute();
      startSend();
      beginRequests();
      peakBytes = Math.max(peakBytes, depth.heldBytes() + outputBytes());
      Event next = events.remove();
      now = next.at();
      next.action().run();
    }
    double busiest = (double) batches * stages.longest() / now;
    return new Outcome(now / 1e9, busiest, peakBytes);
  }

  private void after(long nanos, Runnable action) {
    events.add(new Event(now + nanos, lastOrder++, action));
  }

  private void tick() {
    depth.tick();
    after(TICK_NANOS, this::tick);
  }

  /** As {@link PreloadExecutor} begins requests. */
  private void beginRequests() {
    while (begun < batches * REQUESTS_PER_BATCH && mayBegin()) {
      int batch = begun++ / REQUESTS_PER_BATCH;
      reading++;
      depth.begun(REQUEST_BYTES);
      linkFreeAt = Math.max(linkFreeAt, now + LATENCY_NANOS) + stages.read() / REQUESTS_PER_BATCH;
      after(linkFreeAt - now, () -> arrived(batch));
    }
  }

  private boolean mayBegin() {
    boolean isNeeded = begun < needed;
    if (reading >= limit.current()) {
      return isNeeded && reading < MOST_REQUESTS;
    }
    return isNeeded || depth.mayBegin(REQUEST_BYTES);
  }

  private void arrived(int batch) {
    limit.ended(REQUEST_BYTES, now, reading >= limit.current());
    reading--;
    depth.arrived(REQUEST_BYTES);
    arrivedRequests[batch]++;
  }

  private int inUse() {
    return computed - sent + (isComputing ? 1 : 0);
  }

  private long outputBytes() {
    return (output.size() + (isSending ? 1 : 0)) * BATCH_BYTES;
  }

  private void startCompute() {
    boolean mayEmit = budget.allows(outputBytes(), output.size() * BATCH_BYTES);
    if (isComputing || computed == batches || inUse() >= arm.batchesInUse() || !mayEmit) {
      return;
    }
    need((computed + 1) * REQUESTS_PER_BATCH);
    if (arrivedRequests[computed] < REQUESTS_PER_BATCH) {
      return;
    }
    isComputing = true;
    after(stages.compute(), this::computed);
  }

  private void need(int requests) {
    if (requests > needed) {
      needed = requests;
      if (begun < needed) {
        depth.noteUnread(REQUEST_BYTES);
      }
    }
  }

  private void computed() {
    isComputing = false;
    depth.freed(BATCH_BYTES);
    output.add(computed++);
  }

  private void startSend() {
    if (isSending) {
      return;
    }
    if (output.isEmpty()) {
      budget.foundNone();
      return;
    }
    output.remove();
    budget.taken(BATCH_BYTES);
    isSending = true;
    after(
        stages.send(),
        () -> {
          isSending = false;
          sent++;
        });
  }
}

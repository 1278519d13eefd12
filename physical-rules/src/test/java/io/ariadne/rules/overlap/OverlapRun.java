package io.ariadne.rules.overlap;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.executor.ExecutorRuntime;
import io.ariadne.executor.RuntimeConfig;
import io.ariadne.fragment.FragmentExecution;
import io.ariadne.fragment.control.TaskEnvironment;
import io.ariadne.io.ReadAheadScan;
import io.ariadne.metrics.NodeMetrics;
import io.ariadne.operator.SplitSourceFactory;
import io.ariadne.parquet.scan.FileSlice;
import io.ariadne.parquet.scan.ParquetSplitSource;
import io.ariadne.parquet.scan.ReferenceReader;
import io.ariadne.preload.PreloadConfig;
import io.ariadne.shuffle.format.BlockBuffer;
import io.ariadne.shuffle.format.EncodedBlock;
import io.ariadne.shuffle.format.GatherTarget;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * One map task on a runtime of its own with one compute thread: the scan of files behind a shaped
 * link, the operators, and the task thread that encodes their output and sends it through a shaped
 * socket. Used by one thread, the task's.
 */
final class OverlapRun {
  private static final long POOL_BYTES = 512 << 20;
  private static final double NANOS_PER_SECOND = 1e9;

  private final Arm arm;
  private final Load load;
  private final Rates rates;
  private final SplitGate gate;
  private long encodeNanos;

  /** How much the stages overlap. */
  enum Arm {
    /** Each batch is read, then computed, then sent and received. */
    SERIAL(1, 0),

    /** While a batch is sent, the next one is computed, and the one after it is read. */
    DOUBLE(2, 4 << 20),

    /** The executors as they are. */
    FULL(Integer.MAX_VALUE, -1);

    private final int batches;
    private final long aheadBytes;

    Arm(int batches, long aheadBytes) {
      this.batches = batches;
      this.aheadBytes = aheadBytes;
    }

    private RuntimeConfig config() {
      RuntimeConfig config = RuntimeConfig.of(1, POOL_BYTES);
      PreloadConfig preload = config.preload();
      return aheadBytes < 0 ? config : config.withPreload(preload.withMaxBytes(aheadBytes));
    }

    private boolean isLimited() {
      return batches < Integer.MAX_VALUE;
    }
  }

  /**
   * What is read and computed.
   *
   * @param slices the files
   * @param hashes hashes of all columns of a row, at least 1
   */
  record Load(List<FileSlice> slices, int hashes) {}

  /**
   * The rates of the two shaped resources.
   *
   * @param read bytes per second of the storage
   * @param send bytes per second of the receiver
   * @param latencyNanos latency of a request to the storage
   */
  record Rates(double read, double send, long latencyNanos) {
    /** Returns these rates multiplied. */
    Rates times(double ofRead, double ofSend) {
      return new Rates(read * ofRead, send * ofSend, latencyNanos);
    }
  }

  /**
   * What a run took.
   *
   * @param seconds from the submission to the last byte received
   * @param readSeconds the storage's link was in use
   * @param computeSeconds time in the scan's decoding and in operators, on whichever thread
   * @param encodeSeconds the task thread encoded blocks
   * @param sendSeconds the receiver's link was in use
   * @param peakBytes most memory of the pool
   * @param lateShare share of the bytes that were needed before they had arrived
   * @param readBytes bytes of the storage
   * @param sentBytes bytes of the blocks
   * @param rows rows received
   * @param sum sum of their first column
   */
  record Outcome(
      double seconds,
      double readSeconds,
      double computeSeconds,
      double encodeSeconds,
      double sendSeconds,
      long peakBytes,
      double lateShare,
      long readBytes,
      long sentBytes,
      long rows,
      long sum) {}

  private OverlapRun(Arm arm, Load load, Rates rates) {
    this.arm = arm;
    this.load = load;
    this.rates = rates;
    this.gate = new SplitGate(arm.batches);
  }

  /**
   * Runs the task.
   *
   * @param arm how much overlaps
   * @param load what is read and computed
   * @param rates of storage and receiver
   */
  static Outcome of(Arm arm, Load load, Rates rates) throws IOException, InterruptedException {
    return new OverlapRun(arm, load, rates).run();
  }

  private Outcome run() throws IOException, InterruptedException {
    ShapedLink storage = new ShapedLink(rates.read());
    ShapedLink network = new ShapedLink(rates.send());
    try (ExecutorRuntime runtime = ExecutorRuntime.start(arm.config());
        ShapedFiles files = new ShapedFiles(storage, rates.latencyNanos());
        ShapedReceiver receiver = new ShapedReceiver(network, OverlapPlan.OUTPUT)) {
      double lateShare;
      double computeSeconds;
      long start = System.nanoTime();
      try (FragmentExecution task =
              runtime.submit(
                  OverlapPlan.plan(load.hashes()),
                  List.of(),
                  List.of(scan(files, runtime)),
                  TaskEnvironment.NONE);
          BlockBuffer buffer = buffer(runtime)) {
        write(task, buffer, receiver);
        NodeMetrics ofScan = task.metrics().get(OverlapPlan.SCAN);
        computeSeconds = computeSeconds(task);
        double late = ofScan.value(ReadAheadScan.LATE_BYTES);
        lateShare = late / (late + ofScan.value(ReadAheadScan.AHEAD_BYTES));
      }
      receiver.finish();
      double seconds = (System.nanoTime() - start) / NANOS_PER_SECOND;
      return new Outcome(
          seconds,
          storage.busySeconds(),
          computeSeconds,
          encodeNanos / NANOS_PER_SECOND,
          network.busySeconds(),
          runtime.pool().peakBytes(),
          lateShare,
          storage.bytes(),
          network.bytes(),
          receiver.rows(),
          receiver.sum());
    }
  }

  private SplitSourceFactory scan(ShapedFiles files, ExecutorRuntime runtime) {
    SplitSourceFactory scan =
        ParquetSplitSource.factory(
            OverlapPlan.scan(),
            load.slices(),
            files,
            ReferenceReader.NONE,
            false,
            runtime.readAhead());
    return arm.isLimited() ? gate.behind(scan) : scan;
  }

  /** Returns the buffer of a map task; where batches are limited, each is encoded alone. */
  private BlockBuffer buffer(ExecutorRuntime runtime) {
    int partitions = OverlapPlan.PARTITIONS;
    long shipped =
        GatherTarget.bytes(partitions, runtime.pool().limitInBytes(), runtime.computeThreads());
    return new BlockBuffer(partitions, arm.isLimited() ? 1 : shipped, runtime.pool());
  }

  private void write(FragmentExecution task, BlockBuffer buffer, ShapedReceiver receiver)
      throws IOException, InterruptedException {
    for (RecordBatch batch = task.next(); batch != null; batch = task.next()) {
      if (!buffer.canAdd(batch)) {
        send(buffer, receiver);
      }
      int[] firstRows = firstRows(batch);
      buffer.add(withoutPartition(batch), firstRows);
      if (buffer.isFull()) {
        send(buffer, receiver);
      }
      gate.done();
    }
    send(buffer, receiver);
  }

  private void send(BlockBuffer buffer, ShapedReceiver receiver)
      throws IOException, InterruptedException {
    boolean isOver = false;
    while (!isOver) {
      try (EncodedBlock block = next(buffer)) {
        isOver = block == null;
        if (!isOver) {
          receiver.send(block);
        }
      }
    }
    if (arm == Arm.SERIAL) {
      receiver.awaitReceived();
    }
  }

  private EncodedBlock next(BlockBuffer buffer) {
    long start = System.nanoTime();
    try {
      return buffer.next();
    } finally {
      encodeNanos += System.nanoTime() - start;
    }
  }

  private static int[] firstRows(RecordBatch batch) {
    int[] firstRows = new int[OverlapPlan.PARTITIONS + 1];
    long numbers = batch.column(batch.columnCount() - 1).data().address();
    for (int row = 0; row < batch.rowCount(); row++) {
      firstRows[Memory.getInt(numbers + (long) row * Integer.BYTES) + 1]++;
    }
    for (int i = 0; i < OverlapPlan.PARTITIONS; i++) {
      firstRows[i + 1] += firstRows[i];
    }
    return firstRows;
  }

  private static RecordBatch withoutPartition(RecordBatch batch) {
    try (batch) {
      List<ColumnVector> columns = new ArrayList<>();
      for (int i = 0; i < OverlapPlan.OUTPUT.columnCount(); i++) {
        columns.add(batch.takeColumn(i));
      }
      return new RecordBatch(OverlapPlan.OUTPUT, batch.rowCount(), columns, 0);
    }
  }

  /** Returns the time in operators, without that in which they waited for bytes. */
  private static double computeSeconds(FragmentExecution task) {
    long nanos = task.metrics().values().stream().mapToLong(NodeMetrics::nanos).sum();
    long waits = task.metrics().get(OverlapPlan.SCAN).value(ReadAheadScan.WAIT_NANOS);
    return (nanos - waits) / NANOS_PER_SECOND;
  }
}

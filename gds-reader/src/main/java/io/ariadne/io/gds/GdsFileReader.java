package io.ariadne.io.gds;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.io.ByteRange;
import io.ariadne.io.ByteRangeReader;
import io.ariadne.io.ForwardingReader;
import io.ariadne.io.PendingRead;
import io.ariadne.io.ReadCounters;
import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a local file into DEVICE memory, and with the reader of local files into HOST and PINNED
 * memory.
 */
final class GdsFileReader extends ForwardingReader {
  private static final Logger LOG = LoggerFactory.getLogger(GdsFileReader.class);

  private final DirectStorage storage;
  private final Path path;
  private final FileIdentity identity;
  private final ReadCounters counters;

  /** Null when nothing is read directly. */
  private final DirectReads direct;

  /** Whether cuFile has refused this file. */
  private volatile boolean isRefused;

  private volatile boolean isClosed;

  /**
   * Creates a reader.
   *
   * @param identity the file that {@code local} has opened
   * @param local reads into the host's memory; ownership passes to the reader
   */
  GdsFileReader(
      DirectStorage storage,
      Path path,
      FileIdentity identity,
      ByteRangeReader local,
      ReadCounters counters) {
    super(local);
    this.storage = storage;
    this.path = path;
    this.identity = identity;
    this.counters = counters;
    this.direct =
        storage.driver() == null
            ? null
            : new DirectReads(storage.driver().library(), storage.buffers(), path, counters);
    this.isRefused = direct == null;
  }

  @Override
  public boolean isFasterTogether() {
    return !isRefused || delegate().isFasterTogether();
  }

  /** Returns true when storage writes to GPU memory, else what the reader of local files says. */
  @Override
  public boolean waits(long position, long length) {
    return !isRefused || delegate().waits(position, length);
  }

  @Override
  public void read(long position, MemoryBuffer target, long targetOffset, long length)
      throws IOException {
    readAll(List.of(new ByteRange(position, target, targetOffset, length)));
  }

  @Override
  public void readAll(List<ByteRange> ranges) throws IOException {
    List<ByteRange> host = of(ranges, false);
    if (!host.isEmpty()) {
      delegate().readAll(host);
    }
    List<ByteRange> device = of(ranges, true);
    if (!device.isEmpty()) {
      readDevice(device, () -> false);
    }
  }

  @Override
  public PendingRead start(List<ByteRange> ranges, Executor threads) {
    ParallelRead read = new ParallelRead(path);
    try {
      List<ByteRange> device = of(ranges, true);
      List<ByteRange> host = of(ranges, false);
      for (List<ByteRange> task : tasks(device)) {
        read.add(isStopped -> readDevice(task, isStopped));
      }
      if (!host.isEmpty()) {
        read.add(delegate().start(host, threads));
      }
    } catch (IOException e) {
      read.add(
          isStopped -> {
            throw e;
          });
    }
    read.start(threads);
    return read;
  }

  /** Groups ranges, cut where they are long, by the bytes of a task. */
  private List<List<ByteRange>> tasks(List<ByteRange> ranges) {
    List<List<ByteRange>> tasks = new ArrayList<>();
    long bytes = 0;
    for (ByteRange range : ranges) {
      for (ByteRange piece : ReadPlan.split(range, storage.options().taskBytes())) {
        if (tasks.isEmpty() || piece.length() > storage.options().taskBytes() - bytes) {
          tasks.add(new ArrayList<>());
          bytes = 0;
        }
        tasks.get(tasks.size() - 1).add(piece);
        bytes += piece.length();
      }
    }
    return tasks;
  }

  /** Returns the ranges, checked, of device memory or of the host's, without empty ones. */
  private List<ByteRange> of(List<ByteRange> ranges, boolean isDevice) throws IOException {
    List<ByteRange> found = new ArrayList<>();
    for (ByteRange range : ranges) {
      MemoryTier tier = range.target().tier();
      if (tier == MemoryTier.DISK) {
        throw new IllegalArgumentException("cannot read into a buffer of tier " + tier);
      }
      if ((tier == MemoryTier.DEVICE) == isDevice) {
        check(range);
        if (range.length() > 0) {
          found.add(range);
        }
      }
    }
    return found;
  }

  private void check(ByteRange range) throws IOException {
    long length = range.length();
    if (isClosed) {
      throw new ClosedChannelException();
    }
    if (range.position() < 0 || range.position() > lengthInBytes() - length) {
      throw new EOFException(
          length
              + " bytes from "
              + range.position()
              + " are outside a file of "
              + lengthInBytes()
              + ": "
              + path);
    }
  }

  private void readDevice(List<ByteRange> ranges, BooleanSupplier isStopped) throws IOException {
    storage.beginUse(path);
    try {
      if (!isRefused && hasLong(ranges)) {
        readWithCuFile(ranges, isStopped);
      } else {
        stage(ranges, isStopped);
      }
    } finally {
      storage.endUse();
    }
  }

  private boolean hasLong(List<ByteRange> ranges) {
    return ranges.stream().anyMatch(range -> range.length() >= storage.options().thresholdBytes());
  }

  private void stage(List<ByteRange> ranges, BooleanSupplier isStopped) throws IOException {
    for (ByteRange range : ranges) {
      storage.staging().read(delegate(), range, isStopped);
    }
  }

  private void readWithCuFile(List<ByteRange> ranges, BooleanSupplier isStopped)
      throws IOException {
    try (RegisteredFiles.Lease file = storage.files().use(this, path, identity)) {
      CuFileDriver driver = storage.driver();
      boolean isBatch = driver.hasBatches();
      long piece =
          isBatch
              ? Math.min(storage.options().taskBytes(), driver.properties().bufferCacheBytes())
              : storage.options().taskBytes();
      ReadPlan plan =
          ReadPlan.direct(
              ranges, storage.options().thresholdBytes(), piece - piece % ReadPlan.ALIGNMENT);
      storage.backend().prepareThread();
      List<ByteRange> rest =
          isBatch && plan.direct().size() > 1
              ? readBatches(file, plan.direct(), isStopped)
              : plan.direct();
      for (ByteRange range : rest) {
        readSingle(file, range, isStopped);
      }
      stage(plan.staged(), isStopped);
    } catch (RegisteredFiles.RefusedException e) {
      LOG.debug("{} passes through the host: {}", path, e.getMessage());
      isRefused = true;
      stage(ranges, isStopped);
    }
  }

  /** Reads ranges in batches; returns those that batches cannot read. */
  private List<ByteRange> readBatches(
      RegisteredFiles.Lease file, List<ByteRange> ranges, BooleanSupplier isStopped)
      throws IOException {
    CuFileDriver driver = storage.driver();
    int entries = driver.properties().batchEntries();
    for (int i = 0; i < ranges.size(); i += entries) {
      checkStopped(isStopped);
      BatchRead batch =
          new BatchRead(
              driver.library(),
              storage.buffers(),
              direct,
              path,
              counters,
              storage.options().patienceMillis(),
              this::loseDevice);
      try {
        batch.read(
            file.handle(), ranges.subList(i, Math.min(ranges.size(), i + entries)), isStopped);
      } catch (DirectReads.RefusedException e) {
        storage.report(e.error(), e.getMessage());
        return ranges.subList(i, ranges.size());
      } finally {
        if (batch.isAbandoned()) {
          file.keepOpen();
          driver.keepOpen();
        }
      }
    }
    return List.of();
  }

  private EngineException loseDevice(String reason) {
    storage.backend().lose(reason);
    return new EngineException(ErrorCode.DEVICE_LOST, storage.backend().lost().orElse(reason));
  }

  private void readSingle(RegisteredFiles.Lease file, ByteRange range, BooleanSupplier isStopped)
      throws IOException {
    checkStopped(isStopped);
    if (isRefused) {
      storage.staging().read(delegate(), range, isStopped);
      return;
    }
    try {
      direct.read(
          file.handle(), range.position(), range.target(), range.targetOffset(), range.length());
    } catch (DirectReads.RefusedException e) {
      refuse(file, e);
      storage.staging().read(delegate(), range, isStopped);
    }
  }

  private void refuse(RegisteredFiles.Lease file, DirectReads.RefusedException e) {
    if (CuFileErrors.isOfFileSystem(e.error())) {
      isRefused = true;
      storage.fileSystems().refuse(file.device(), path, e.getMessage());
    } else {
      storage.report(e.error(), e.getMessage());
    }
  }

  private void checkStopped(BooleanSupplier isStopped) {
    if (isStopped.getAsBoolean()) {
      throw new CancellationException("a read of " + path + " was cancelled");
    }
  }

  /** Queues a read on a stream; see {@link DirectStorage#readOnStream}. */
  Optional<StreamRead> readOnStream(ByteRange range, long stream) throws IOException {
    if (of(List.of(range), true).isEmpty() || isRefused) {
      return Optional.empty();
    }
    storage.beginUse(path);
    StreamRead read = null;
    try {
      RegisteredFiles.Lease file = storage.files().use(this, path, identity);
      RegisteredBuffers.Target target =
          storage.buffers().target(range.target().address() + range.targetOffset(), range.length());
      read = new StreamRead(direct, file, target, range, storage::endUse);
    } catch (RegisteredFiles.RefusedException e) {
      isRefused = true;
      return Optional.empty();
    } finally {
      if (read == null) {
        storage.endUse();
      }
    }
    return queued(read, stream);
  }

  private Optional<StreamRead> queued(StreamRead read, long stream) {
    boolean isQueued = false;
    try {
      storage.backend().prepareThread();
      long status = read.queue(storage.driver().library(), stream);
      isQueued = CuFileErrors.isSuccess(status);
      if (!isQueued) {
        storage.report(
            CuFileErrors.error(status),
            "cuFileReadAsync of " + path + ": " + CuFileErrors.describe(status));
      }
      return isQueued ? Optional.of(read) : Optional.empty();
    } finally {
      if (!isQueued) {
        read.close();
      }
    }
  }

  @Override
  public void close() throws IOException {
    isClosed = true;
    if (direct != null) {
      storage.files().remove(this);
    }
    delegate().close();
  }

  @Override
  public String toString() {
    return path.toString();
  }
}

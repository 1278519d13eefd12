package io.ariadne.parquet.column;

import io.ariadne.backend.Backend;
import io.ariadne.backend.HostRange;
import io.ariadne.backend.KernelStatus;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.kernel.column.GatherKernel;
import io.ariadne.kernel.parquet.DenseDecoder;
import io.ariadne.kernel.parquet.ParquetConvertKernel;
import io.ariadne.kernel.parquet.ParquetPageException;
import io.ariadne.kernel.parquet.RowSpread;
import io.ariadne.kernel.parquet.SnappyDecoder;
import io.ariadne.kernel.parquet.StreamWindows;
import io.ariadne.operator.OperatorContext;
import io.ariadne.parquet.page.Page;
import io.ariadne.parquet.page.Page.ByteRange;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * What {@link DeviceChunk}s of one scan worker share: launches on a device and their errors.
 * Encoded values are copied to the device as they are in their pages; the launches that decode them
 * are queued, and {@link #check} waits for all of them. Not thread-safe.
 */
public final class DeviceColumns implements AutoCloseable {
  /** The most launches before a check: each has a status block, of which a device has few. */
  private static final int MOST_UNCHECKED = 64;

  private final OperatorContext context;
  private DenseDecoder dense;
  private ParquetConvertKernel convert;
  private RowSpread spread;
  private SnappyDecoder snappy;
  private GatherKernel gather;
  private final StreamWindows windows = new StreamWindows();
  private final List<Launch> unchecked = new ArrayList<>();
  private final Deque<KernelStatus> idle = new ArrayDeque<>();
  private boolean isPaused;

  /**
   * A queued launch.
   *
   * @param column whose values it makes
   * @param pages the page of each of its windows; none when it reads no pages
   * @param status receives its error
   */
  private record Launch(FlatColumn column, List<Page> pages, KernelStatus status) {
    void raiseError() {
      Optional<ParquetPageException> error = DenseDecoder.errorOf(status);
      if (error.isEmpty()) {
        return;
      }
      if (pages.isEmpty()) {
        throw new EngineException(
            ErrorCode.INTERNAL, "fewer values than rows in " + column.site(), error.get());
      }
      throw PageLaunch.corrupt(column, pages, error.get());
    }
  }

  /**
   * Prepares launches.
   *
   * @param context of the device
   */
  public DeviceColumns(OperatorContext context) {
    this.context = context;
    Backend backend = context.backend();
    BufferAllocator allocator = context.kernelAllocator();
    try {
      this.dense = new DenseDecoder(backend, allocator);
      this.convert = new ParquetConvertKernel(backend, allocator);
      this.spread = new RowSpread(backend, allocator);
      this.snappy = new SnappyDecoder(backend, allocator);
      this.gather = new GatherKernel(backend, allocator);
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      closer.close(this);
      closer.suppressIn(e);
      throw e;
    }
  }

  /** Returns whether the device decodes windows of so many rows now. */
  public boolean suits(int rowCount) {
    return !isPaused && rowCount >= context.backend().batchSize().leastRows();
  }

  /** Leaves the decoding to the host, until the device is to decode again. */
  public void pause(boolean pauses) {
    isPaused = pauses;
  }

  /** Returns the context of the device. */
  public OperatorContext context() {
    return context;
  }

  /** Returns the kernel that copies rows by their numbers; {@link #check} checks it as well. */
  public GatherKernel gather() {
    return gather;
  }

  /** Allocates memory of the device. */
  MemoryBuffer allocate(long lengthInBytes) {
    return context.kernelAllocator().allocate(lengthInBytes);
  }

  /** Sets memory of the device to zero. */
  void clear(MemoryBuffer buffer) {
    context.backend().clear(buffer, 0, buffer.capacityInBytes());
  }

  /** Copies a column of fixed width, without heaps, to the device. */
  ColumnVector copy(ColumnVector column) {
    return context.transfer().copyToKernels(column);
  }

  /** Copies a buffer of the host to the device. */
  MemoryBuffer copy(MemoryBuffer buffer) {
    return context.transfer().copyToKernels(buffer);
  }

  /**
   * Part of a launch: what is decoded, and where to.
   *
   * @param source the encoded values
   * @param isOnDevice whether their bytes are on the device; otherwise they are copied there
   * @param out address on the device
   */
  record Part(PageLaunch.Source source, boolean isOnDevice, long out) {}

  /** Queues the decoding of dictionary ids. */
  void decodeIds(FlatColumn column, List<Part> parts) {
    launch(column, parts, dense::codes);
  }

  /** Queues the conversion of stored values. */
  void convert(FlatColumn column, List<Part> parts) {
    launch(
        column,
        parts,
        (list, status) ->
            convert.queue(
                list,
                column.conversion(),
                column.scale(),
                column.isNarrowed(),
                column.calendar(),
                status));
  }

  /** Queues the decompression of Snappy blocks. */
  void decompress(FlatColumn column, List<Part> parts) {
    launch(column, parts, snappy::queue);
  }

  private void launch(
      FlatColumn column, List<Part> parts, BiConsumer<StreamWindows, KernelStatus> kernel) {
    List<HostRange> ranges = new ArrayList<>();
    List<Page> pages = new ArrayList<>();
    long bytes = 0;
    for (Part part : parts) {
      ByteRange stream = part.source().stream();
      pages.add(part.source().page());
      if (!part.isOnDevice()) {
        ranges.add(new HostRange(stream.address(), stream.lengthInBytes()));
        bytes += stream.lengthInBytes();
      }
    }
    try (MemoryBuffer copies = allocate(Math.max(bytes, 1))) {
      context.backend().writeAll(ranges, copies);
      windows.clear();
      long at = copies.address();
      for (Part part : parts) {
        PageLaunch.Source source = part.source();
        long length = source.stream().lengthInBytes();
        windows.add(
            part.isOnDevice() ? source.stream().address() : at,
            length,
            part.out(),
            0,
            source.skip(),
            source.count(),
            source.width(),
            source.limit());
        at += part.isOnDevice() ? 0 : length;
      }
      kernel.accept(windows, newLaunch(column, pages));
    }
  }

  /**
   * Queues a {@link RowSpread}.
   *
   * @param column whose values are spread
   * @param values dense values
   * @param count how many
   * @param width bytes of a value
   * @param validity one bit per row, on the device
   * @param out receives the rows
   * @param rows how many
   */
  void spread(
      FlatColumn column,
      MemoryBuffer values,
      int count,
      int width,
      MemoryBuffer validity,
      MemoryBuffer out,
      int rows) {
    KernelStatus status = newLaunch(column, List.of());
    spread.queue(values, count, width, validity, out, rows, status);
  }

  private KernelStatus newLaunch(FlatColumn column, List<Page> pages) {
    if (unchecked.size() == MOST_UNCHECKED) {
      check();
    }
    KernelStatus status = idle.isEmpty() ? context.backend().newStatus() : idle.pop();
    unchecked.add(new Launch(column, pages, status));
    status.clear();
    return status;
  }

  /**
   * Waits for everything that was queued since the last check.
   *
   * @throws EngineException CORRUPT_DATA when a page could not be decoded; the columns made of it
   *     are then wrong
   */
  public void check() {
    List<KernelStatus> statuses = new ArrayList<>();
    unchecked.forEach(launch -> statuses.add(launch.status()));
    gather.unchecked().ifPresent(statuses::add);
    try {
      context.backend().awaitAll(statuses);
      unchecked.forEach(Launch::raiseError);
      gather.checkAwaited();
    } finally {
      forget();
    }
  }

  /** Forgets what was queued since the last check: its results are not wanted. */
  public void forget() {
    unchecked.forEach(launch -> idle.push(launch.status()));
    unchecked.clear();
    if (gather != null) { // the constructor has failed
      gather.forget();
    }
  }

  @Override
  public void close() {
    forget();
    Closer closer = new Closer();
    idle.forEach(closer::close);
    idle.clear();
    closer.close(gather);
    closer.close(snappy);
    closer.close(spread);
    closer.close(convert);
    closer.close(dense);
    closer.close(windows);
    closer.rethrow();
  }
}

package io.ariadne.parquet.column;

import io.ariadne.backend.ArgumentBlock;
import io.ariadne.backend.Backend;
import io.ariadne.backend.KernelStatus;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.SharedBuffer;
import io.ariadne.kernel.column.GatherKernel;
import io.ariadne.kernel.parquet.BinaryDecimalDecoder;
import io.ariadne.kernel.parquet.BinaryDecoder;
import io.ariadne.kernel.parquet.ByteStreamSplitDecoder;
import io.ariadne.kernel.parquet.DeltaByteArrayDecoder;
import io.ariadne.kernel.parquet.DeltaDecoder;
import io.ariadne.kernel.parquet.DeltaLengthDecoder;
import io.ariadne.kernel.parquet.DenseDecoder;
import io.ariadne.kernel.parquet.LevelDecoder;
import io.ariadne.kernel.parquet.NestedLevels;
import io.ariadne.kernel.parquet.ParquetConvertKernel;
import io.ariadne.kernel.parquet.RowSpread;
import io.ariadne.kernel.parquet.StreamWindows;
import io.ariadne.kernel.parquet.ValueConversion;
import io.ariadne.parquet.page.Page.ByteRange;
import io.ariadne.parquet.page.ReadStatistics;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * What the decoders of one row group's columns share: launches, memory and statistics of one scan
 * worker. Not thread-safe.
 */
public final class DecodeContext implements AutoCloseable {
  /**
   * Most bytes of decoded values that all columns of a row group together buffer for later windows.
   */
  public static final long MAX_BUFFERED_BYTES = BufferedValuesBudget.SHARED_BYTES;

  /** Bytes that each column may buffer in addition. */
  public static final long MIN_BUFFERED_BYTES = BufferedValuesBudget.MIN_BYTES;

  private static final int PIECE_BYTES = 16 << 10;

  private final Backend backend;
  private final BufferAllocator allocator;
  private final ReadStatistics statistics;
  private final PageLaunch launch = new PageLaunch();
  private final KernelStatus status;
  private final LevelDecoder levels;
  private final NestedLevels nested;
  private final DenseDecoder dense;
  private final BinaryDecoder binary;
  private final ParquetConvertKernel convert;
  private final DeltaDecoder delta;
  private final DeltaLengthDecoder deltaLengths;
  private final DeltaByteArrayDecoder deltaStrings;
  private final ByteStreamSplitDecoder split;
  private final BinaryDecimalDecoder decimals;
  private final RowSpread spread;
  private final GatherKernel gather;
  private final BufferedValuesBudget bufferBudget = new BufferedValuesBudget();

  /**
   * Prepares launches.
   *
   * @param backend where pages are decoded
   * @param allocator memory of the back end's tier, for columns and intermediate results
   * @param statistics counts what is done
   */
  public DecodeContext(Backend backend, BufferAllocator allocator, ReadStatistics statistics) {
    this.backend = backend;
    this.allocator = allocator;
    this.statistics = statistics;
    this.status = backend.newStatus();
    this.levels = new LevelDecoder(backend, allocator);
    this.nested = new NestedLevels(backend, allocator);
    this.dense = new DenseDecoder(backend, allocator);
    this.binary = new BinaryDecoder(backend, allocator);
    this.convert = new ParquetConvertKernel(backend, allocator);
    this.delta = new DeltaDecoder(backend, allocator);
    this.deltaLengths = new DeltaLengthDecoder(backend, allocator);
    this.deltaStrings = new DeltaByteArrayDecoder(backend, allocator);
    this.split = new ByteStreamSplitDecoder(backend, allocator);
    this.decimals = new BinaryDecimalDecoder(backend, allocator);
    this.spread = new RowSpread(backend, allocator);
    this.gather = new GatherKernel(backend, allocator);
  }

  /** Returns the allocator of the back end's tier. */
  public BufferAllocator allocator() {
    return allocator;
  }

  ReadStatistics statistics() {
    return statistics;
  }

  /** Allocates zeroed memory that kernels see. */
  MemoryBuffer allocateCleared(long lengthInBytes) {
    MemoryBuffer buffer = allocator.allocate(lengthInBytes);
    try {
      backend.clear(buffer, 0, buffer.capacityInBytes());
      return buffer;
    } catch (RuntimeException | Error e) {
      buffer.close();
      throw e;
    }
  }

  /** Reads a 32-bit number from memory that kernels see. */
  int readInt(MemoryBuffer buffer, long offset) {
    try (ArgumentBlock host = new ArgumentBlock(Integer.BYTES)) {
      backend.read(buffer, offset, host.address(), Integer.BYTES);
      return host.getInt(0);
    }
  }

  /**
   * Changes values in memory that kernels see.
   *
   * @param buffer the memory
   * @param offset first byte
   * @param lengthInBytes number of bytes, whole values of up to 16 bytes
   * @param change changes a piece of them in host memory, whole values
   */
  void update(MemoryBuffer buffer, long offset, long lengthInBytes, Consumer<ByteRange> change) {
    try (ArgumentBlock host = new ArgumentBlock(PIECE_BYTES)) {
      for (long done = 0; done < lengthInBytes; done += PIECE_BYTES) {
        long piece = Math.min(lengthInBytes - done, PIECE_BYTES);
        backend.read(buffer, offset + done, host.address(), piece);
        change.accept(new ByteRange(host.address(), piece));
        backend.write(host.address(), buffer, offset + done, piece);
      }
    }
  }

  /**
   * Reads values from memory that kernels see.
   *
   * @param buffer the memory
   * @param offset first byte
   * @param lengthInBytes number of bytes, whole values of up to 16 bytes
   * @param reader receives a piece of them in host memory, whole values
   */
  void read(MemoryBuffer buffer, long offset, long lengthInBytes, Consumer<ByteRange> reader) {
    try (ArgumentBlock host = new ArgumentBlock(PIECE_BYTES)) {
      for (long done = 0; done < lengthInBytes; done += PIECE_BYTES) {
        long piece = Math.min(lengthInBytes - done, PIECE_BYTES);
        backend.read(buffer, offset + done, host.address(), piece);
        reader.accept(new ByteRange(host.address(), piece));
      }
    }
  }

  /**
   * Copies the first bytes of a buffer to a smaller buffer if that saves much memory.
   *
   * @param buffer owned by this call unless it throws
   * @param lengthInBytes bytes that are wanted, at least 1
   * @return a buffer owned by the caller, which may be {@code buffer}
   */
  MemoryBuffer shrunk(MemoryBuffer buffer, long lengthInBytes) {
    if (lengthInBytes > buffer.lengthInBytes() / 2) {
      return buffer;
    }
    MemoryBuffer smaller = allocator.allocate(lengthInBytes);
    try {
      backend.copy(buffer, smaller, lengthInBytes);
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      closer.close(smaller);
      closer.suppressIn(e);
      throw e;
    }
    buffer.close();
    return smaller;
  }

  /** Returns the conversion that copies values of a width. */
  static ValueConversion copyOf(int widthInBytes) {
    return switch (widthInBytes) {
      case 1 -> ValueConversion.COPY_1;
      case 2 -> ValueConversion.COPY_2;
      case 4 -> ValueConversion.COPY_4;
      case 8 -> ValueConversion.COPY_8;
      case 16 -> ValueConversion.COPY_16;
      default -> throw new IllegalArgumentException("values of " + widthInBytes + " bytes");
    };
  }

  /** Returns an empty launch, the same object every time. */
  PageLaunch emptyLaunch() {
    launch.clear();
    return launch;
  }

  /** Runs a launch and waits for it. */
  void launch(FlatColumn column, BiConsumer<StreamWindows, KernelStatus> launch) {
    this.launch.run(
        column,
        list -> {
          status.clear();
          launch.accept(list, status);
          DenseDecoder.await(status);
          return null;
        });
  }

  LevelDecoder levels() {
    return levels;
  }

  NestedLevels nested() {
    return nested;
  }

  DenseDecoder dense() {
    return dense;
  }

  BinaryDecoder binary() {
    return binary;
  }

  ParquetConvertKernel convert() {
    return convert;
  }

  DeltaDecoder delta() {
    return delta;
  }

  DeltaLengthDecoder deltaLengths() {
    return deltaLengths;
  }

  DeltaByteArrayDecoder deltaStrings() {
    return deltaStrings;
  }

  ByteStreamSplitDecoder split() {
    return split;
  }

  BinaryDecimalDecoder decimals() {
    return decimals;
  }

  /**
   * Returns the addresses of heaps in the form that kernels expect.
   *
   * @param heaps memory that kernels see
   * @return their addresses, owned by the caller; null when there are none
   */
  MemoryBuffer heapTable(List<SharedBuffer> heaps) {
    if (heaps.isEmpty()) {
      return null;
    }
    int bytes = heaps.size() * Long.BYTES;
    MemoryBuffer table = allocator.allocate(bytes);
    try (ArgumentBlock host = new ArgumentBlock(bytes)) {
      for (int i = 0; i < heaps.size(); i++) {
        host.putLong(i * Long.BYTES, heaps.get(i).address());
      }
      backend.write(host.address(), table, 0, bytes);
      return table;
    } catch (RuntimeException | Error e) {
      table.close();
      throw e;
    }
  }

  /** Returns the budget of the values that pages buffer for later windows. */
  BufferedValuesBudget bufferBudget() {
    return bufferBudget;
  }

  RowSpread spread() {
    return spread;
  }

  /** Returns the kernel that copies rows of columns by their numbers. */
  public GatherKernel gather() {
    return gather;
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(gather);
    closer.close(spread);
    closer.close(decimals);
    closer.close(split);
    closer.close(deltaStrings);
    closer.close(deltaLengths);
    closer.close(delta);
    closer.close(convert);
    closer.close(binary);
    closer.close(dense);
    closer.close(nested);
    closer.close(levels);
    closer.close(status);
    closer.close(launch);
    closer.rethrow();
  }
}

package io.ariadne.kernel.column;

import io.ariadne.backend.Backend;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.Dictionary;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.columnar.buffer.SharedBuffer;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.Schema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Copies columns between host memory and the memory that kernels see, where these differ.
 *
 * <p>A batch may have columns in either; who needs one elsewhere copies it, column by column.
 * String heaps and dictionaries stay where they are, also under views and codes that kernels move,
 * until a kernel reads them. Stateless; copies wait for what was queued before.
 */
public final class ColumnTransfer {
  private final BufferAllocator hostAllocator;
  private final BufferAllocator kernelAllocator;
  private final Backend backend;

  /**
   * Creates a transfer.
   *
   * @param hostAllocator source of copies in host memory
   * @param kernelAllocator source of copies that kernels see
   * @param backend copies between the two
   */
  public ColumnTransfer(
      BufferAllocator hostAllocator, BufferAllocator kernelAllocator, Backend backend) {
    this.hostAllocator = hostAllocator;
    this.kernelAllocator = kernelAllocator;
    this.backend = backend;
  }

  /**
   * Returns whether kernels see the values or codes of a column; its heaps and its dictionary are
   * not looked at.
   */
  public boolean isForKernels(ColumnVector column) {
    return isForKernels(column.data())
        && isForKernels(column.validity())
        && column.children().stream().allMatch(this::isForKernels);
  }

  private boolean isForKernels(MemoryBuffer buffer) {
    return buffer == null
        || (backend.tier() == MemoryTier.HOST ? isOnHost(buffer) : buffer.tier() == backend.tier());
  }

  /** Returns whether the host can read all of a column. */
  public boolean isOnHost(ColumnVector column) {
    return isOnHost(column.data())
        && isOnHost(column.validity())
        && column.heaps().stream().allMatch(heap -> isOnHost(heap.buffer()))
        && (column.dictionary() == null || isOnHost(column.dictionary().entries()))
        && column.children().stream().allMatch(this::isOnHost);
  }

  /** Returns whether the host reads a buffer; so it does where there is none. */
  public static boolean isOnHost(MemoryBuffer buffer) {
    return buffer == null || buffer.tier() == MemoryTier.HOST || buffer.tier() == MemoryTier.PINNED;
  }

  /**
   * Copies a column to where kernels see its values or codes.
   *
   * @param column all on the host; stays owned by its owner
   * @return a column owned by the caller, with holds of its own on the same heaps and dictionary
   */
  public ColumnVector copyToKernels(ColumnVector column) {
    return copy(column, this::copyToKernels, SharedBuffer::retain, Dictionary::retain);
  }

  /**
   * Copies what kernels read of a nested column, where it is null.
   *
   * @param column on the host; stays owned by its owner
   * @return a column without values, owned by the caller
   */
  public ColumnVector copyValidityToKernels(ColumnVector column) {
    MemoryBuffer validity = column.validity() == null ? null : copyToKernels(column.validity());
    return ColumnVector.flat(column.type(), PhysicalType.NONE, column.rowCount(), null, validity);
  }

  /**
   * Copies a column to the host.
   *
   * @param column values where kernels see them; stays owned by its owner
   * @return a column owned by the caller
   */
  public ColumnVector copyToHost(ColumnVector column) {
    return copy(
        column,
        this::copyToHost,
        heap ->
            isOnHost(heap.buffer()) ? heap.retain() : new SharedBuffer(copyToHost(heap.buffer())),
        this::hostDictionary);
  }

  private Dictionary hostDictionary(Dictionary dictionary) {
    if (isOnHost(dictionary.entries())) {
      return dictionary.retain();
    }
    return dictionary.withEntries(copyToHost(dictionary.entries()));
  }

  /**
   * Lets the host read columns of a batch: as they are, or copies of what is elsewhere.
   *
   * @param batch stays the caller's
   * @param firstColumn the first of the columns; all behind it count
   * @param schema theirs
   * @param body reads them as a batch, which it must neither keep nor close
   */
  public <T> T onHost(
      RecordBatch batch, int firstColumn, Schema schema, Function<RecordBatch, T> body) {
    List<ColumnVector> columns = new ArrayList<>();
    List<ColumnVector> copies = new ArrayList<>();
    try {
      for (int i = firstColumn; i < batch.columnCount(); i++) {
        ColumnVector column = batch.column(i);
        if (!isOnHost(column)) {
          column = copyToHost(column);
          copies.add(column);
        }
        columns.add(column);
      }
      // not closed: its columns belong to the batch or are copies
      return body.apply(new RecordBatch(schema, batch.rowCount(), columns, batch.sequence()));
    } finally {
      copies.forEach(ColumnVector::close);
    }
  }

  /**
   * Makes sure that the host can read all of a batch.
   *
   * @param batch owned by this call, closed also when it throws
   * @return the same batch when it is on the host, else one with copies of what is not; owned by
   *     the caller
   */
  public RecordBatch toHost(RecordBatch batch) {
    try {
      return moveToHost(batch);
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      closer.close(batch);
      closer.suppressIn(e);
      throw e;
    }
  }

  /**
   * Does the same with a batch that stays the caller's, as it was, when this throws.
   *
   * @param batch owned by this call unless it throws
   */
  public RecordBatch moveToHost(RecordBatch batch) {
    ColumnVector[] columns = new ColumnVector[batch.columnCount()];
    try {
      for (int i = 0; i < columns.length; i++) {
        ColumnVector column = batch.column(i);
        columns[i] = isOnHost(column) ? null : copyToHost(column);
      }
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      Arrays.stream(columns).forEach(closer::close);
      closer.suppressIn(e);
      throw e;
    }
    if (Arrays.stream(columns).allMatch(Objects::isNull)) {
      return batch;
    }
    try (batch) {
      for (int i = 0; i < columns.length; i++) {
        columns[i] = columns[i] == null ? batch.takeColumn(i) : columns[i];
      }
      return new RecordBatch(
          batch.schema(), batch.rowCount(), Arrays.asList(columns), batch.sequence());
    }
  }

  /** Copies a buffer to the host. */
  public MemoryBuffer copyToHost(MemoryBuffer source) {
    MemoryBuffer target = hostAllocator.allocate(source.lengthInBytes());
    return filled(
        target, () -> backend.read(source, 0, target.address(), commonBytes(source, target)));
  }

  /** Copies a buffer of the host to where kernels see it. */
  public MemoryBuffer copyToKernels(MemoryBuffer source) {
    MemoryBuffer target = kernelAllocator.allocate(source.lengthInBytes());
    return filled(
        target, () -> backend.write(source.address(), target, 0, commonBytes(source, target)));
  }

  /** Returns the bytes two buffers of the same length both have: padding is copied, too. */
  public static long commonBytes(MemoryBuffer a, MemoryBuffer b) {
    return Math.min(a.capacityInBytes(), b.capacityInBytes());
  }

  /** Fills a new buffer; closes it when that fails. */
  public static MemoryBuffer filled(MemoryBuffer buffer, Runnable filling) {
    try {
      filling.run();
      return buffer;
    } catch (RuntimeException | Error e) {
      buffer.close();
      throw e;
    }
  }

  /** Copies a column buffer by buffer; what was copied is freed when a copy fails. */
  public static ColumnVector copy(
      ColumnVector column,
      UnaryOperator<MemoryBuffer> copyBuffer,
      UnaryOperator<SharedBuffer> holdHeap,
      UnaryOperator<Dictionary> holdDictionary) {
    List<MemoryBuffer> buffers = new ArrayList<>();
    List<SharedBuffer> heaps = new ArrayList<>();
    List<ColumnVector> children = new ArrayList<>();
    try {
      MemoryBuffer data = copy(column.data(), copyBuffer, buffers);
      MemoryBuffer validity = copy(column.validity(), copyBuffer, buffers);
      if (column.dictionary() != null) {
        Dictionary dictionary = holdDictionary.apply(column.dictionary());
        return ColumnVector.ofDictionary(
            dictionary, column.rowCount(), data, validity, column.nullCount());
      }
      column.heaps().forEach(heap -> heaps.add(holdHeap.apply(heap)));
      for (ColumnVector child : column.children()) {
        children.add(copy(child, copyBuffer, holdHeap, holdDictionary));
      }
      return new ColumnVector(
          column.type(),
          column.physicalType(),
          column.rowCount(),
          data,
          validity,
          column.nullCount(),
          heaps,
          children);
    } catch (RuntimeException | Error e) {
      buffers.forEach(MemoryBuffer::close);
      heaps.forEach(SharedBuffer::release);
      children.forEach(ColumnVector::close);
      throw e;
    }
  }

  private static MemoryBuffer copy(
      MemoryBuffer source, UnaryOperator<MemoryBuffer> copyBuffer, List<MemoryBuffer> buffers) {
    if (source == null) {
      return null;
    }
    MemoryBuffer target = copyBuffer.apply(source);
    buffers.add(target);
    return target;
  }
}

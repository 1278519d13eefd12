package io.ariadne.kernel.column;

import io.ariadne.backend.Backend;
import io.ariadne.backend.HostRead;
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
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Copies columns between host memory and kernel memory, where these differ.
 *
 * <p>The columns of a batch may be in either memory. Code that needs a column in the other memory
 * copies it, column by column. String heaps and dictionaries stay where they are until a kernel
 * reads them, even when the views or codes move. Immutable; copies wait for work that was queued
 * before.
 */
public final class ColumnTransfer {
  private final BufferAllocator hostAllocator;
  private final BufferAllocator kernelAllocator;
  private final Backend backend;

  /**
   * Creates a transfer.
   *
   * @param hostAllocator allocates copies in host memory
   * @param kernelAllocator allocates copies in kernel memory
   * @param backend copies between the two
   */
  public ColumnTransfer(
      BufferAllocator hostAllocator, BufferAllocator kernelAllocator, Backend backend) {
    this.hostAllocator = hostAllocator;
    this.kernelAllocator = kernelAllocator;
    this.backend = backend;
  }

  /**
   * Returns whether the values or codes of a column are in kernel memory; does not check its heaps
   * and its dictionary.
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

  /** Returns whether the host can read all columns of a batch. */
  public boolean isOnHost(RecordBatch batch) {
    return elsewhere(batch, 0).isEmpty();
  }

  /** Returns whether the host can read a buffer; true for null. */
  public static boolean isOnHost(MemoryBuffer buffer) {
    return buffer == null || buffer.tier() == MemoryTier.HOST || buffer.tier() == MemoryTier.PINNED;
  }

  /**
   * Copies the values or codes of a column to kernel memory.
   *
   * @param column in host memory; stays owned by its owner
   * @return a column owned by the caller, which retains the same heaps and dictionary
   */
  public ColumnVector copyToKernels(ColumnVector column) {
    return copy(column, this::copyToKernels, SharedBuffer::retain, Dictionary::retain);
  }

  /**
   * Copies the validity of a nested column, which is all that kernels read of it.
   *
   * @param column in host memory; stays owned by its owner
   * @return a column without values, owned by the caller
   */
  public ColumnVector copyValidityToKernels(ColumnVector column) {
    MemoryBuffer validity = column.validity() == null ? null : copyToKernels(column.validity());
    return ColumnVector.flat(column.type(), PhysicalType.NONE, column.rowCount(), null, validity);
  }

  /**
   * Copies a column to host memory.
   *
   * @param column values in kernel memory; stays owned by its owner
   * @return a column owned by the caller
   */
  public ColumnVector copyToHost(ColumnVector column) {
    return copyToHost(List.of(column)).get(0);
  }

  /**
   * Copies columns as {@link #copyToHost(ColumnVector)} does; waits once for all of them where they
   * are short.
   */
  public List<ColumnVector> copyToHost(List<ColumnVector> columns) {
    List<ColumnVector> copies = new ArrayList<>();
    List<HostRead> reads = new ArrayList<>();
    try {
      for (ColumnVector column : columns) {
        copies.add(unfilledCopy(column, reads));
      }
      backend.readAll(reads);
      return copies;
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      copies.forEach(closer::close);
      closer.suppressIn(e);
      throw e;
    }
  }

  /** Returns a copy in host memory, which has its contents once the reads were made. */
  private ColumnVector unfilledCopy(ColumnVector column, List<HostRead> reads) {
    return copy(
        column,
        source -> unfilledCopy(source, reads),
        heap ->
            isOnHost(heap.buffer())
                ? heap.retain()
                : new SharedBuffer(unfilledCopy(heap.buffer(), reads)),
        dictionary ->
            isOnHost(dictionary.entries())
                ? dictionary.retain()
                : dictionary.withEntries(unfilledCopy(dictionary.entries(), reads)));
  }

  private MemoryBuffer unfilledCopy(MemoryBuffer source, List<HostRead> reads) {
    checkReadable(source, isOnHost(source) || source.tier() == backend.tier());
    MemoryBuffer target = hostAllocator.allocate(source.lengthInBytes());
    reads.add(new HostRead(source, target.address(), commonBytes(source, target)));
    return target;
  }

  /**
   * Passes columns of a batch in host memory to a function; copies columns that are elsewhere.
   *
   * @param batch stays the caller's
   * @param firstColumn the first column to pass; all later columns are passed, too
   * @param schema the schema of these columns
   * @param body reads them as a batch, which it must neither keep nor close
   * @return what {@code body} returns
   */
  public <T> T onHost(
      RecordBatch batch, int firstColumn, Schema schema, Function<RecordBatch, T> body) {
    List<ColumnVector> copies = copyToHost(elsewhere(batch, firstColumn));
    try {
      List<ColumnVector> columns = new ArrayList<>();
      Iterator<ColumnVector> copy = copies.iterator();
      for (int i = firstColumn; i < batch.columnCount(); i++) {
        columns.add(isOnHost(batch.column(i)) ? batch.column(i) : copy.next());
      }
      // not closed: its columns belong to the batch or are copies
      return body.apply(new RecordBatch(schema, batch.rowCount(), columns, batch.sequence()));
    } finally {
      Closer closer = new Closer();
      copies.forEach(closer::close);
      closer.rethrow();
    }
  }

  /**
   * Returns a batch that the host can read.
   *
   * @param batch owned by this call, closed also when this throws
   * @return the same batch when all its columns are in host memory; otherwise a batch in which host
   *     copies replace the device columns. Owned by the caller
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
   * Does the same as {@link #toHost}, but when this throws, the batch is unchanged and stays the
   * caller's.
   *
   * @param batch owned by this call unless it throws
   */
  public RecordBatch moveToHost(RecordBatch batch) {
    Iterator<ColumnVector> copy = copyToHost(elsewhere(batch, 0)).iterator();
    return batch.withReplaced(i -> isOnHost(batch.column(i)) ? null : copy.next());
  }

  /** Returns the columns of a batch, from one on, that are not in host memory. */
  private List<ColumnVector> elsewhere(RecordBatch batch, int firstColumn) {
    List<ColumnVector> columns = new ArrayList<>();
    for (int i = firstColumn; i < batch.columnCount(); i++) {
      if (!isOnHost(batch.column(i))) {
        columns.add(batch.column(i));
      }
    }
    return columns;
  }

  /** Copies a buffer to host memory. */
  public MemoryBuffer copyToHost(MemoryBuffer source) {
    checkReadable(source, isOnHost(source) || source.tier() == backend.tier());
    MemoryBuffer target = hostAllocator.allocate(source.lengthInBytes());
    return filled(
        target, () -> backend.read(source, 0, target.address(), commonBytes(source, target)));
  }

  /** Copies a buffer from host memory to kernel memory. */
  public MemoryBuffer copyToKernels(MemoryBuffer source) {
    checkReadable(source, isOnHost(source));
    MemoryBuffer target = kernelAllocator.allocate(source.lengthInBytes());
    return filled(
        target, () -> backend.write(source.address(), target, 0, commonBytes(source, target)));
  }

  private void checkReadable(MemoryBuffer source, boolean isReadable) {
    if (!isReadable) {
      throw new IllegalStateException(
          backend.name() + " cannot copy from " + source.tier() + " memory");
    }
  }

  /**
   * Returns how many bytes to copy between two buffers of the same length, with the padding that
   * both have.
   */
  public static long commonBytes(MemoryBuffer a, MemoryBuffer b) {
    return Math.min(a.capacityInBytes(), b.capacityInBytes());
  }

  /** Fills a new buffer and returns it; closes it when filling fails. */
  public static MemoryBuffer filled(MemoryBuffer buffer, Runnable filling) {
    try {
      filling.run();
      return buffer;
    } catch (RuntimeException | Error e) {
      buffer.close();
      throw e;
    }
  }

  /**
   * Copies a column buffer by buffer; frees the copies when one fails.
   *
   * @param column stays owned by its owner
   * @param copyBuffer copies a buffer
   * @param holdHeap retains or copies a string heap
   * @param holdDictionary retains or copies a dictionary
   */
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

package io.ariadne.operator.concat;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.Dictionary;
import io.ariadne.columnar.buffer.Bitmaps;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.kernel.column.GatherKernel;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Concatenates row ranges of columns of the same type to one column in host memory. Strings stay
 * views into the same heaps. Used by one thread at a time.
 */
public final class ColumnConcatenator {
  private final BufferAllocator allocator;
  private final GatherKernel gather;

  /**
   * Consecutive rows of a column.
   *
   * @param column in host memory; stays its owner's
   * @param first the first row
   * @param count how many rows
   */
  public record Slice(ColumnVector column, int first, int count) {}

  /**
   * Creates a concatenator.
   *
   * @param allocator allocates host memory
   * @param gather gathers in host memory; stays the caller's
   */
  public ColumnConcatenator(BufferAllocator allocator, GatherKernel gather) {
    this.allocator = allocator;
    this.gather = gather;
  }

  /**
   * Concatenates slices. The result is a dictionary column when all slices have the same
   * dictionary.
   *
   * @param type of all columns
   * @param slices at least one
   * @param rowCount the sum of their rows
   * @return a column owned by the caller
   * @throws EngineException OUT_OF_MEMORY when lists have more than 2^31 entries together
   */
  public ColumnVector concatKeepingCodes(DataType type, List<Slice> slices, int rowCount) {
    Dictionary dictionary = slices.get(0).column().dictionary();
    boolean isShared =
        dictionary != null
            && slices.stream()
                .map(slice -> slice.column().dictionary())
                .allMatch(other -> other != null && other.id() == dictionary.id());
    return isShared
        ? concatCodes(
            slices, rowCount, dictionary.retain(), Collections.nCopies(slices.size(), null))
        : concat(type, slices, rowCount);
  }

  /**
   * Concatenates slices to a column without a dictionary. The arguments are those of {@link
   * #concatKeepingCodes}.
   *
   * @return a column owned by the caller
   */
  public ColumnVector concat(DataType type, List<Slice> slices, int rowCount) {
    MemoryBuffer validity = null;
    try {
      validity = validity(slices, rowCount);
      return switch (slices.get(0).column().valueLayout()) {
        case NONE -> structs(type, slices, rowCount, validity);
        case OFFSETS -> lists(type, slices, rowCount, validity);
        default -> flat(type, slices, rowCount, validity);
      };
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      closer.close(validity);
      closer.suppressIn(e);
      throw e;
    }
  }

  /**
   * Concatenates slices of dictionary columns to a column of one dictionary.
   *
   * @param slices at least one
   * @param rowCount the sum of their rows
   * @param dictionary the dictionary of the result; its reference passes to this call, also when
   *     this throws
   * @param translations for each slice, the result's code of each of its codes; null where codes
   *     are the same
   * @return a dictionary column owned by the caller
   */
  public ColumnVector concatCodes(
      List<Slice> slices, int rowCount, Dictionary dictionary, List<int[]> translations) {
    MemoryBuffer validity = null;
    MemoryBuffer codes = null;
    try {
      validity = validity(slices, rowCount);
      codes = allocator.allocate(PhysicalType.DICTIONARY32.dataLengthInBytes(rowCount));
      long target = codes.address();
      for (int i = 0; i < slices.size(); i++) {
        copyCodes(slices.get(i), translations.get(i), target);
        target += (long) slices.get(i).count() * Integer.BYTES;
      }
      return ColumnVector.ofDictionary(
          dictionary, rowCount, codes, validity, ColumnVector.UNKNOWN_NULL_COUNT);
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      closer.close(validity);
      closer.close(codes);
      closer.close(dictionary::release);
      closer.suppressIn(e);
      throw e;
    }
  }

  private static void copyCodes(Slice slice, int[] translation, long target) {
    long bytes = (long) slice.count() * Integer.BYTES;
    if (bytes == 0) {
      return;
    }
    long source = slice.column().data().address() + (long) slice.first() * Integer.BYTES;
    if (translation == null) {
      Memory.copy(source, target, bytes);
      return;
    }
    for (long at = 0; at < bytes; at += Integer.BYTES) {
      Memory.putInt(target + at, translation[Memory.getInt(source + at)]);
    }
  }

  private MemoryBuffer validity(List<Slice> slices, int rowCount) {
    if (slices.stream().noneMatch(slice -> slice.column().mayHaveNulls())) {
      return null;
    }
    MemoryBuffer bits = allocator.allocateZeroed(PhysicalType.BOOL.dataLengthInBytes(rowCount));
    try {
      long at = 0;
      for (Slice slice : slices) {
        if (slice.column().mayHaveNulls()) {
          appendBits(slice.column().validity(), slice, bits, at);
        } else {
          Bitmaps.setAll(bits.address(), at, slice.count());
        }
        at += slice.count();
      }
      return bits;
    } catch (RuntimeException | Error e) {
      bits.close();
      throw e;
    }
  }

  private void appendBits(MemoryBuffer source, Slice slice, MemoryBuffer target, long at) {
    if (slice.count() == 0) {
      return;
    }
    if ((slice.first() & 7) == 0) {
      long from = source.address() + (slice.first() >>> 3);
      Bitmaps.append(from, target.address(), at, slice.count());
      return;
    }
    long bytes = PhysicalType.BOOL.dataLengthInBytes(slice.count());
    try (MemoryBuffer moved = allocator.allocate(bytes)) {
      Bitmaps.copy(source.address(), slice.first(), moved.address(), slice.count());
      Bitmaps.append(moved.address(), target.address(), at, slice.count());
    }
  }

  private ColumnVector structs(
      DataType type, List<Slice> slices, int rowCount, MemoryBuffer validity) {
    return nested(type, PhysicalType.NONE, slices, rowCount, null, validity);
  }

  private ColumnVector lists(
      DataType type, List<Slice> slices, int rowCount, MemoryBuffer validity) {
    MemoryBuffer offsets = allocator.allocate(PhysicalType.OFFSETS.dataLengthInBytes(rowCount));
    try {
      List<Slice> entries = new ArrayList<>();
      long end = 0;
      long at = 0;
      offsets.putInt(0, 0);
      for (Slice slice : slices) {
        MemoryBuffer source = slice.column().data();
        int start = source.getInt((long) slice.first() * Integer.BYTES);
        for (int i = 1; i <= slice.count(); i++) {
          int offset = source.getInt((long) (slice.first() + i) * Integer.BYTES) - start;
          at += Integer.BYTES;
          offsets.putInt(at, (int) (end + offset));
        }
        int count = source.getInt((long) (slice.first() + slice.count()) * Integer.BYTES) - start;
        entries.add(new Slice(slice.column(), start, count));
        end += count;
      }
      if (end > Integer.MAX_VALUE) {
        throw new EngineException(
            ErrorCode.OUT_OF_MEMORY,
            "more than 2^31 entries in the lists of " + rowCount + " rows");
      }
      return nested(type, PhysicalType.OFFSETS, entries, rowCount, offsets, validity);
    } catch (RuntimeException | Error e) {
      offsets.close();
      throw e;
    }
  }

  /** Concatenates the children of nested columns; the slices are row ranges of the children. */
  private ColumnVector nested(
      DataType type,
      PhysicalType layout,
      List<Slice> slices,
      int rowCount,
      MemoryBuffer data,
      MemoryBuffer validity) {
    int childRows = slices.stream().mapToInt(Slice::count).sum();
    List<ColumnVector> children = new ArrayList<>();
    try {
      for (int c = 0; c < slices.get(0).column().children().size(); c++) {
        List<Slice> parts = new ArrayList<>();
        for (Slice slice : slices) {
          parts.add(new Slice(slice.column().children().get(c), slice.first(), slice.count()));
        }
        children.add(concat(parts.get(0).column().type(), parts, childRows));
      }
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      children.forEach(closer::close);
      closer.suppressIn(e);
      throw e;
    }
    return new ColumnVector(
        type,
        layout,
        rowCount,
        data,
        validity,
        ColumnVector.UNKNOWN_NULL_COUNT,
        List.of(),
        children);
  }

  private ColumnVector flat(
      DataType type, List<Slice> slices, int rowCount, MemoryBuffer validity) {
    PhysicalType layout = widest(slices);
    MemoryBuffer data = allocator.allocate(layout.dataLengthInBytes(rowCount));
    HeapUnion heaps = new HeapUnion();
    try {
      if (layout == PhysicalType.BOOL) {
        data.fillZero();
      }
      long at = 0;
      for (Slice slice : slices) {
        append(slice, layout, data, at);
        if (layout == PhysicalType.VIEW16) {
          ColumnVector column = slice.column();
          boolean isEncoded = column.dictionary() != null;
          ColumnVector values = isEncoded ? column.dictionary().entries() : column;
          heaps.add(values.heaps(), data.address() + at * layout.widthInBytes(), slice.count());
        }
        at += slice.count();
      }
      return new ColumnVector(
          type,
          layout,
          rowCount,
          data,
          validity,
          ColumnVector.UNKNOWN_NULL_COUNT,
          heaps.retained(),
          List.of());
    } catch (RuntimeException | Error e) {
      data.close();
      throw e;
    }
  }

  /** Returns the widest layout of the columns; decimals may have several. */
  private static PhysicalType widest(List<Slice> slices) {
    PhysicalType widest = slices.get(0).column().valueLayout();
    for (Slice slice : slices) {
      PhysicalType layout = slice.column().valueLayout();
      if (layout.widthInBytes() > widest.widthInBytes()) {
        widest = layout;
      }
    }
    return widest;
  }

  private void append(Slice slice, PhysicalType layout, MemoryBuffer target, long at) {
    ColumnVector column = slice.column();
    if (column.dictionary() == null) {
      copy(slice, layout, target, at);
      return;
    }
    ColumnVector entries = column.dictionary().entries();
    if (entries.physicalType() == layout && layout != PhysicalType.BOOL) {
      long offset = at * layout.widthInBytes();
      gather.run(
          entries,
          column.data(),
          slice.first(),
          slice.count(),
          new GatherKernel.Target(target, offset, null));
      return;
    }
    long bytes = entries.physicalType().dataLengthInBytes(slice.count());
    try (MemoryBuffer values = allocator.allocate(bytes)) {
      gather.run(
          entries,
          column.data(),
          slice.first(),
          slice.count(),
          new GatherKernel.Target(values, 0, null));
      // not closed: its buffer is closed here
      ColumnVector decoded =
          ColumnVector.flat(column.type(), entries.physicalType(), slice.count(), values, null);
      copy(new Slice(decoded, 0, slice.count()), layout, target, at);
    }
  }

  private void copy(Slice slice, PhysicalType layout, MemoryBuffer target, long at) {
    MemoryBuffer source = slice.column().data();
    if (slice.count() == 0) {
      return;
    }
    if (layout == PhysicalType.BOOL) {
      appendBits(source, slice, target, at);
    } else if (slice.column().physicalType() == layout) {
      long width = layout.widthInBytes();
      Memory.copy(
          source.address() + slice.first() * width,
          target.address() + at * width,
          slice.count() * width);
    } else {
      widen(slice, layout, target, at);
    }
  }

  private static void widen(Slice slice, PhysicalType layout, MemoryBuffer target, long at) {
    MemoryBuffer source = slice.column().data();
    boolean isInt = slice.column().physicalType() == PhysicalType.I32;
    for (int i = 0; i < slice.count(); i++) {
      long from = slice.first() + (long) i;
      long value = isInt ? source.getInt(from * Integer.BYTES) : source.getLong(from * Long.BYTES);
      long to = (at + i) * layout.widthInBytes();
      target.putLong(to, value);
      if (layout == PhysicalType.I128) {
        target.putLong(to + Long.BYTES, value >> (Long.SIZE - 1));
      }
    }
  }
}

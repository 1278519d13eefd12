package io.ariadne.columnar.concat;

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
import java.util.ArrayList;
import java.util.List;

/**
 * Concatenates row ranges of columns of one type in host memory. Used by one thread at a time.
 *
 * <p>The columns' values have one layout, with two exceptions: decimals become as wide as the
 * widest, and dictionary columns may be mixed with plain ones. Nested columns are concatenated with
 * their parents.
 */
public final class ColumnConcatenator {
  private final BufferAllocator allocator;
  private final ConcatenationPolicy policy;
  private final DictionaryLookup lookup;

  /**
   * Creates a concatenator.
   *
   * @param allocator host memory for the results
   * @param policy what results share with their sources
   * @param lookup decodes dictionary columns
   */
  public ColumnConcatenator(
      BufferAllocator allocator, ConcatenationPolicy policy, DictionaryLookup lookup) {
    this.allocator = allocator;
    this.policy = policy;
    this.lookup = lookup;
  }

  /**
   * Concatenates slices. The result is a dictionary column where the policy allows it.
   *
   * @param type of all columns
   * @param slices at least one
   * @return a column owned by the caller
   * @throws EngineException OUT_OF_MEMORY when lists have more than 2^31 entries together
   */
  public ColumnVector concat(DataType type, List<ColumnSlice> slices) {
    CommonDictionary common = CommonDictionary.of(slices, ColumnSlice.rows(slices), policy);
    if (common == null) {
      return concatDecoded(type, slices);
    }
    List<int[]> translations = common.translations(slices);
    return concatCodes(slices, common.retained(type, allocator), translations);
  }

  /**
   * Concatenates slices into a column without a dictionary; arguments and exceptions as of {@link
   * #concat}.
   *
   * @return a column owned by the caller
   */
  public ColumnVector concatDecoded(DataType type, List<ColumnSlice> slices) {
    int rowCount = ColumnSlice.rows(slices);
    MemoryBuffer validity = null;
    try {
      validity = validity(slices, rowCount);
      return switch (ColumnSlice.layout(slices)) {
        case NONE -> nested(type, slices, rowCount, null, validity);
        case OFFSETS -> lists(type, slices, rowCount, validity);
        case VIEW16 -> strings(type, slices, rowCount, validity);
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
   * Concatenates slices of dictionary columns as codes of one dictionary.
   *
   * @param slices at least one
   * @param dictionary of the result, which takes over the caller's reference, also when this throws
   * @param translations for each slice the codes of {@code dictionary} by the codes of the slice's
   *     column; null where they are the same
   * @return a dictionary column owned by the caller
   */
  public ColumnVector concatCodes(
      List<ColumnSlice> slices, Dictionary dictionary, List<int[]> translations) {
    MemoryBuffer validity = null;
    MemoryBuffer codes = null;
    try {
      int rowCount = ColumnSlice.rows(slices);
      validity = validity(slices, rowCount);
      codes = allocator.allocate(PhysicalType.DICTIONARY32.dataLengthInBytes(rowCount));
      long target = rowCount == 0 ? 0 : codes.address();
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

  private static void copyCodes(ColumnSlice slice, int[] translation, long target) {
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

  private MemoryBuffer validity(List<ColumnSlice> slices, int rowCount) {
    if (slices.stream().noneMatch(slice -> slice.column().mayHaveNulls())) {
      return null;
    }
    MemoryBuffer bits = allocator.allocateZeroed(PhysicalType.BOOL.dataLengthInBytes(rowCount));
    try {
      long at = 0;
      for (ColumnSlice slice : slices) {
        if (slice.column().mayHaveNulls()) {
          appendBits(slice.column().validity(), slice, bits, at);
        } else if (slice.count() > 0) {
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

  private static void appendBits(
      MemoryBuffer source, ColumnSlice slice, MemoryBuffer target, long at) {
    if (slice.count() > 0) {
      Bitmaps.append(source.address(), slice.first(), target.address(), at, slice.count());
    }
  }

  private ColumnVector lists(
      DataType type, List<ColumnSlice> slices, int rowCount, MemoryBuffer validity) {
    MemoryBuffer offsets = allocator.allocate(PhysicalType.OFFSETS.dataLengthInBytes(rowCount));
    try {
      long end = 0;
      long at = 0;
      offsets.putInt(0, 0);
      for (ColumnSlice slice : slices) {
        MemoryBuffer source = slice.column().data();
        long shift = end - source.getInt((long) slice.first() * Integer.BYTES);
        for (int i = 1; i <= slice.count(); i++) {
          end = source.getInt((long) (slice.first() + i) * Integer.BYTES) + shift;
          at += Integer.BYTES;
          offsets.putInt(at, (int) end);
        }
      }
      if (end > Integer.MAX_VALUE) {
        throw new EngineException(
            ErrorCode.OUT_OF_MEMORY,
            "more than 2^31 entries in the lists of " + rowCount + " rows");
      }
      return nested(type, slices, rowCount, offsets, validity);
    } catch (RuntimeException | Error e) {
      offsets.close();
      throw e;
    }
  }

  /** Concatenates the children of lists, maps or structs. */
  private ColumnVector nested(
      DataType type,
      List<ColumnSlice> slices,
      int rowCount,
      MemoryBuffer data,
      MemoryBuffer validity) {
    ColumnVector first = slices.get(0).column();
    List<ColumnVector> children = new ArrayList<>();
    try {
      for (int c = 0; c < first.children().size(); c++) {
        DataType childType = first.children().get(c).type();
        children.add(concatDecoded(childType, ColumnSlice.children(slices, c)));
      }
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      children.forEach(closer::close);
      closer.suppressIn(e);
      throw e;
    }
    return new ColumnVector(
        type,
        first.physicalType(),
        rowCount,
        data,
        validity,
        ColumnVector.UNKNOWN_NULL_COUNT,
        List.of(),
        children);
  }

  private ColumnVector strings(
      DataType type, List<ColumnSlice> slices, int rowCount, MemoryBuffer validity) {
    if (policy == ConcatenationPolicy.COMPACT) {
      StringCopier copier = new StringCopier(slices);
      if (copier.pays()) {
        return copier.copy(type, rowCount, validity, allocator);
      }
    }
    return flat(type, slices, rowCount, validity);
  }

  private ColumnVector flat(
      DataType type, List<ColumnSlice> slices, int rowCount, MemoryBuffer validity) {
    PhysicalType layout = widest(slices);
    MemoryBuffer data = allocator.allocate(layout.dataLengthInBytes(rowCount));
    HeapUnion heaps = new HeapUnion();
    try {
      if (layout == PhysicalType.BOOL) {
        data.fillZero();
      }
      long at = 0;
      for (ColumnSlice slice : slices) {
        if (slice.count() > 0) {
          append(slice, layout, data, at);
          if (layout == PhysicalType.VIEW16) {
            ColumnVector values = StringCopier.valuesOf(slice.column());
            heaps.add(values.heaps(), data.address() + at * layout.widthInBytes(), slice.count());
          }
          at += slice.count();
        }
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

  /** Returns a layout for the values of all columns: decimals may have several. */
  private static PhysicalType widest(List<ColumnSlice> slices) {
    PhysicalType widest = ColumnSlice.layout(slices);
    for (ColumnSlice slice : slices) {
      PhysicalType layout = slice.column().valueLayout();
      if (layout.widthInBytes() > widest.widthInBytes()) {
        widest = layout;
      }
    }
    return widest;
  }

  private void append(ColumnSlice slice, PhysicalType layout, MemoryBuffer target, long at) {
    ColumnVector column = slice.column();
    if (column.dictionary() == null) {
      copy(slice, layout, target, at);
      return;
    }
    PhysicalType valueLayout = column.valueLayout();
    if (valueLayout == layout && layout != PhysicalType.BOOL) {
      lookup.lookUp(slice, target, at * layout.widthInBytes());
      return;
    }
    try (MemoryBuffer values = allocator.allocate(valueLayout.dataLengthInBytes(slice.count()))) {
      lookup.lookUp(slice, values, 0);
      // not closed: its buffer is
      ColumnVector decoded =
          ColumnVector.flat(column.type(), valueLayout, slice.count(), values, null);
      copy(new ColumnSlice(decoded, 0, slice.count()), layout, target, at);
    }
  }

  private static void copy(ColumnSlice slice, PhysicalType layout, MemoryBuffer target, long at) {
    MemoryBuffer source = slice.column().data();
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

  private static void widen(ColumnSlice slice, PhysicalType layout, MemoryBuffer target, long at) {
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

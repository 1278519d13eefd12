package io.ariadne.shuffle.rows;

import io.ariadne.columnar.ColumnReader;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.Dictionary;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.builder.ColumnBuilder;
import io.ariadne.columnar.builder.ViewBuilder;
import io.ariadne.columnar.type.PhysicalType;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How rows of dictionary columns stay codes: of the one dictionary that all have, or, for strings,
 * of a new one that has each string of several small ones once. Used by one thread.
 */
final class DictionaryConcatenator {
  /** Strings of a new dictionary at most: there is one for every batch. */
  static final int MAX_STRINGS = 256;

  /** With fewer rows per string of a new dictionary, views are as good. */
  private static final int LEAST_ROWS_PER_STRING = 2;

  /** The dictionary that all have; null for several. */
  private final Dictionary common;

  /** Codes of the new dictionary by those of each dictionary, by its id. */
  private final Map<Long, int[]> translations;

  private final List<byte[]> strings;

  private DictionaryConcatenator(
      Dictionary common, Map<Long, int[]> translations, List<byte[]> strings) {
    this.common = common;
    this.translations = translations;
    this.strings = strings;
  }

  /**
   * Returns how rows stay codes, or null when they do not.
   *
   * @param slices columns of one type, at least one
   * @param rows of all
   */
  static DictionaryConcatenator of(List<ColumnSlice> slices, int rows) {
    Map<Long, Dictionary> dictionaries = new LinkedHashMap<>();
    for (ColumnSlice slice : slices) {
      Dictionary dictionary = slice.column().dictionary();
      if (dictionary == null) {
        return null; // before anything is made of the others: most columns have none
      }
      dictionaries.put(dictionary.id(), dictionary);
    }
    if (dictionaries.size() == 1) {
      Dictionary only = slices.get(0).column().dictionary();
      // What rests must not keep many entries in memory for the sake of few rows.
      return only.entryCount() <= rows
          ? new DictionaryConcatenator(only, Map.of(), List.of())
          : null;
    }
    return ofSeveral(dictionaries, Math.min(MAX_STRINGS, rows / LEAST_ROWS_PER_STRING));
  }

  private static DictionaryConcatenator ofSeveral(
      Map<Long, Dictionary> dictionaries, int mostStrings) {
    Map<ByteBuffer, Integer> codes = new HashMap<>();
    List<byte[]> strings = new ArrayList<>();
    Map<Long, int[]> translations = new HashMap<>();
    for (Dictionary dictionary : dictionaries.values()) {
      int entries = dictionary.entryCount();
      if (dictionary.valueLayout() != PhysicalType.VIEW16 || entries > mostStrings) {
        return null;
      }
      ColumnReader reader = new ColumnReader(dictionary.entries());
      int[] translation = new int[entries];
      for (int entry = 0; entry < entries; entry++) {
        byte[] string = reader.getBytes(entry);
        Integer known = codes.putIfAbsent(ByteBuffer.wrap(string), strings.size());
        translation[entry] = known == null ? strings.size() : known;
        if (known == null) {
          strings.add(string);
        }
      }
      if (strings.size() > mostStrings) {
        return null;
      }
      translations.put(dictionary.id(), translation);
    }
    return new DictionaryConcatenator(null, translations, strings);
  }

  /**
   * Makes the column.
   *
   * @param slices as before
   * @param rows of all
   * @param validity of the rows, or null; the column's unless this throws
   * @param allocator host memory
   */
  ColumnVector join(
      List<ColumnSlice> slices, int rows, MemoryBuffer validity, BufferAllocator allocator) {
    MemoryBuffer codes = allocator.allocate(PhysicalType.DICTIONARY32.dataLengthInBytes(rows));
    Dictionary dictionary;
    try {
      copyCodes(slices, rows == 0 ? 0 : codes.address());
      dictionary = common == null ? newDictionary(slices, allocator) : common.retain();
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      closer.close(codes);
      closer.suppressIn(e);
      throw e;
    }
    return ColumnVector.ofDictionary(
        dictionary, rows, codes, validity, ColumnVector.UNKNOWN_NULL_COUNT);
  }

  private void copyCodes(List<ColumnSlice> slices, long target) {
    long to = target;
    for (ColumnSlice slice : slices) {
      long bytes = (long) slice.count() * Integer.BYTES;
      if (bytes == 0) {
        continue;
      }
      ColumnVector column = slice.column();
      long from = column.data().address() + (long) slice.first() * Integer.BYTES;
      if (common != null) {
        Memory.copy(from, to, bytes);
      } else {
        int[] translation = translations.get(column.dictionary().id());
        for (long at = 0; at < bytes; at += Integer.BYTES) {
          Memory.putInt(to + at, translation[Memory.getInt(from + at)]);
        }
      }
      to += bytes;
    }
  }

  private Dictionary newDictionary(List<ColumnSlice> slices, BufferAllocator allocator) {
    try (ViewBuilder builder =
        (ViewBuilder) ColumnBuilder.create(slices.get(0).column().type(), allocator)) {
      strings.forEach(builder::append);
      return new Dictionary(builder.build());
    }
  }
}

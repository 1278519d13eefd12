package io.ariadne.columnar.concat;

import io.ariadne.columnar.ColumnReader;
import io.ariadne.columnar.Dictionary;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.builder.ColumnBuilder;
import io.ariadne.columnar.builder.ViewBuilder;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.PhysicalType;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The dictionary by which rows of several dictionary columns stay codes: the one that all columns
 * have, or, for strings, a new one with each string of several small dictionaries once. Used by one
 * thread.
 */
final class CommonDictionary {
  /** Most strings of a new dictionary: every concatenation makes one. */
  static final int MAX_STRINGS = 256;

  /** With fewer rows per string of a new dictionary, views are as good. */
  private static final int LEAST_ROWS_PER_STRING = 2;

  /** The dictionary that all columns have; null for several. */
  private final Dictionary shared;

  /** Codes of the new dictionary by the codes of each dictionary, by its id. */
  private final Map<Long, int[]> translations;

  /** Entries of the new dictionary. */
  private final List<byte[]> strings;

  private CommonDictionary(Dictionary shared, Map<Long, int[]> translations, List<byte[]> strings) {
    this.shared = shared;
    this.translations = translations;
    this.strings = strings;
  }

  /**
   * Finds the dictionary for a concatenation.
   *
   * @param slices of columns of one type, at least one
   * @param rows of all slices
   * @param policy whether a large dictionary may stay, and a new one may be made
   * @return null when the rows are to be decoded
   */
  static CommonDictionary of(List<ColumnSlice> slices, int rows, ConcatenationPolicy policy) {
    Map<Long, Dictionary> dictionaries = new LinkedHashMap<>();
    for (ColumnSlice slice : slices) {
      Dictionary dictionary = slice.column().dictionary();
      if (dictionary == null) {
        return null; // the usual case: most columns have none
      }
      dictionaries.put(dictionary.id(), dictionary);
    }
    boolean mayShareAny = policy == ConcatenationPolicy.SHARE;
    if (dictionaries.size() == 1) {
      Dictionary only = slices.get(0).column().dictionary();
      // A compact result must not keep many entries in memory for few rows.
      return mayShareAny || only.entryCount() <= rows
          ? new CommonDictionary(only, Map.of(), List.of())
          : null;
    }
    return mayShareAny
        ? null
        : ofSeveral(dictionaries, Math.min(MAX_STRINGS, rows / LEAST_ROWS_PER_STRING));
  }

  private static CommonDictionary ofSeveral(Map<Long, Dictionary> dictionaries, int mostStrings) {
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
    return new CommonDictionary(null, translations, strings);
  }

  /**
   * Returns the dictionary, with a reference that the caller owns.
   *
   * @param type of the columns
   * @param allocator host memory for a new dictionary
   */
  Dictionary retained(DataType type, BufferAllocator allocator) {
    if (shared != null) {
      return shared.retain();
    }
    try (ViewBuilder builder = (ViewBuilder) ColumnBuilder.create(type, allocator)) {
      strings.forEach(builder::append);
      return new Dictionary(builder.build());
    }
  }

  /**
   * Returns the codes of this dictionary by the codes of each slice's column; null where they are
   * the same.
   */
  List<int[]> translations(List<ColumnSlice> slices) {
    List<int[]> found = new ArrayList<>(slices.size());
    for (ColumnSlice slice : slices) {
      found.add(translations.get(slice.column().dictionary().id()));
    }
    return found;
  }
}

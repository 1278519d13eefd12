package io.ariadne.operator.sort;

import io.ariadne.columnar.ColumnReader;
import io.ariadne.columnar.Dictionary;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.builder.ColumnBuilder;
import io.ariadne.columnar.builder.ViewBuilder;
import io.ariadne.columnar.concat.ColumnSlice;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.PhysicalType;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * One numbering of the few different strings that a column has in all that is sorted together: with
 * it rows keep codes, a quarter of a view, from the first run to the output, whatever dictionaries
 * they came with.
 *
 * <p>Strings get numbers as they come. Each time there are more a new dictionary is made, a version
 * of this one: it begins with the strings of those before, so that a later version has the meaning
 * of an earlier one's codes. When there are too many strings no more are added; rows that have
 * others are kept as views. Thread-safe.
 */
final class CommonCodes implements AutoCloseable {
  /** More different strings are not numbered: of as many there may be versions. */
  static final int MAX_STRINGS = 256;

  private static final int MAX_CHARACTER_BYTES = 16 << 10;

  /** Dictionaries that come whose translations are kept. */
  private static final int MAX_TRANSLATIONS = 1024;

  private final BufferAllocator allocator;
  private final Map<ByteBuffer, Integer> numbers = new HashMap<>();
  private final List<byte[]> strings = new ArrayList<>();
  private final Map<Long, int[]> translations = new HashMap<>();
  private int characterBytes;

  /** Ids of the versions. */
  private final Set<Long> versions = ConcurrentHashMap.newKeySet();

  /** The last version, held; null when there is none yet or no more are made. */
  private Dictionary latest;

  private boolean closed;

  /**
   * How rows of some columns get codes of one dictionary.
   *
   * @param dictionary held for the receiver
   * @param translations the codes by those of a slice's column, slice by slice; null where they are
   *     the same
   */
  record Recoding(Dictionary dictionary, List<int[]> translations) {}

  /** Creates an empty numbering. */
  CommonCodes(BufferAllocator allocator) {
    this.allocator = allocator;
  }

  /**
   * Finds codes for rows of some columns.
   *
   * @param slices of columns of one type, at least one, in host memory
   * @return null when rows of one of them have no codes
   */
  Recoding recode(List<ColumnSlice> slices) {
    Dictionary longest = null;
    boolean areVersions = true;
    for (ColumnSlice slice : slices) {
      Dictionary dictionary = slice.column().dictionary();
      if (dictionary == null || !mayBeNumbered(dictionary)) {
        return null;
      }
      if (longest == null || dictionary.entryCount() > longest.entryCount()) {
        longest = dictionary;
      }
      areVersions &= isVersion(dictionary);
    }
    return areVersions
        ? new Recoding(longest.retain(), Collections.nCopies(slices.size(), null))
        : translate(slices);
  }

  private static boolean mayBeNumbered(Dictionary dictionary) {
    return dictionary.valueLayout() == PhysicalType.VIEW16
        && dictionary.entryCount() <= MAX_STRINGS;
  }

  private boolean isVersion(Dictionary dictionary) {
    return versions.contains(dictionary.id());
  }

  private synchronized Recoding translate(List<ColumnSlice> slices) {
    List<int[]> found = new ArrayList<>();
    for (ColumnSlice slice : slices) {
      Dictionary dictionary = slice.column().dictionary();
      int[] translation = isVersion(dictionary) ? null : translation(dictionary);
      if (closed || (translation == null && !isVersion(dictionary))) {
        return null;
      }
      found.add(translation);
    }
    if (latest == null || latest.entryCount() < strings.size()) {
      makeVersion(slices.get(0).column().type());
    }
    return new Recoding(latest.retain(), found);
  }

  /** Returns the numbers of a dictionary's strings; null when there are too many. */
  private int[] translation(Dictionary dictionary) {
    int[] known = translations.get(dictionary.id());
    if (known != null || closed) {
      return known;
    }
    List<byte[]> entries = entriesOf(dictionary);
    if (!addAll(entries)) {
      return null;
    }
    int[] translation =
        entries.stream().mapToInt(entry -> numbers.get(ByteBuffer.wrap(entry))).toArray();
    if (translations.size() == MAX_TRANSLATIONS) {
      translations.clear();
    }
    translations.put(dictionary.id(), translation);
    return translation;
  }

  private static List<byte[]> entriesOf(Dictionary dictionary) {
    ColumnReader reader = new ColumnReader(dictionary.entries());
    List<byte[]> entries = new ArrayList<>();
    for (int entry = 0; entry < dictionary.entryCount(); entry++) {
      entries.add(reader.getBytes(entry));
    }
    return entries;
  }

  /** Numbers strings that have no number, unless that makes too many; returns whether all have. */
  private boolean addAll(List<byte[]> entries) {
    Map<ByteBuffer, byte[]> added = new LinkedHashMap<>();
    int bytes = characterBytes;
    for (byte[] entry : entries) {
      ByteBuffer key = ByteBuffer.wrap(entry);
      if (!numbers.containsKey(key) && added.put(key, entry) == null) {
        bytes += entry.length;
      }
    }
    if (strings.size() + added.size() > MAX_STRINGS || bytes > MAX_CHARACTER_BYTES) {
      return false;
    }
    added.forEach(
        (key, entry) -> {
          numbers.put(key, strings.size());
          strings.add(entry);
        });
    characterBytes = bytes;
    return true;
  }

  private void makeVersion(DataType type) {
    Dictionary version;
    try (ViewBuilder builder = (ViewBuilder) ColumnBuilder.create(type, allocator)) {
      strings.forEach(builder::append);
      version = new Dictionary(builder.build());
    }
    versions.add(version.id());
    if (latest != null) {
      latest.release();
    }
    latest = version;
  }

  /** Lets go of the last version: columns keep theirs, and only those have codes from now on. */
  @Override
  public synchronized void close() {
    closed = true;
    if (latest != null) {
      latest.release();
      latest = null;
    }
  }
}

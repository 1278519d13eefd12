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
 * Encodes a column with few distinct strings by one dictionary for all rows of a sort. Rows keep
 * codes of a quarter of a view's size from the first run to the output, whatever dictionaries the
 * input had.
 *
 * <p>Strings get codes in the order of arrival. New strings make a new version of the dictionary,
 * which begins with the strings of the version before, so codes keep their meaning in later
 * versions. When there are too many strings, none are added, and rows with other strings stay
 * views. Thread-safe.
 */
final class CommonCodes implements AutoCloseable {
  /** The most distinct strings; there may be as many versions. */
  static final int MAX_STRINGS = 256;

  private static final int MAX_CHARACTER_BYTES = 16 << 10;

  /** The most input dictionaries whose translations are remembered. */
  private static final int MAX_TRANSLATIONS = 1024;

  private final BufferAllocator allocator;
  private final Map<ByteBuffer, Integer> numbers = new HashMap<>();
  private final List<byte[]> strings = new ArrayList<>();
  private final Map<Long, int[]> translations = new HashMap<>();
  private int characterBytes;

  /** Ids of the dictionary's versions. */
  private final Set<Long> versions = ConcurrentHashMap.newKeySet();

  /**
   * The last version, which this holds a reference to; null before the first and when no more are
   * made.
   */
  private Dictionary latest;

  private boolean closed;

  /**
   * A dictionary, and how codes of some columns translate to its codes.
   *
   * @param dictionary with a reference that the receiver releases
   * @param translations per slice: the dictionary's code by the column's code; null where they are
   *     equal
   */
  record Recoding(Dictionary dictionary, List<int[]> translations) {}

  /** Creates an empty dictionary. */
  CommonCodes(BufferAllocator allocator) {
    this.allocator = allocator;
  }

  /**
   * Encodes rows of some columns.
   *
   * @param slices of columns of one type, at least one, in host memory
   * @return null when a column has strings without codes
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

  /** Returns the codes of another dictionary's strings; null when there are too many strings. */
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

  /** Adds strings without a code, unless that makes too many; returns whether all have codes. */
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

  /**
   * Releases the last version. Columns keep their versions, and no other rows get codes from now
   * on.
   */
  @Override
  public synchronized void close() {
    closed = true;
    if (latest != null) {
      latest.release();
      latest = null;
    }
  }
}

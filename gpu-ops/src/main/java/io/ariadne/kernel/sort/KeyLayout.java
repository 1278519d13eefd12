package io.ariadne.kernel.sort;

import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.kernel.abi.SortPart;
import java.util.ArrayList;
import java.util.List;

/**
 * The layout of normalised keys, which depends only on the types of the keys. A key has a bit for
 * nulls, then the value, the highest bits first; no field spans two words. A string has a prefix of
 * {@value #PREFIX_WORDS} words, and the next key begins a new word.
 */
final class KeyLayout {
  /** Words of a string's prefix. Bits in which strings do not differ cost almost nothing. */
  static final int PREFIX_WORDS = 3;

  private final List<KeyField> fields = new ArrayList<>();
  private final List<Part> parts = new ArrayList<>();
  private int word = -1;
  private int free;
  private int radixWords;

  /**
   * What is compared at a time: words, and then perhaps a string.
   *
   * @param firstWord the first of the words
   * @param endWord the word behind the last
   * @param key the string, -1 for none
   */
  record Part(int firstWord, int endWord, int key) {}

  /** Lays out the keys. */
  KeyLayout(List<SortKey> keys) {
    int partStart = 0;
    for (int k = 0; k < keys.size(); k++) {
      add(k, SortPart.SORT_NULL, 1, 0);
      addValue(k, keys.get(k));
      if (keys.get(k).isString()) {
        parts.add(new Part(partStart, word + 1, k));
        partStart = word + 1;
        free = 0;
        radixWords = radixWords == 0 ? word + 1 : radixWords;
      }
    }
    if (partStart <= word) {
      parts.add(new Part(partStart, word + 1, -1));
    }
    radixWords = radixWords == 0 ? word + 1 : radixWords;
  }

  private void addValue(int k, SortKey key) {
    PhysicalType layout = key.column().type().defaultPhysicalType();
    switch (layout) {
      case VIEW16 -> {
        for (int i = 0; i < PREFIX_WORDS; i++) {
          add(k, SortPart.SORT_PREFIX, Long.SIZE, i * Long.BYTES);
        }
      }
      case I128 -> {
        add(k, SortPart.SORT_HIGH, Long.SIZE, 0);
        add(k, SortPart.SORT_LOW, Long.SIZE, 0);
      }
      case BOOL -> add(k, SortPart.SORT_VALUE, 1, 0);
      default -> add(k, SortPart.SORT_VALUE, layout.widthInBytes() * Byte.SIZE, 0);
    }
  }

  private void add(int key, int part, int bits, int skip) {
    boolean isFirst = free < bits;
    if (isFirst) {
      word++;
      free = Long.SIZE;
    }
    free -= bits;
    fields.add(new KeyField(key, part, bits, word, free, skip, isFirst));
  }

  /** Returns the fields, the most significant first. */
  List<KeyField> fields() {
    return fields;
  }

  /** Returns the parts to compare, in order. */
  List<Part> parts() {
    return parts;
  }

  /** Returns the words of a normalised key. */
  int wordCount() {
    return word + 1;
  }

  /**
   * Returns the words up to the first string's prefix; rows are sorted by these words as integers.
   */
  int radixWords() {
    return radixWords;
  }

  /** Returns the first word of the first string's prefix; the word count without strings. */
  int firstPrefixWord() {
    return parts.get(0).key() < 0 ? wordCount() : radixWords - PREFIX_WORDS;
  }
}

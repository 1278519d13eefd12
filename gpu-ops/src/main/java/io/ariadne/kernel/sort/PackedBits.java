package io.ariadne.kernel.sort;

import io.ariadne.kernel.abi.PackLimit;
import io.ariadne.kernel.abi.TiesLimit;
import java.util.ArrayList;
import java.util.List;

/** The bits of normalised keys by which rows are sorted as integers: those in which rows differ. */
final class PackedBits {
  /** How many bits of a string's prefix are worth sorting by; rows that share them are compared. */
  private static final int PREFIX_BITS = 64;

  /**
   * Up to so many constant bits between two runs are kept, because another segment would cost more.
   */
  private static final int GAP_BITS = 3;

  /**
   * Consecutive bits of a word.
   *
   * @param word of the normalised key
   * @param from lowest bit there
   * @param bits how many
   */
  private record Run(int word, int from, int bits) {}

  /**
   * Consecutive bits of a word and their place in the packed word.
   *
   * @param word of the normalised key
   * @param from lowest bit there
   * @param bits how many
   * @param to lowest bit in the packed word
   */
  record Segment(int word, int from, int bits, int to) {}

  /**
   * A packed word.
   *
   * @param segments what it is made of
   * @param bits how many bits it has
   */
  record Word(List<Segment> segments, int bits) {}

  private final List<Word> words = new ArrayList<>();
  private boolean isComplete = true;

  /**
   * Chooses bits.
   *
   * @param varying for each word of the keys, the bits in which rows differ
   * @param layout of the keys
   */
  PackedBits(long[] varying, KeyLayout layout) {
    List<Run> runs = new ArrayList<>();
    int prefixBits = PREFIX_BITS;
    for (int word = 0; word < layout.radixWords(); word++) {
      boolean isPrefix = word >= layout.firstPrefixWord();
      for (Run run : runs(varying[word], word)) {
        Run taken = isPrefix ? upperBits(run, prefixBits) : run;
        prefixBits -= isPrefix ? run.bits() : 0;
        if (taken != null) {
          runs.add(taken);
        }
      }
    }
    if (runs.isEmpty()) {
      runs.add(new Run(0, 0, 1));
    }
    place(runs);
  }

  /** Returns the packed words, the most significant first; at least one. */
  List<Word> words() {
    return words;
  }

  /** Returns whether the packed words have all bits before the first string's prefix. */
  boolean isComplete() {
    return isComplete;
  }

  private static Run upperBits(Run run, int bits) {
    int taken = Math.min(run.bits(), bits);
    return taken <= 0 ? null : new Run(run.word(), run.from() + run.bits() - taken, taken);
  }

  /** Returns the runs of set bits, the highest first. */
  private static List<Run> runs(long bits, int word) {
    List<Run> runs = new ArrayList<>();
    int end = Long.SIZE - Long.numberOfLeadingZeros(bits);
    while (end > 0) {
      int from = end - 1;
      int next = from - 1;
      while (next >= 0 && from - next <= GAP_BITS + 1) {
        if ((bits >>> next & 1) != 0) {
          from = next;
        }
        next--;
      }
      runs.add(new Run(word, from, end - from));
      long rest = bits & ((1L << from) - 1);
      end = Long.SIZE - Long.numberOfLeadingZeros(rest);
    }
    return runs;
  }

  private void place(List<Run> runs) {
    List<Run> word = new ArrayList<>();
    int used = 0;
    int segments = 0;
    for (Run run : runs) {
      Run rest = run;
      while (rest != null) {
        if (words.size() == TiesLimit.TIES_MAX_PACKED || segments == PackLimit.PACK_MAX_SEGMENTS) {
          isComplete = false;
          break;
        }
        int taken = Math.min(rest.bits(), Long.SIZE - used);
        word.add(upperBits(rest, taken));
        segments++;
        used += taken;
        rest = taken == rest.bits() ? null : new Run(rest.word(), rest.from(), rest.bits() - taken);
        if (used == Long.SIZE) {
          words.add(word(word, used));
          word.clear();
          used = 0;
        }
      }
    }
    if (used > 0 && words.size() < TiesLimit.TIES_MAX_PACKED) {
      words.add(word(word, used));
    }
  }

  private static Word word(List<Run> runs, int bits) {
    List<Segment> segments = new ArrayList<>();
    int to = bits;
    for (Run run : runs) {
      to -= run.bits();
      segments.add(new Segment(run.word(), run.from(), run.bits(), to));
    }
    return new Word(segments, bits);
  }
}

package io.ariadne.benchmark.cloudsort;

import java.util.concurrent.atomic.AtomicLongArray;

/** The set of record numbers that a check has seen. Thread-safe. */
final class RecordNumbers {
  private final long records;
  private final AtomicLongArray words;

  /** Creates an empty set of numbers below {@code records}. */
  RecordNumbers(long records) {
    this.records = records;
    words = new AtomicLongArray(Math.toIntExact((records + Long.SIZE - 1) / Long.SIZE));
  }

  /** Adds a number; returns whether the set did not have it. */
  boolean add(long number) {
    long bit = 1L << number;
    long before = words.getAndUpdate((int) (number / Long.SIZE), word -> word | bit);
    return (before & bit) == 0;
  }

  /** Returns how many numbers the set lacks. */
  long missing() {
    long present = 0;
    for (int i = 0; i < words.length(); i++) {
      present += Long.bitCount(words.get(i));
    }
    return records - present;
  }

  /** Returns the smallest number that the set lacks; there is one. */
  long firstMissing() {
    int word = 0;
    while (words.get(word) == -1L) {
      word++;
    }
    return (long) word * Long.SIZE + Long.numberOfTrailingZeros(~words.get(word));
  }
}

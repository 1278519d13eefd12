package io.ariadne.expression.compiler;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * Caches the programs of batch signatures. A full cache evicts the entry that was used least
 * recently. Thread-safe.
 *
 * <p>A signature is compiled once while its entry is in the cache, also when several threads
 * request it at the same time. Requests for other signatures do not wait for a compilation.
 *
 * @param <V> the compiled programs
 */
final class ProgramCache<V> {
  /**
   * How many signatures the cache holds. Most scans have a few. The number of possible signatures
   * grows exponentially with the number of columns.
   */
  static final int MAX_ENTRIES = 128;

  private static final int INITIAL_CAPACITY = 16;
  private static final float LOAD_FACTOR = 0.75f;

  private final Function<BatchSignature, V> compilation;
  private final Map<BatchSignature, Entry> entries =
      new LinkedHashMap<>(INITIAL_CAPACITY, LOAD_FACTOR, true); // in the order of their last use

  /**
   * Creates an empty cache.
   *
   * @param compilation compiles the programs of a signature; may throw, then the next call for that
   *     signature compiles again
   */
  ProgramCache(Function<BatchSignature, V> compilation) {
    this.compilation = compilation;
  }

  /** Returns the programs of a signature; compiles them when they are not in the cache. */
  V get(BatchSignature signature) {
    Entry entry;
    synchronized (entries) {
      entry = entries.computeIfAbsent(signature, Entry::new);
      if (entries.size() > MAX_ENTRIES) {
        entries.remove(entries.keySet().iterator().next());
      }
    }
    return entry.value();
  }

  /** Returns how many signatures are in the cache. */
  int size() {
    synchronized (entries) {
      return entries.size();
    }
  }

  /** The programs of one signature, compiled by the first thread that asks for them. */
  private final class Entry {
    private final BatchSignature signature;
    private V value; // null until it is compiled

    Entry(BatchSignature signature) {
      this.signature = signature;
    }

    synchronized V value() {
      if (value == null) {
        value = compilation.apply(signature);
      }
      return value;
    }
  }
}

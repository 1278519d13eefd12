package io.ariadne.rules.filter;

import io.ariadne.operator.exchange.KeyFilter;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The filters that Spark's driver makes of the parts of map tasks. Filters are dropped, the oldest
 * first, when they take too much memory. Thread-safe.
 */
public final class FilterBoard {
  private static final Logger LOG = LoggerFactory.getLogger(FilterBoard.class);

  /** Most hashes of a filter, which has 12 MiB then; that of a key may be there several times. */
  static final int MAX_KEYS = 8 << 20;

  /** Most bytes of parts and filters together. */
  private static final long MAX_BYTES = 96L << 20;

  /** Most filters, complete or not; a number and a few references each. */
  static final int MAX_FILTERS = 1000;

  private final Function<long[], Object> share;

  /** By number, the oldest first. */
  private final Map<Long, Entry> entries = new LinkedHashMap<>();

  private long bytes;

  /**
   * Creates an empty board.
   *
   * @param share makes what is sent to executors of the words of a filter
   */
  public FilterBoard(Function<long[], Object> share) {
    this.share = Objects.requireNonNull(share, "share is null");
  }

  /** What an executor learns of a filter. */
  public enum State {
    /** Parts are missing. */
    PENDING,
    /** The filter has been given up, or dropped. */
    GONE,
    /** The filter can be used. */
    COMPLETE
  }

  /**
   * An answer.
   *
   * @param state the filter's state
   * @param shared what the function of the board has made of its words; null unless complete
   */
  public record Answer(State state, Object shared) {}

  private static final class Entry {
    private final int mapCount;
    private final BitSet maps = new BitSet();
    private List<int[]> parts = new ArrayList<>();
    private long keys;
    private long bytes;
    private Object shared;

    Entry(int mapCount) {
      this.mapCount = mapCount;
    }

    State state() {
      return shared != null ? State.COMPLETE : parts == null ? State.GONE : State.PENDING;
    }

    void giveUp() {
      parts = null;
      shared = null;
      bytes = 0;
    }
  }

  /** Returns the filter with a number, if it is complete. */
  public synchronized Answer find(long filter) {
    Entry entry = entries.get(filter);
    return entry == null
        ? new Answer(State.PENDING, null)
        : new Answer(entry.state(), entry.shared);
  }

  /** Returns how many filters the board knows. */
  synchronized int size() {
    return entries.size();
  }

  /** Adds what a task has collected; of a repeated task nothing. */
  public synchronized void add(FilterPart part) {
    Entry entry = entries.computeIfAbsent(part.filter(), id -> new Entry(part.maps()));
    if (entry.state() != State.PENDING || entry.maps.get(part.map())) {
      return;
    }
    bytes -= entry.bytes;
    entry.maps.set(part.map());
    boolean isStrange = part.maps() != entry.mapCount || part.map() >= entry.mapCount;
    if (part.hashes() == null || entry.keys + part.count() > MAX_KEYS || isStrange) {
      LOG.debug("runtime filter {} has too many keys, or is of two stages", part.filter());
      entry.giveUp();
    } else {
      entry.parts.addAll(part.hashes());
      entry.keys += part.count();
      entry.bytes = entry.keys * Integer.BYTES;
      if (entry.maps.cardinality() == entry.mapCount) {
        complete(part.filter(), entry);
      }
    }
    bytes += entry.bytes;
    dropOldest(entry);
  }

  private void complete(long filter, Entry entry) {
    KeyFilter made = KeyFilter.of(entry.parts);
    entry.shared = share.apply(made.words());
    entry.parts = null;
    entry.bytes = made.sizeInBytes();
    LOG.debug("runtime filter {} of {} keys is complete", filter, entry.keys);
  }

  private void dropOldest(Entry newest) {
    Iterator<Entry> oldest = entries.values().iterator();
    while ((bytes > MAX_BYTES || entries.size() > MAX_FILTERS) && oldest.hasNext()) {
      Entry entry = oldest.next();
      if (entry != newest) {
        bytes -= entry.bytes;
        entry.giveUp();
        if (entries.size() > MAX_FILTERS) {
          oldest.remove();
        }
      }
    }
  }
}

package io.ariadne.operator.exchange;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Filters of a task in this process, which remember what they are told. Thread-safe. */
final class TestingFilters implements ExchangeFilters, ExchangeFilters.Task {
  private static final long serialVersionUID = 1L;

  private final List<Integer> hashColumns;
  private final List<List<Integer>> collected = new ArrayList<>();
  private final AtomicLong dropped = new AtomicLong();
  private transient volatile KeyFilter filter;

  TestingFilters(List<Integer> hashColumns, KeyFilter filter) {
    this.hashColumns = hashColumns;
    this.filter = filter;
    hashColumns.forEach(column -> collected.add(new ArrayList<>()));
  }

  @Override
  public List<Integer> hashColumns() {
    return hashColumns;
  }

  @Override
  public Task open() {
    return this;
  }

  @Override
  public KeyFilter filter() {
    return filter;
  }

  @Override
  public synchronized void add(int index, int[] hashes) {
    Arrays.stream(hashes).forEach(collected.get(index)::add);
  }

  @Override
  public void dropped(long rows) {
    dropped.addAndGet(rows);
  }

  void set(KeyFilter newFilter) {
    filter = newFilter;
  }

  /** Returns the hashes that were collected for a filter, in their order. */
  synchronized List<Integer> collected(int index) {
    return List.copyOf(collected.get(index));
  }

  long droppedRows() {
    return dropped.get();
  }
}

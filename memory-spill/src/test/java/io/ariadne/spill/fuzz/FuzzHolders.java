package io.ariadne.spill.fuzz;

import io.ariadne.columnar.buffer.Closer;
import io.ariadne.spill.SpillableBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** The spillable batches, shared by all tasks. Thread-safe. */
final class FuzzHolders {
  private final List<Holder> holders = new ArrayList<>();

  /** A spillable batch with its content. */
  static final class Holder {
    final SpillableBatch batch;
    final FuzzContent content;
    private int users;
    private volatile boolean closed;

    Holder(SpillableBatch batch, FuzzContent content) {
      this.batch = batch;
      this.content = content;
    }

    /** Returns whether a task has closed it. */
    boolean isClosed() {
      return closed;
    }

    void close() {
      closed = true;
      batch.close();
    }
  }

  /** Returns how many there are. */
  synchronized int count() {
    return holders.size();
  }

  /** Adds one. */
  synchronized void add(Holder holder) {
    holders.add(holder);
  }

  /** Returns one for reading, still among the others, or null; {@link #left} ends that. */
  synchronized Holder enter(Random random) {
    if (holders.isEmpty()) {
      return null;
    }
    Holder holder = holders.get(random.nextInt(holders.size()));
    holder.users++;
    return holder;
  }

  /** Ends the use of one. */
  synchronized void left(Holder holder) {
    holder.users--;
  }

  /** Removes and returns a batch that no task reads, or null. */
  synchronized Holder remove(Random random) {
    if (holders.isEmpty()) {
      return null;
    }
    int index = random.nextInt(holders.size());
    return holders.get(index).users > 0 ? null : holders.remove(index);
  }

  /** Closes one, perhaps while others read it: no longer among the others. */
  void closeOne(Random random) {
    Holder holder;
    synchronized (this) {
      if (holders.isEmpty()) {
        return;
      }
      holder = holders.remove(random.nextInt(holders.size()));
    }
    holder.close();
  }

  /** Closes all. */
  synchronized void close() {
    Closer closer = new Closer();
    holders.forEach(holder -> closer.close(holder::close));
    holders.clear();
    closer.rethrow();
  }
}

package io.ariadne.spill.fuzz;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.testing.ColumnEncoding;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.Reservation;
import io.ariadne.spill.SpillPlacement;
import io.ariadne.spill.SpillStore;
import io.ariadne.spill.SpillStore.Block;
import io.ariadne.spill.fuzz.FuzzHolders.Holder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * One small task: its steps depend only on its seed, the state that it finds on other tasks.
 * Refusals and injected failures end it; it then holds nothing, and spillable batches are
 * unchanged.
 */
final class FuzzTask {
  private static final int MOST_HOLDERS = 40;
  private static final int MOST_GROWTHS = 4;
  private static final int BYTES_PER_ROW = 48;

  private final FuzzedMemory memory;
  private final MemoryPool pool;
  private final Random random;
  private final String name;

  FuzzTask(FuzzedMemory memory, long seed) {
    this.memory = memory;
    this.pool = memory.pool;
    this.random = new Random(seed);
    this.name = "task " + seed;
  }

  /** Does the work; returns whether it went to its end. */
  boolean run() {
    try {
      work();
      memory.checkBudget();
      return true;
    } catch (InterruptedException e) {
      return false;
    } catch (EngineException e) {
      boolean expected =
          e.code() == ErrorCode.OUT_OF_MEMORY
              || (e.code() == ErrorCode.CORRUPT_DATA && e.getMessage().contains("injected"));
      if (!expected) {
        throw e;
      }
      return false;
    }
  }

  private void work() throws InterruptedException {
    if (memory.holders.count() < 4 || random.nextInt(4) == 0) {
      produce();
      return;
    }
    switch (random.nextInt(9)) {
      case 0, 1 -> consume();
      case 2, 3 -> read();
      case 4 -> split();
      case 5 -> memory.holders.closeOne(random);
      case 6 -> hold();
      case 7 -> prefetch();
      default -> passThroughStore();
    }
    if (random.nextInt(16) == 0) {
      long target = pool.allocatedBytes() - random.nextInt(1 << 16);
      memory.controller.makeRoom(() -> pool.allocatedBytes() - target);
    }
  }

  private SpillPlacement placement() {
    return SpillPlacement.at(random.nextInt(6) * SpillPlacement.NEAR / 2, random.nextBoolean());
  }

  private int timeout() {
    return random.nextInt(3) == 0 ? 0 : 1 + random.nextInt(30);
  }

  private int mostRows() {
    return (int) (memory.limitInBytes / 8 / BYTES_PER_ROW);
  }

  private void keep(RecordBatch batch, FuzzContent content) {
    Holder holder = new Holder(memory.controller.add(batch, placement()), content);
    if (memory.holders.count() < MOST_HOLDERS) {
      memory.holders.add(holder);
    } else {
      holder.close();
    }
  }

  /** Makes a batch within a reservation that grows when the estimate was too low. */
  private void produce() throws InterruptedException {
    FuzzContent content = FuzzContent.draw(random, mostRows());
    if (random.nextInt(4) == 0) {
      keep(memory.make(content, pool), content);
      return;
    }
    long estimate = (long) (content.rows() * BYTES_PER_ROW * random.nextDouble() * 3);
    Reservation reservation = pool.reserve(name, estimate, timeout());
    RecordBatch made = null;
    try {
      for (int growth = 0; made == null; growth++) {
        try {
          made = memory.make(content, reservation);
        } catch (EngineException e) {
          if (e.code() != ErrorCode.OUT_OF_MEMORY || growth == MOST_GROWTHS) {
            throw e;
          }
          reservation.grow(estimate / 2 + 4096, timeout());
        }
      }
      if (random.nextBoolean()) {
        reservation.transferTo(name + ", later").shrink(random.nextInt(1 << 14));
      }
      RecordBatch given = made;
      made = null;
      keep(given, content);
    } finally {
      if (made != null) {
        made.close();
      }
      reservation.close();
    }
  }

  private void consume() {
    Holder holder = memory.holders.remove(random);
    if (holder == null) {
      return;
    }
    if (holder.content.encoding() != ColumnEncoding.PLAIN) {
      // A dictionary may outlive the batch, in another that was read back meanwhile.
      consume(holder, pool);
      return;
    }
    MemoryPool query = pool.newChild(name, 1 + random.nextInt((int) memory.limitInBytes));
    try {
      consume(holder, query);
    } finally {
      query.close();
    }
  }

  /** Takes a batch into a pool that may be too small for it. */
  private void consume(Holder holder, MemoryPool target) {
    boolean taken = false;
    try (RecordBatch batch = holder.batch.take(target)) {
      taken = true;
      memory.check(holder.content, batch);
    } finally {
      if (!taken) {
        memory.holders.add(holder);
      }
    }
  }

  private void read() throws InterruptedException {
    Holder holder = memory.holders.enter(random);
    if (holder == null) {
      return;
    }
    try {
      RecordBatch batch;
      try {
        batch = holder.batch.read(pool);
      } catch (IllegalStateException e) {
        assertTrue(holder.isClosed(), e.getMessage());
        return;
      }
      try {
        if (random.nextInt(4) == 0) {
          Thread.sleep(random.nextInt(3));
        }
        memory.check(holder.content, batch);
      } finally {
        holder.batch.unread();
      }
    } finally {
      memory.holders.left(holder);
    }
  }

  /** Asks for a batch, which other tasks may use, move or close at the same time. */
  private void prefetch() {
    Holder holder = memory.holders.enter(random);
    if (holder != null) {
      try {
        holder.batch.prefetch();
      } finally {
        memory.holders.left(holder);
      }
    }
  }

  /** Keeps parts of a batch, which share its characters and dictionaries. */
  private void split() {
    Holder holder = memory.holders.remove(random);
    if (holder == null) {
      return;
    }
    boolean taken = false;
    try (RecordBatch whole = holder.batch.take(pool)) {
      taken = true;
      for (int i = whole.rowCount() == 0 ? 0 : random.nextInt(4); i > 0; i--) {
        FuzzContent part = holder.content.part(random);
        keep(memory.cut(whole, holder.content, part, pool), part);
      }
    } finally {
      if (!taken) {
        memory.holders.add(holder);
      }
    }
  }

  /** Holds memory for a while that no thread can move. */
  private void hold() throws InterruptedException {
    int bytes = random.nextInt((int) memory.limitInBytes / 3);
    List<MemoryBuffer> buffers = new ArrayList<>();
    Reservation reservation =
        random.nextBoolean() ? pool.tryReserve(name, bytes) : pool.reserve(name, bytes, timeout());
    if (reservation == null) {
      return;
    }
    try {
      for (int i = random.nextInt(4); i > 0; i--) {
        buffers.add(reservation.allocate(random.nextInt(bytes / 4 + 1)));
      }
      if (!reservation.tryGrow(random.nextInt(bytes + 1))) {
        reservation.grow(random.nextInt(1 << 13), timeout());
      }
      Thread.sleep(random.nextInt(3));
    } finally {
      if (random.nextBoolean()) {
        reservation.close();
        buffers.forEach(MemoryBuffer::close);
      } else {
        buffers.forEach(MemoryBuffer::close);
        reservation.close();
      }
    }
  }

  /** Writes batches to a store and reads one of them back. */
  private void passThroughStore() {
    SpillStore store = memory.stores.get(random.nextInt(memory.stores.size()));
    List<FuzzContent> contents = new ArrayList<>();
    List<RecordBatch> batches = new ArrayList<>();
    List<Block> blocks = new ArrayList<>();
    try {
      for (int i = random.nextInt(3); i >= 0; i--) {
        contents.add(FuzzContent.draw(random, 200));
        batches.add(memory.make(contents.get(contents.size() - 1), pool));
      }
      blocks.addAll(store.write(batches));
      int chosen = random.nextInt(blocks.size());
      // Reserved before: a reader holds pages, which an eviction may need.
      try (Reservation secured = pool.secure(name, blocks.get(chosen).memoryBytes());
          RecordBatch back = store.read(blocks.get(chosen), secured)) {
        memory.check(contents.get(chosen), back);
      }
    } finally {
      batches.forEach(RecordBatch::close);
      blocks.forEach(store::delete);
    }
  }
}

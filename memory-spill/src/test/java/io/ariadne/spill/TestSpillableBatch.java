package io.ariadne.spill;

import static io.ariadne.columnar.testing.BatchAssertions.assertBatchEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.RowRange;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.columnar.testing.NullPattern;
import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.error.EngineException;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.PagePool;
import io.ariadne.memory.Reservation;
import io.ariadne.memory.testing.PoolCheck;
import io.ariadne.spill.disk.DiskSpillOptions;
import io.ariadne.spill.disk.DiskSpillStore;
import io.ariadne.testing.LongTest;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TestSpillableBatch {
  private static final Schema SCHEMA =
      RandomBatches.schemaOf(List.of(PrimitiveType.INT32, PrimitiveType.STRING));
  private static final int STEPS = 6;

  @RegisterExtension final PoolCheck memory = new PoolCheck(64 << 20);

  @TempDir private Path folder;

  private final RandomBatches random = RandomBatches.create();
  private PagePool pages;
  private SpillStore disk;
  private FaultySpillStore store;
  private RecordBatch expected;
  private boolean readFails;

  /** What can happen to a batch. */
  private enum Step {
    BEGIN_MOVE,
    END_MOVE,
    ABORT_MOVE,
    TAKE,
    TAKE_FAILS,
    READ,
    UNREAD,
    READ_AHEAD,
    READ_AHEAD_FAILS,
    GIVE_BACK,
    DELETE_COPY,
    CLOSE
  }

  @BeforeEach
  void open() {
    pages = new PagePool(memory.pool(), PagePool.PAGE_BYTES, 3, 3);
    disk = new DiskSpillStore(DiskSpillOptions.in(List.of(folder)), pages);
    store = new FaultySpillStore(disk, () -> readFails);
    expected = random.batch(SCHEMA, 20, NullPattern.SOME, memory.pool());
  }

  @AfterEach
  void close() {
    expected.close();
    disk.close();
    pages.close();
  }

  private MemoryPool pool() {
    return memory.pool();
  }

  /** What a batch should do, in a few variables. */
  private final class Model implements AutoCloseable {
    int goneCalls;
    int readers;
    boolean onDisk;

    /** Whether the batch was read ahead and is not used yet: it is in memory and on disk. */
    boolean ahead;

    /** Whether the batch is on disk as well because it was read, and not only read ahead. */
    boolean copied;

    boolean moving;
    boolean closing;
    boolean gone;
    PresenceWatcher.Presence told = PresenceWatcher.Presence.AWAY;
    final boolean isReadAgain;
    final SpillableBatch batch;

    Model(boolean isReadAgain) {
      this.isReadAgain = isReadAgain;
      this.batch =
          new SpillableBatch(
              new RowRange(0, 20).copyOf(expected, pool(), 0),
              MemoryTier.HOST,
              isReadAgain ? new ReadAgain(0) : SpillPlacement.at(0, true),
              Owners.counting(() -> goneCalls++),
              this::tell);
    }

    private void tell(PresenceWatcher.Presence presence) {
      assertNotEquals(told, presence, "told twice");
      told = presence;
    }

    /** Does a step if it would not wait; returns whether it was done. */
    boolean step(Step step) {
      switch (step) {
        case BEGIN_MOVE -> beginMove();
        case END_MOVE, ABORT_MOVE -> {
          if (!moving) {
            return false;
          }
          endMove(step == Step.END_MOVE);
        }
        case TAKE, TAKE_FAILS -> {
          if (moving) {
            return false;
          }
          take(step == Step.TAKE_FAILS);
        }
        case READ -> {
          if (moving) {
            return false;
          }
          read();
        }
        case UNREAD -> unread();
        case READ_AHEAD, READ_AHEAD_FAILS -> readAhead(step == Step.READ_AHEAD_FAILS);
        case GIVE_BACK -> giveBack();
        case DELETE_COPY -> deleteCopy();
        case CLOSE -> {
          if (moving) {
            return false;
          }
          batch.close();
          closing = true;
          end();
        }
        default -> throw new AssertionError(step);
      }
      check();
      return true;
    }

    private void beginMove() {
      boolean may = !gone && !moving && !onDisk && !ahead && readers == 0;
      assertEquals(may, batch.beginMove() != null);
      moving |= may;
    }

    private void endMove(boolean done) {
      assertEquals(copied, batch.hasCopy());
      if (done) {
        batch.endMove(
            copied ? null : new StoredBatch(store, store.write(List.of(expected)).get(0)));
      } else {
        batch.abortMove();
      }
      moving = false;
      onDisk = done;
      copied &= !done;
      end();
    }

    private void take(boolean fails) {
      if (gone || readers > 0) {
        assertThrows(IllegalStateException.class, () -> batch.take(pool()));
        return;
      }
      readFails = fails;
      if (fails && onDisk) {
        assertThrows(EngineException.class, () -> batch.take(pool()));
      } else {
        try (RecordBatch taken = batch.take(pool())) {
          assertBatchEquals(expected, taken);
        }
        gone = true;
        onDisk = false;
        ahead = false;
        copied = false;
      }
      readFails = false;
    }

    private void readAhead(boolean fails) {
      readFails = fails;
      try (Reservation bytes = pool().tryReserve("read ahead", batch.bytesToReadBack())) {
        if (fails && onDisk && !moving) {
          assertThrows(EngineException.class, () -> batch.readAhead(bytes));
        } else {
          boolean may = onDisk && !moving;
          assertEquals(may, batch.readAhead(bytes));
          ahead |= may;
          onDisk &= !may;
        }
      }
      readFails = false;
    }

    private void giveBack() {
      assertEquals(ahead, batch.giveBack() >= 0);
      onDisk |= ahead;
      ahead = false;
    }

    private void read() {
      if (gone || closing) {
        assertThrows(IllegalStateException.class, () -> batch.read(pool()));
        return;
      }
      assertBatchEquals(expected, batch.read(pool()));
      copied |= isReadAgain && (onDisk || ahead);
      onDisk = false;
      ahead = false;
      readers++;
    }

    private void unread() {
      if (readers == 0) {
        assertThrows(IllegalStateException.class, batch::unread);
        return;
      }
      batch.unread();
      readers--;
      end();
    }

    /** A close that was asked for takes effect. */
    private void end() {
      if (closing && !moving && readers == 0) {
        gone = true;
        onDisk = false;
        ahead = false;
        copied = false;
      }
    }

    private void deleteCopy() {
      boolean may = copied && !moving;
      assertEquals(may, batch.deleteCopy());
      copied &= !may;
    }

    private void check() {
      assertEquals(gone ? 1 : 0, goneCalls);
      assertEquals(onDisk || ahead || copied, disk.storedBytes() > 0);
      SpillableBatch.State state =
          gone
              ? SpillableBatch.State.GONE
              : moving
                  ? SpillableBatch.State.MOVING
                  : readers > 0 ? SpillableBatch.State.READING : SpillableBatch.State.IDLE;
      assertEquals(state, batch.state());
      boolean movable = state == SpillableBatch.State.IDLE && !onDisk;
      assertEquals(movable && !ahead, batch.freeableBytes() > 0);
      boolean inMemory = !gone && !moving && !onDisk;
      assertEquals(inMemory, batch.isInMemory());
      assertEquals(movable, told == PresenceWatcher.Presence.MOVABLE);
      assertEquals(inMemory, told != PresenceWatcher.Presence.AWAY);
      if (!gone) {
        assertEquals(onDisk ? MemoryTier.DISK : MemoryTier.HOST, batch.tier());
      }
    }

    @Override
    public void close() {
      while (readers > 0) {
        step(Step.UNREAD);
      }
      step(Step.ABORT_MOVE);
      step(Step.CLOSE);
      assertEquals(SpillableBatch.State.GONE, batch.state());
    }
  }

  /** Compares every sequence of steps, on one thread, with the model; no sequence leaves memory. */
  @ParameterizedTest(name = "isReadAgain={0}")
  @LongTest
  @ValueSource(booleans = {false, true})
  void allSequencesAgreeWithTheModel(boolean isReadAgain) {
    Step[] steps = Step.values();
    long sequences = 1;
    for (int i = 0; i < STEPS; i++) {
      sequences *= steps.length;
    }
    long before = pool().allocatedBytes();
    for (long sequence = 0;
        sequence < sequences;
        sequence += skipTo(sequence, steps, isReadAgain)) {
      assertEquals(before, pool().allocatedBytes());
    }
    assertEquals(before, pool().allocatedBytes());
  }

  /** Runs a sequence; returns the distance to the next that is not cut off at the same step. */
  private long skipTo(long sequence, Step[] steps, boolean isReadAgain) {
    long weight = 1;
    for (int i = 1; i < STEPS; i++) {
      weight *= steps.length;
    }
    try (Model model = new Model(isReadAgain)) {
      for (; weight > 0; weight /= steps.length) {
        if (!model.step(steps[(int) (sequence / weight % steps.length)])) {
          return weight;
        }
        if (model.gone && weight > 1) {
          // One more step in the last state, not all of them.
          return Math.max(1, weight / steps.length);
        }
      }
    }
    return 1;
  }

  /** A thread that closes a moving batch waits for the end of the move. */
  @Test
  void closeWaitsForTheMove() throws Exception {
    for (boolean done : new boolean[] {true, false}) {
      Model model = new Model(false);
      model.beginMove();
      Thread closer = new Thread(model.batch::close);
      closer.start();
      closer.join(20);
      assertTrue(closer.isAlive());
      assertEquals(SpillableBatch.State.MOVING, model.batch.state());
      model.closing = true;
      model.endMove(done);
      closer.join();
      model.check();
    }
  }

  /** A thread that waits for the end of a move continues after the batch's memory is free. */
  @Test
  void closeWaitsForTheMemoryOfTheMove() throws Exception {
    CountDownLatch freeing = new CountDownLatch(1);
    CountDownLatch mayFree = new CountDownLatch(1);
    MemoryBuffer own = pool().allocate(64);
    MemoryBuffer slow =
        new MemoryBuffer(
            own.address(),
            64,
            64,
            MemoryTier.HOST,
            any -> {
              freeing.countDown();
              await(mayFree);
              own.close();
            });
    Schema numbers = RandomBatches.schemaOf(List.of(PrimitiveType.INT32));
    ColumnVector column = ColumnVector.flat(PrimitiveType.INT32, PhysicalType.I32, 8, slow, null);
    SpillableBatch batch =
        new SpillableBatch(
            new RecordBatch(numbers, 8, List.of(column), 0),
            MemoryTier.HOST,
            SpillPlacement.at(0, true),
            Owners.NONE,
            presence -> {});
    SpillStore.Block block = store.write(List.of(batch.beginMove())).get(0);
    Thread mover = new Thread(() -> batch.endMove(new StoredBatch(store, block)));
    mover.start();
    await(freeing);
    Thread closer = new Thread(batch::close);
    closer.start();
    closer.join(20);
    assertTrue(closer.isAlive());
    assertEquals(SpillableBatch.State.MOVING, batch.state());
    mayFree.countDown();
    closer.join();
    assertTrue(own.isClosed());
    mover.join();
  }

  private static void await(CountDownLatch latch) {
    try {
      assertTrue(latch.await(60, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Moving a batch does not free memory that other batches reference as well. */
  @Test
  void sharedHeapsDoNotCount() {
    Schema strings = RandomBatches.schemaOf(List.of(PrimitiveType.STRING));
    RecordBatch whole = random.batch(strings, 1000, NullPattern.NONE, pool());
    RecordBatch half = new RowRange(0, 500).copyOf(whole, pool(), 0);
    ColumnVector column = whole.column(0);
    long own = column.ownSizeInBytes();
    long all = whole.sizeInBytes();
    try (SpillableBatch batch =
        new SpillableBatch(
            whole, MemoryTier.HOST, SpillPlacement.at(0, true), Owners.NONE, presence -> {})) {
      assertEquals(own, batch.freeableBytes());
      half.close();
      assertEquals(all, batch.freeableBytes());
    }
  }
}

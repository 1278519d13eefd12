package io.ariadne.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Calls an operator or a sink while memory is refused, and repeats the calls that fail, as a
 * pipeline driver does. Fails when such a call may not be repeated.
 */
public final class RefusedCalls {
  private final RefusingAllocator allocator;
  private final boolean walks;
  private final long inARow;
  private int repeated;

  /** Decides which allocations are refused. */
  @FunctionalInterface
  public interface Plan {
    /** Returns calls whose allocations are refused. */
    RefusedCalls on(RefusingAllocator allocator);
  }

  private RefusedCalls(RefusingAllocator allocator, boolean walks, long inARow) {
    this.allocator = allocator;
    this.walks = walks;
    this.inARow = inARow;
  }

  /** Refuses nothing. */
  public static RefusedCalls none(RefusingAllocator allocator) {
    return new RefusedCalls(allocator, false, 0);
  }

  /**
   * Refuses each call its first allocation, then its second, and so on until it succeeds.
   *
   * @param inARow how many allocations are refused each time, one after the other
   */
  public static RefusedCalls ofEachCall(RefusingAllocator allocator, long inARow) {
    return new RefusedCalls(allocator, true, inARow);
  }

  /**
   * Refuses allocations of all calls together.
   *
   * @param granted how many are granted before
   * @param inARow how many are refused then, one after the other
   */
  public static RefusedCalls ofAllCalls(RefusingAllocator allocator, long granted, long inARow) {
    allocator.refuseAfter(granted, inARow);
    return new RefusedCalls(allocator, false, inARow);
  }

  /** Makes a call, again and again until it succeeds. */
  public <T> T call(Repeatable called, Supplier<T> call) {
    return repeat(call, () -> assertTrue(called.mayRepeat(), called + " may not be repeated"));
  }

  /** Makes a call, again and again until it succeeds. */
  public void run(Repeatable called, Runnable call) {
    call(
        called,
        () -> {
          call.run();
          return true;
        });
  }

  /** Creates an object by a factory, which has no effect when it fails. */
  public <T> T create(Supplier<T> factory) {
    return repeat(factory, () -> {});
  }

  /** Adds a batch, and again when the state hands it back. */
  public void add(SinkState state, RecordBatch batch) {
    add(state::addInput, state::takeUnprocessed, batch);
  }

  /** Adds a batch, and again when the operator hands it back. */
  public void add(Operator operator, RecordBatch batch) {
    add(operator::addInput, operator::takeUnprocessed, batch);
  }

  private void add(Consumer<RecordBatch> target, Supplier<RecordBatch> refused, RecordBatch batch) {
    RecordBatch[] next = {batch};
    repeat(
        () -> {
          target.accept(next[0]);
          return true;
        },
        () -> {
          next[0] = refused.get();
          assertNotNull(next[0], "the batch is not handed back");
        });
  }

  private <T> T repeat(Supplier<T> call, Runnable refused) {
    for (long granted = 0; ; granted++) {
      if (walks) {
        allocator.refuseAfter(granted, inARow);
      }
      try {
        return call.get();
      } catch (EngineException e) {
        assertEquals(ErrorCode.OUT_OF_MEMORY, e.code(), e.toString());
        refused.run();
        repeated++;
      } finally {
        if (walks) {
          allocator.grantAll();
        }
      }
    }
  }

  /** Returns whether allocations of all calls together are refused. */
  public boolean refusesAllCalls() {
    return !walks && inARow > 0;
  }

  /** Ends the refusals of all calls; returns whether there were any. */
  public boolean end() {
    return walks ? repeated > 0 : allocator.grantAll() < inARow;
  }

  /** Returns how many calls were repeated. */
  public int repeated() {
    return repeated;
  }
}

package io.ariadne.spill;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.event.ThreadRecord;
import io.ariadne.event.Wait;
import io.ariadne.event.WaitKind;
import io.ariadne.event.WorkOwner;
import io.ariadne.memory.ThreadUse;

/**
 * Memory in use, such as a hash table that grows, that its holder releases when other threads lack
 * memory: created by {@link SpillSpace#revocable}.
 *
 * <p>The holder marks each use. Between two uses any thread that lacks memory may revoke the memory
 * at once. During a use the holder's own thread revokes it at the end of the use. So memory is
 * freed also while the holder is idle, and never while the holder uses it. Thread-safe.
 *
 * <pre>
 *            begin / end          asked between uses, or at end when asked before
 *    USED &lt;------------&gt; FREE ---------------------&gt; REVOKING ------&gt; FREE
 *                         |
 *                         +--- close ---&gt; CLOSED     (close while REVOKING: when that has ended)
 * </pre>
 */
public final class Revocable implements AutoCloseable {
  /** Owns the memory and releases it. */
  public interface Holder {
    /**
     * Adds the memory in use to a {@link SpillSpace} or frees it. Called by any thread, between two
     * uses, in the environment of the work that registered the memory ({@link WorkOwner#enter}).
     * Its allocations may use the pool's reserve. Batches that it adds may leave memory at once, so
     * a holder that releases its memory in parts needs memory for one part only.
     *
     * @throws EngineException OUT_OF_MEMORY when there is not enough memory for that: nothing has
     *     changed, and the memory is asked for again
     */
    void revoke();
  }

  /** Knows all revocable memory of a space. */
  interface Registry {
    /**
     * Returns whether memory is to be revoked at the end of a use although it was not asked for.
     */
    boolean wants(Revocable used);

    /** Notes that memory may be revoked now, which was in use until now. */
    void free(Revocable unused);

    /** Forgets memory whose holder has closed it. */
    void closed(Revocable closed);
  }

  private enum State {
    FREE,
    USED,
    REVOKING,
    CLOSED
  }

  private final SpillPlacement placement;
  private final Holder holder;
  private final Registry registry;

  /** The work of the thread that created this; may be null. */
  private final WorkOwner work;

  private final int node;

  @GuardedBy("this")
  private State state = State.FREE;

  /** The thread that uses the memory, or used it last. */
  @GuardedBy("this")
  private Thread user;

  @GuardedBy("this")
  private long heldBytes;

  @GuardedBy("this")
  private boolean wanted;

  /** The failure of a revocation by another thread; the holder's next use throws it. */
  @GuardedBy("this")
  private Exception failure;

  Revocable(SpillPlacement placement, Holder holder, Registry registry) {
    this.placement = placement;
    this.holder = holder;
    this.registry = registry;
    ThreadRecord thread = ThreadRecord.current();
    this.work = thread.owner();
    this.node = thread.node();
  }

  /** Returns how soon the memory is needed. */
  SpillPlacement placement() {
    return placement;
  }

  /** Returns bytes that may be revoked: those that the last use has reported. */
  synchronized long heldBytes() {
    return state == State.FREE || state == State.USED ? heldBytes : 0;
  }

  /**
   * Begins a use, by one thread at a time; waits while the memory is being revoked. A use that
   * fails need not be ended: the next use continues it, and nothing is revoked until then.
   *
   * @throws IllegalStateException when this is closed
   */
  public void begin() {
    Exception thrown;
    synchronized (this) {
      awaitRevoked();
      if (state == State.CLOSED) {
        throw new IllegalStateException("revocable memory is used after it was closed");
      }
      state = State.USED;
      user = Thread.currentThread();
      thrown = failure;
      failure = null;
    }
    if (thrown != null) {
      throw Revocable.<RuntimeException>unchanged(thrown);
    }
  }

  /** Throws a checked exception of the holder's code although no signature declares it. */
  @SuppressWarnings("unchecked")
  private static <E extends Exception> E unchanged(Exception failure) throws E {
    throw (E) failure;
  }

  /** Returns whether other threads lack memory: a long use may release its memory early. */
  public synchronized boolean isWanted() {
    return wanted;
  }

  /**
   * Ends a use; revokes the memory when it was asked for meanwhile.
   *
   * @param bytes bytes that a revocation would free, 0 when it does not pay
   */
  public void end(long bytes) {
    boolean isWanted = registry.wants(this);
    synchronized (this) {
      if (state != State.USED) {
        throw new IllegalStateException("end is called without begin");
      }
      heldBytes = bytes;
      isWanted |= wanted;
      wanted = false;
      isWanted &= bytes > 0;
      state = isWanted ? State.REVOKING : State.FREE;
    }
    if (isWanted) {
      revoke(false);
    } else if (bytes > 0) {
      registry.free(this);
    }
  }

  /**
   * Asks for memory in use: the holder revokes it at the end of the use.
   *
   * @return whether another thread than the calling one will revoke it
   */
  synchronized boolean ask() {
    wanted |= state == State.USED;
    return state == State.USED && user != Thread.currentThread();
  }

  /**
   * Asks for memory as {@link #ask} does during its first use, or its first use after a revocation:
   * its size is known at the end of that use. A thread does not ask itself, because it may be about
   * to create what would have to go.
   */
  synchronized boolean askUnknown() {
    boolean isUnknown = state == State.USED && heldBytes == 0 && user != Thread.currentThread();
    wanted |= isUnknown;
    return isUnknown;
  }

  /**
   * Revokes the memory if it is not in use.
   *
   * @return whether it was revoked
   */
  boolean revokeIfFree() {
    synchronized (this) {
      if (state != State.FREE || heldBytes == 0) {
        return false;
      }
      state = State.REVOKING;
    }
    ThreadRecord thread = ThreadRecord.current();
    int nodeBefore = thread.node();
    WorkOwner before = thread.workFor(work);
    thread.workOn(node);
    try {
      return revoke(work != null && work != before);
    } catch (Exception e) { // checked ones, too: holders call user code
      // The holder throws it, not the thread that lacks memory.
      synchronized (this) {
        failure = e;
      }
      return false;
    } finally {
      thread.workFor(before);
      thread.workOn(nodeBefore);
    }
  }

  /**
   * Revokes the memory; returns false when there was not enough memory for that.
   *
   * @param isForeign whether the calling thread works for another owner
   */
  private boolean revoke(boolean isForeign) {
    boolean done = false;
    boolean before = ThreadUse.current().putAway(true);
    try {
      if (isForeign) {
        revokeForOwner();
      } else {
        holder.revoke();
      }
      done = true;
      return true;
    } catch (EngineException e) {
      if (e.code() != ErrorCode.OUT_OF_MEMORY) {
        throw e;
      }
      return false;
    } finally {
      ThreadUse.current().putAway(before);
      synchronized (this) {
        heldBytes = done ? 0 : heldBytes;
        state = State.FREE;
        notifyAll();
      }
    }
  }

  private void revokeForOwner() {
    work.enter();
    try {
      holder.revoke();
    } finally {
      work.exit();
    }
  }

  /** Waits until the memory is not being revoked. */
  @GuardedBy("this")
  private void awaitRevoked() {
    if (state != State.REVOKING) {
      return;
    }
    boolean interrupted = false;
    String what = "another thread that revokes " + heldBytes + " bytes";
    Wait wait = ThreadRecord.current().await(WaitKind.MOVE, what, heldBytes, null);
    try {
      while (state == State.REVOKING) {
        try {
          wait();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      wait.close();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Ends all uses: the memory is no longer revocable. The holder calls this before it frees the
   * memory or passes it on, never within {@link Holder#revoke}. Idempotent.
   */
  @Override
  public void close() {
    synchronized (this) {
      awaitRevoked();
      if (state == State.CLOSED) {
        return;
      }
      state = State.CLOSED;
    }
    registry.closed(this);
  }
}

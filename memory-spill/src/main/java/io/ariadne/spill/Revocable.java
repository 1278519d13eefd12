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
 * Memory that its holder has in use, such as a table that grows, and puts away when others lack
 * memory: made by {@link SpillSpace#revocable}.
 *
 * <p>The holder marks each use. Between two uses any thread that lacks memory may have it put away
 * at once; during one it is put away at the end of that, by the holder's own thread. So memory is
 * given back also while the holder has nothing to do, and never under its hands. Thread-safe.
 *
 * <pre>
 *            begin / end          asked between uses, or at end when asked before
 *    USED &lt;------------&gt; FREE ---------------------&gt; REVOKING ------&gt; FREE
 *                         |
 *                         +--- close ---&gt; CLOSED     (close while REVOKING: when that has ended)
 * </pre>
 */
public final class Revocable implements AutoCloseable {
  /** Who has the memory. */
  public interface Holder {
    /**
     * Puts what is in use into a {@link SpillSpace} or frees it. Called by any thread, between two
     * uses, in the surroundings of whom the memory was registered for ({@link WorkOwner#enter}).
     * What it allocates may come from the pool's reserve; what it has put to rest may leave memory
     * at once, so whoever puts away in parts needs room for one of them.
     *
     * @throws EngineException OUT_OF_MEMORY when that takes memory which is not there: all is as it
     *     was, and is asked for again
     */
    void revoke();
  }

  /** Who asks. */
  interface Registry {
    /** Returns whether what was just used is to be put away although nobody has said so. */
    boolean wants(Revocable used);

    /** Is told that one may be put away from now on, which was in use until now. */
    void free(Revocable unused);

    /** Forgets one that is closed. */
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

  /** Whom the thread worked for that made this, for which node; may be null. */
  private final WorkOwner work;

  private final int node;

  @GuardedBy("this")
  private State state = State.FREE;

  /** Who uses it, or was the last to do so. */
  @GuardedBy("this")
  private Thread user;

  @GuardedBy("this")
  private long heldBytes;

  @GuardedBy("this")
  private boolean wanted;

  /** What a putting away failed with that somebody else did; the holder's next use throws it. */
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

  /** Returns where it lies in the work of the process. */
  SpillPlacement placement() {
    return placement;
  }

  /** Returns bytes that may be put away: those that the last use has left. */
  synchronized long heldBytes() {
    return state == State.FREE || state == State.USED ? heldBytes : 0;
  }

  /**
   * Begins a use, by one thread at a time; waits while the memory is being put away. A use that
   * fails need not be ended: the next one goes on with it, and nothing is put away until then.
   *
   * @throws IllegalStateException when it is closed
   */
  public void begin() {
    Exception thrown;
    synchronized (this) {
      awaitRevoked();
      if (state == State.CLOSED) {
        throw new IllegalStateException("memory is used that is revocable no longer");
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

  /** Lets a checked exception of the holder's code through, which no signature names. */
  @SuppressWarnings("unchecked")
  private static <E extends Exception> E unchanged(Exception failure) throws E {
    throw (E) failure;
  }

  /** Returns whether others lack memory: a long use may put away by itself what it holds. */
  public synchronized boolean isWanted() {
    return wanted;
  }

  /**
   * Ends a use; puts the memory away when it was asked for meanwhile.
   *
   * @param bytes bytes that putting it away would free, 0 when that is not worth while
   */
  public void end(long bytes) {
    boolean isWanted = registry.wants(this);
    synchronized (this) {
      if (state != State.USED) {
        throw new IllegalStateException("a use ends that has not begun");
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
   * Asks for the memory while it is used: it is put away at the end of that.
   *
   * @return whether it will be, by another thread than the calling one
   */
  synchronized boolean ask() {
    wanted |= state == State.USED;
    return state == State.USED && user != Thread.currentThread();
  }

  /**
   * Asks for the memory as {@link #ask} does while it is used for the first time, or since it was
   * put away: how much it is will be known at the end of that. Who asks does not ask itself: it may
   * be about to make what would have to go.
   */
  synchronized boolean askUnknown() {
    boolean isUnknown = state == State.USED && heldBytes == 0 && user != Thread.currentThread();
    wanted |= isUnknown;
    return isUnknown;
  }

  /**
   * Puts the memory away if nobody uses it.
   *
   * @return whether it did
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
      // The holder's affair, not that of whoever lacks memory.
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
   * Returns whether it was put away; not when that took memory which was not there.
   *
   * @param isForeign whether the calling thread works for somebody else
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

  /** The caller has the monitor. */
  @GuardedBy("this")
  private void awaitRevoked() {
    if (state != State.REVOKING) {
      return;
    }
    boolean interrupted = false;
    String what = "another thread that puts away " + heldBytes + " bytes";
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
   * Ends all uses: nothing is put away from now on. Called by the holder before it frees the memory
   * or hands it on, never within {@link Holder#revoke}. Idempotent.
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

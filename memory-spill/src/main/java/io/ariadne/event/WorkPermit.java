package io.ariadne.event;

/**
 * A thread's permit to run work; the number of permits limits how many threads work at a time. A
 * thread that waits for memory or storage gives its permit up ({@link ThreadRecord#withoutPermit}),
 * so that another thread can work, and may free what the first needs.
 */
public interface WorkPermit {
  /** The permit of a thread that needs none. */
  WorkPermit NONE =
      new WorkPermit() {
        @Override
        public void giveBack() {
          // not counted
        }

        @Override
        public void takeAgain() {
          // not counted
        }
      };

  /** Lets another thread work. Called by the thread itself, which is about to wait. */
  void giveBack();

  /**
   * Takes the permit again after {@link #giveBack}. Never blocks, because the thread may hold what
   * other working threads need: for a while more threads may work than the limit says.
   */
  void takeAgain();
}

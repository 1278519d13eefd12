package io.ariadne.event;

/**
 * The right of a thread to work, of which there are as many as there is to be work at a time. Who
 * waits for others to free memory leaves it to them meanwhile.
 */
public interface WorkPermit {
  /** There is none: the thread works by nobody's leave. */
  WorkPermit NONE =
      new WorkPermit() {
        @Override
        public void giveBack() {
          // nobody counts it
        }

        @Override
        public void takeAgain() {
          // nobody counts it
        }
      };

  /** Lets somebody else work; called by the thread itself, which is about to wait. */
  void giveBack();

  /**
   * Goes on working after {@link #giveBack}. Never blocks, since the thread may hold what those
   * need who work now: for a while there may be more work at a time than there should.
   */
  void takeAgain();
}

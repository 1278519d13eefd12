package io.ariadne.spill;

/** Owners of batches for tests. */
final class Owners {
  /** An owner that does nothing. */
  static final SpillableBatch.Owner NONE = counting(() -> {});

  private Owners() {}

  /** Returns an owner that counts ends. */
  static SpillableBatch.Owner counting(Runnable gone) {
    return new SpillableBatch.Owner() {
      @Override
      public void gone(SpillableBatch batch) {
        gone.run();
      }

      @Override
      public void idle(SpillableBatch batch) {}
    };
  }
}

package io.ariadne.spill;

/** Owners of batches for tests. */
final class Owners {
  /** An owner that does nothing. */
  static final BatchOwner NONE = counting(() -> {});

  private Owners() {}

  /** Returns an owner that counts ends. */
  static BatchOwner counting(Runnable gone) {
    return new BatchOwner() {
      @Override
      public void gone(SpillableBatch batch) {
        gone.run();
      }

      @Override
      public void idle(SpillableBatch batch) {}
    };
  }
}

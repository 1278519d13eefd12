package io.ariadne.bridge;

/**
 * Checked exceptions through interfaces that declare none: Spark's iterators and streams are
 * Scala's, throw what they like, and expect its own exceptions as they are, not wrapped.
 */
public final class UndeclaredExceptions {

  private UndeclaredExceptions() {}

  /**
   * Throws a failure as it is.
   *
   * @return never; for a {@code throw} statement, which tells the compiler that nothing follows
   */
  public static RuntimeException raise(Throwable failure) {
    throw UndeclaredExceptions.<RuntimeException>undeclared(failure);
  }

  @SuppressWarnings("unchecked")
  private static <E extends Throwable> E undeclared(Throwable failure) throws E {
    throw (E) failure;
  }
}

package io.ariadne.bridge;

/**
 * Throws checked exceptions through interfaces that declare none. Spark's iterators and streams are
 * written in Scala, throw any exception, and must get Spark's own exceptions unwrapped.
 */
public final class UndeclaredExceptions {

  private UndeclaredExceptions() {}

  /**
   * Throws a failure unchanged.
   *
   * @return never; lets callers write a {@code throw} statement, which tells the compiler that
   *     nothing follows
   */
  public static RuntimeException raise(Throwable failure) {
    throw UndeclaredExceptions.<RuntimeException>undeclared(failure);
  }

  @SuppressWarnings("unchecked")
  private static <E extends Throwable> E undeclared(Throwable failure) throws E {
    throw (E) failure;
  }
}

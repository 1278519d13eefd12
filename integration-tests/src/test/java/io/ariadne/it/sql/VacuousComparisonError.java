package io.ariadne.it.sql;

/** A comparison that proves nothing, because what it was to test did not run on Ariadne. */
final class VacuousComparisonError extends AssertionError {
  private static final long serialVersionUID = 1L;

  VacuousComparisonError(String message) {
    super(message);
  }
}

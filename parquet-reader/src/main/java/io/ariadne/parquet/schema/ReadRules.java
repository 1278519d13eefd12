package io.ariadne.parquet.schema;

/**
 * Spark's rules for finding columns and converting types.
 *
 * @param isCaseSensitive whether names are case-sensitive
 * @param widensTypes whether Spark 4's conversions to wider types apply (an INT32 as bigint, double
 *     or decimal, a decimal with more digits, a date as timestamp without time zone, and so on),
 *     and its reading of timestamps as local ones
 * @param nullsEmptyStructs whether a struct with no requested member in the file is always null, as
 *     in Spark 3.5, rather than null where the file's struct is
 * @param readsVariantsAsStructs whether a group annotated as VARIANT is read as a struct
 */
public record ReadRules(
    boolean isCaseSensitive,
    boolean widensTypes,
    boolean nullsEmptyStructs,
    boolean readsVariantsAsStructs) {
  /** Returns the rules of Spark 3.5. */
  public static ReadRules spark35(boolean isCaseSensitive) {
    return new ReadRules(isCaseSensitive, false, true, false);
  }

  /** Returns the rules of Spark 4 with its default settings. */
  public static ReadRules spark4(boolean isCaseSensitive) {
    return new ReadRules(isCaseSensitive, true, false, false);
  }
}

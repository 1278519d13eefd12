package io.ariadne.rules;

/** What is logged about each planned query. */
public enum ExplainMode {
  /** Nothing. */
  NONE,
  /** The plan, when some of it stays with Spark or goes through the expression bridge. */
  FALLBACK,
  /** Every plan. */
  ALL
}

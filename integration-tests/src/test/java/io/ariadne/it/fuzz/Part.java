package io.ariadne.it.fuzz;

/** What a piece of SQL is, which says how it may be made smaller. */
enum Part {
  /** A value; another expression of its kind may stand in its place. */
  EXPRESSION,
  /** What may be left out. */
  CLAUSE,
  /** A list of pieces, of which all but one may be left out; its text stands between them. */
  LIST,
  /** A relation in a FROM clause with its alias; a table may stand in its place. */
  SOURCE,
  /** A query; a query within it may stand in its place. */
  QUERY,
  /** What stays as it is. */
  TEXT
}

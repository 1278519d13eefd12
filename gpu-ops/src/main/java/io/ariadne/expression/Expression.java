package io.ariadne.expression;

import io.ariadne.columnar.type.DataType;
import java.io.Serializable;

/**
 * A resolved, typed, row-wise expression over the columns of a batch.
 *
 * <p>Immutable and serialisable. It is built from Spark's expressions at plan time and compiled to
 * tile programs on executors. Its semantics are Spark's; where they depend on ANSI mode, the mode
 * is part of the node.
 */
public sealed interface Expression extends Serializable
    permits ColumnReference, Literal, UnknownConstant, Call, BridgedCall, Member {
  /** Returns the result's type. */
  DataType type();

  /** Returns whether the result may be null. */
  boolean nullable();
}

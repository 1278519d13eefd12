package io.ariadne.expression.compiler;

import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.Schema;
import io.ariadne.expression.Expression;
import io.ariadne.kernel.tile.EntryFunction;
import java.util.List;

/**
 * An expression over the entries of a dictionary, which are its column 0 and have no nulls. Equal
 * for equal expressions; thread-safe.
 */
public final class EntryExpression implements EntryFunction {
  private final Expression expression;
  private final TileProgramCompiler compiler;

  EntryExpression(Expression expression) {
    this.expression = expression;
    this.compiler = TileProgramCompiler.withDefaultLayouts(List.of(expression));
  }

  /** Returns the compiler of the expression over a batch of entries. */
  public TileProgramCompiler compiler() {
    return compiler;
  }

  /** Returns the schema of the results. */
  public Schema schema() {
    return new Schema(List.of(new Field("_0", expression.type(), false)));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof EntryExpression that && expression.equals(that.expression);
  }

  @Override
  public int hashCode() {
    return expression.hashCode();
  }

  @Override
  public String toString() {
    return expression + " of entries";
  }
}

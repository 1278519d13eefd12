package io.ariadne.rules.expression;

import io.ariadne.bridge.expression.TimestampPlusInterval;
import io.ariadne.expression.Function;
import java.util.Objects;
import java.util.Optional;
import org.apache.spark.sql.catalyst.expressions.Expression;

/**
 * Declares that kernels can compute one Spark expression class.
 *
 * <p>{@link io.ariadne.expression.FunctionSupport} declares the operand types of the function. The
 * recipe checks conditions that are not about types (a literal operand, a time zone), and the note
 * describes them.
 *
 * @param sparkClass Spark's class, matched exactly: subclasses are unknown
 * @param function the kernel function, absent for expressions that the translation removes
 * @param note limits other than types, for the documentation; may be empty
 * @param recipe builds Ariadne's expression
 * @param <E> Spark's class
 */
public record ExpressionRule<E extends Expression>(
    Class<E> sparkClass, Optional<Function> function, String note, Recipe<E> recipe) {

  /** Builds our expression from Spark's. */
  @FunctionalInterface
  public interface Recipe<E extends Expression> {
    /**
     * Translates one expression.
     *
     * @param expression Spark's expression
     * @param walk translates operands and checks types
     * @return our expression
     * @throws NoKernelException when no kernel computes it
     */
    io.ariadne.expression.Expression translate(E expression, ExpressionWalk walk);
  }

  /** Checks for nulls. */
  public ExpressionRule {
    Objects.requireNonNull(sparkClass, "sparkClass is null");
    Objects.requireNonNull(function, "function is null");
    Objects.requireNonNull(note, "note is null");
    Objects.requireNonNull(recipe, "recipe is null");
  }

  /** Declares a class with a kernel function and no limits beyond types. */
  static <E extends Expression> ExpressionRule<E> of(
      Class<E> sparkClass, Function function, Recipe<E> recipe) {
    return of(sparkClass, function, "", recipe);
  }

  /** Declares a class with a kernel function and limits beyond types. */
  static <E extends Expression> ExpressionRule<E> of(
      Class<E> sparkClass, Function function, String note, Recipe<E> recipe) {
    return new ExpressionRule<>(sparkClass, Optional.of(function), note, recipe);
  }

  /** Declares a class that vanishes in the translation: columns, constants, wrappers. */
  static <E extends Expression> ExpressionRule<E> structural(
      Class<E> sparkClass, String note, Recipe<E> recipe) {
    return new ExpressionRule<>(sparkClass, Optional.empty(), note, recipe);
  }

  /**
   * Returns the name people disable and look up the expression by: that of Spark's class, in the
   * newest line where lines differ.
   */
  public String name() {
    return sparkClass.equals(TimestampPlusInterval.SPARK_CLASS)
        ? TimestampPlusInterval.NAME
        : sparkClass.getSimpleName();
  }

  /** Applies the recipe to an expression of exactly this class. */
  io.ariadne.expression.Expression translate(Expression expression, ExpressionWalk walk) {
    return recipe.translate(sparkClass.cast(expression), walk);
  }
}

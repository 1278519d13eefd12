package io.ariadne.rules.expression;

import io.ariadne.expression.EvaluationMode;
import java.util.Objects;
import java.util.Optional;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateFunction;

/**
 * Declares that one of Spark's aggregate functions has a kernel. {@link
 * io.ariadne.expression.AggregateSupport} checks types.
 *
 * @param sparkClass Spark's class, matched exactly
 * @param function Ariadne's function, or one of several variants
 * @param variant chooses the variant
 * @param mode reads what happens on overflow
 * @param raiser makes a closed expression that raises Spark's error on overflow, for functions in a
 *     mode that raises
 * @param <F> Spark's class
 */
public record AggregateRule<F extends AggregateFunction>(
    Class<F> sparkClass,
    io.ariadne.expression.AggregateFunction function,
    java.util.function.Function<F, io.ariadne.expression.AggregateFunction> variant,
    java.util.function.Function<F, EvaluationMode> mode,
    java.util.function.Function<F, Optional<Expression>> raiser) {
  /** Checks for nulls. */
  public AggregateRule {
    Objects.requireNonNull(sparkClass, "sparkClass is null");
    Objects.requireNonNull(function, "function is null");
    Objects.requireNonNull(variant, "variant is null");
    Objects.requireNonNull(mode, "mode is null");
    Objects.requireNonNull(raiser, "raiser is null");
  }

  /** Declares a function that cannot overflow. */
  static <F extends AggregateFunction> AggregateRule<F> total(
      Class<F> sparkClass, io.ariadne.expression.AggregateFunction function) {
    return total(sparkClass, function, f -> function);
  }

  /** Declares a function that cannot overflow and is a variant of one of our functions. */
  static <F extends AggregateFunction> AggregateRule<F> total(
      Class<F> sparkClass,
      io.ariadne.expression.AggregateFunction function,
      java.util.function.Function<F, io.ariadne.expression.AggregateFunction> variant) {
    return new AggregateRule<>(
        sparkClass, function, variant, f -> EvaluationMode.LEGACY, f -> Optional.empty());
  }

  /** Returns the name people disable and look up the function by: Spark's class name. */
  public String name() {
    return sparkClass.getSimpleName();
  }

  io.ariadne.expression.AggregateFunction functionOf(AggregateFunction f) {
    return variant.apply(sparkClass.cast(f));
  }

  EvaluationMode modeOf(AggregateFunction f) {
    return mode.apply(sparkClass.cast(f));
  }

  Optional<Expression> raiserOf(AggregateFunction f) {
    return raiser.apply(sparkClass.cast(f));
  }
}

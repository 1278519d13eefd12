package io.ariadne.rules.expression;

import java.util.Objects;
import java.util.Optional;

/**
 * The outcome of translating one Spark expression.
 *
 * @param tag what was decided, part by part
 * @param translated our expression, absent when only Spark can compute it
 */
public record Conversion(
    TaggedExpression tag, Optional<io.ariadne.expression.Expression> translated) {
  /** Checks for nulls. */
  public Conversion {
    Objects.requireNonNull(tag, "tag is null");
    Objects.requireNonNull(translated, "translated is null");
  }

  /** Returns our expression; only when there is one. */
  public io.ariadne.expression.Expression expression() {
    return translated.orElseThrow();
  }
}

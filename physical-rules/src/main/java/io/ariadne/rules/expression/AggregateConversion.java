package io.ariadne.rules.expression;

import io.ariadne.expression.AggregateCall;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The outcome of translating one of Spark's aggregates.
 *
 * @param description Spark's aggregate, for people
 * @param reason why it cannot be translated; empty when it can
 * @param operands the decisions about its arguments and its filter
 * @param call Ariadne's call, absent when there is a reason
 */
public record AggregateConversion(
    String description,
    String reason,
    List<TaggedExpression> operands,
    Optional<AggregateCall> call) {
  /** Checks for nulls and copies the list. */
  public AggregateConversion {
    Objects.requireNonNull(description, "description is null");
    Objects.requireNonNull(reason, "reason is null");
    operands = List.copyOf(operands);
    Objects.requireNonNull(call, "call is null");
  }
}

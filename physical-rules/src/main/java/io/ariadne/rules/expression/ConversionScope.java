package io.ariadne.rules.expression;

import io.ariadne.bridge.task.InputFiles;
import io.ariadne.expression.ExpressionError;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;

/**
 * What the translations of one fragment share.
 *
 * @param disabled names of Spark expression classes (and {@value #BRIDGE}) that the user switched
 *     off
 * @param replays where expressions that may raise are gathered
 * @param files tells bridged code which file its rows are of
 */
public record ConversionScope(Set<String> disabled, ReplayTable replays, InputFiles files) {
  /** The name under which the expression bridge as a whole is switched off. */
  public static final String BRIDGE = "ExpressionBridge";

  /** Checks for nulls and copies the set. */
  public ConversionScope {
    disabled = Set.copyOf(disabled);
    Objects.requireNonNull(replays, "replays is null");
    Objects.requireNonNull(files, "files is null");
  }

  /**
   * Adds the expressions of a node for replay when one of them may raise.
   *
   * @param expressions all that the node computes, in Spark's order
   * @param tags what was decided about them
   * @param input the columns the node reads, by position
   * @return their number, or -1
   */
  public int originOf(
      List<Expression> expressions, List<TaggedExpression> tags, List<? extends Attribute> input) {
    return tags.stream().anyMatch(TaggedExpression::mayRaise)
        ? replays.addInOrder(expressions, input)
        : ExpressionError.NO_ORIGIN;
  }

  /** Returns the scope of what is computed behind a breaker: from rows that are of no file. */
  public ConversionScope behind() {
    return new ConversionScope(disabled, replays, files.behind());
  }

  /** Returns a scope for a trial translation whose gatherings nobody needs. */
  public static ConversionScope trial(Set<String> disabled) {
    return new ConversionScope(disabled, new ReplayTable(), new InputFiles());
  }
}

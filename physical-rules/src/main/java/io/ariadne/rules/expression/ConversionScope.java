package io.ariadne.rules.expression;

import io.ariadne.bridge.task.InputFiles;
import io.ariadne.expression.ExpressionError;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;

/**
 * The state that the translations of one fragment share.
 *
 * @param disabled names of Spark expression classes (and {@value #BRIDGE}) that the user switched
 *     off
 * @param replays collects expressions that may raise
 * @param files tells bridged code which file its rows are from
 * @param isTrial whether the plan is only translated to see what is supported, and never executed
 */
public record ConversionScope(
    Set<String> disabled, ReplayTable replays, InputFiles files, boolean isTrial) {
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
   * @param expressions all expressions that the node computes, in Spark's order
   * @param tags the decisions about them
   * @param input the columns that the node reads, by position
   * @return their number, or -1
   */
  public int originOf(
      List<Expression> expressions, List<TaggedExpression> tags, List<? extends Attribute> input) {
    return tags.stream().anyMatch(TaggedExpression::mayRaise)
        ? replays.addInOrder(expressions, input)
        : ExpressionError.NO_ORIGIN;
  }

  /** Returns the scope of nodes after a breaker, where rows are from no known file. */
  public ConversionScope behind() {
    return new ConversionScope(disabled, replays, files.behind(), isTrial);
  }

  /** Returns a scope for a trial translation; what it collects is not used. */
  public static ConversionScope trial(Set<String> disabled) {
    return new ConversionScope(disabled, new ReplayTable(), new InputFiles(), true);
  }

  /**
   * Returns a scope for a plan that is executed. Spark's expressions are bound while it is made, so
   * the calling thread must have the query's settings ({@code SQLConf.get}).
   *
   * @param disabled names that are switched off
   * @param replays where expressions that may raise are gathered
   * @param files tells bridged code which file its rows are of
   */
  public static ConversionScope execution(
      Set<String> disabled, ReplayTable replays, InputFiles files) {
    return new ConversionScope(disabled, replays, files, false);
  }
}

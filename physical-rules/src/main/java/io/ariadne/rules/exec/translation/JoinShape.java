package io.ariadne.rules.exec.translation;

import io.ariadne.bridge.expression.ExpressionBridge;
import io.ariadne.operator.join.JoinKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.optimizer.BuildLeft$;
import org.apache.spark.sql.catalyst.optimizer.BuildRight$;
import org.apache.spark.sql.catalyst.optimizer.BuildSide;
import org.apache.spark.sql.catalyst.plans.Cross$;
import org.apache.spark.sql.catalyst.plans.ExistenceJoin;
import org.apache.spark.sql.catalyst.plans.FullOuter$;
import org.apache.spark.sql.catalyst.plans.Inner$;
import org.apache.spark.sql.catalyst.plans.JoinType;
import org.apache.spark.sql.catalyst.plans.LeftAnti$;
import org.apache.spark.sql.catalyst.plans.LeftOuter$;
import org.apache.spark.sql.catalyst.plans.LeftSemi$;
import org.apache.spark.sql.catalyst.plans.RightOuter$;
import scala.Option;

/**
 * A join as Spark plans it.
 *
 * @param leftKeys expressions over the left columns
 * @param rightKeys as many expressions over the right columns
 * @param joinType Spark's join type
 * @param buildSide the build side
 * @param condition over the columns of both sides, or none
 * @param isNullAware whether it is a {@code NOT IN}
 */
public record JoinShape(
    List<Expression> leftKeys,
    List<Expression> rightKeys,
    JoinType joinType,
    BuildSide buildSide,
    Option<Expression> condition,
    boolean isNullAware) {
  /** Copies the lists. */
  public JoinShape {
    leftKeys = List.copyOf(leftKeys);
    rightKeys = List.copyOf(rightKeys);
  }

  /** Returns whether the left side is the build side and the right side the probe side. */
  public boolean buildsLeft() {
    return buildSide == BuildLeft$.MODULE$;
  }

  /** Returns our kind of the join, or empty when no kind builds this side. */
  public Optional<JoinKind> kind() {
    if (joinType == Inner$.MODULE$ || joinType == Cross$.MODULE$) {
      return Optional.of(JoinKind.INNER);
    }
    if (joinType == FullOuter$.MODULE$) {
      return Optional.of(JoinKind.FULL);
    }
    if (joinType == RightOuter$.MODULE$) {
      return Optional.of(buildsLeft() ? JoinKind.OUTER : JoinKind.BUILD_OUTER);
    }
    if (joinType == LeftOuter$.MODULE$) {
      return Optional.of(buildsLeft() ? JoinKind.BUILD_OUTER : JoinKind.OUTER);
    }
    if (joinType == LeftSemi$.MODULE$) {
      return Optional.of(buildsLeft() ? JoinKind.BUILD_SEMI : JoinKind.SEMI);
    }
    if (joinType == LeftAnti$.MODULE$) {
      return anti();
    }
    return joinType instanceof ExistenceJoin
        ? Optional.of(buildsLeft() ? JoinKind.BUILD_EXISTENCE : JoinKind.EXISTENCE)
        : Optional.empty();
  }

  private Optional<JoinKind> anti() {
    if (isNullAware) {
      return buildsLeft() ? Optional.empty() : Optional.of(JoinKind.NULL_AWARE_ANTI);
    }
    return Optional.of(buildsLeft() ? JoinKind.BUILD_ANTI : JoinKind.ANTI);
  }

  /**
   * Returns whether the join marks the build rows that have a pair. One task then has to see all
   * probe rows that may pair with them.
   */
  public boolean marksBuildRows() {
    return kind().filter(JoinKind::marksBuildRows).isPresent();
  }

  /** Returns the columns of both sides that keys and condition read. */
  public List<Attribute> references() {
    List<Attribute> read = new ArrayList<>(conditionReferences());
    leftKeys.forEach(key -> read.addAll(ExpressionBridge.references(key)));
    rightKeys.forEach(key -> read.addAll(ExpressionBridge.references(key)));
    return read;
  }

  /** Returns the columns of both sides that the condition reads. */
  public List<Attribute> conditionReferences() {
    return condition.isDefined() ? ExpressionBridge.references(condition.get()) : List.of();
  }

  /** Returns this join with the other side kept. */
  public JoinShape withOtherSide() {
    BuildSide other = buildsLeft() ? BuildRight$.MODULE$ : BuildLeft$.MODULE$;
    return new JoinShape(leftKeys, rightKeys, joinType, other, condition, isNullAware);
  }
}

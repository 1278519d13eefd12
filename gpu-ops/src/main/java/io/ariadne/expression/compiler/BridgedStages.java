package io.ariadne.expression.compiler;

import io.ariadne.expression.BridgedCall;
import io.ariadne.expression.Call;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.Expression;
import io.ariadne.expression.Member;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Expressions without their bridged calls. The calls are in stages, innermost first; their results
 * become columns after the batch's columns, and the expressions read those. Immutable.
 *
 * @param stages calls of one stage depend only on columns of earlier stages
 * @param expressions the expressions, in order, without bridged calls
 */
public record BridgedStages(List<List<BridgedCall>> stages, List<Expression> expressions) {
  /** Copies the lists. */
  public BridgedStages {
    stages = stages.stream().map(List::copyOf).toList();
    expressions = List.copyOf(expressions);
  }

  /**
   * Extracts the bridged calls of expressions.
   *
   * @param expressions any expressions over a batch
   * @param columnCount columns of the batch; results of calls are numbered from here, stage by
   *     stage
   */
  public static BridgedStages of(List<Expression> expressions, int columnCount) {
    List<List<BridgedCall>> stages = new ArrayList<>();
    List<Expression> current = List.copyOf(expressions);
    int nextColumn = columnCount;
    while (true) {
      Set<BridgedCall> innermost = new LinkedHashSet<>();
      current.forEach(expression -> addInnermost(expression, innermost));
      if (innermost.isEmpty()) {
        return new BridgedStages(stages, current);
      }
      List<BridgedCall> stage = List.copyOf(innermost);
      int first = nextColumn;
      Map<Expression, Expression> columns =
          IntStream.range(0, stage.size())
              .boxed()
              .collect(
                  Collectors.toMap(
                      stage::get,
                      i ->
                          new ColumnReference(
                              first + i, stage.get(i).type(), stage.get(i).nullable())));
      current = current.stream().map(e -> replace(e, columns)).toList();
      stages.add(stage);
      nextColumn += stage.size();
    }
  }

  /** Returns whether an expression has a bridged call. */
  public static boolean isBridged(Expression expression) {
    if (expression instanceof Call call) {
      return call.arguments().stream().anyMatch(BridgedStages::isBridged);
    }
    if (expression instanceof Member member) {
      return isBridged(member.struct());
    }
    return expression instanceof BridgedCall;
  }

  private static void addInnermost(Expression expression, Set<BridgedCall> innermost) {
    if (expression instanceof BridgedCall bridged
        && bridged.arguments().stream().noneMatch(BridgedStages::isBridged)) {
      innermost.add(bridged);
    } else {
      children(expression).forEach(child -> addInnermost(child, innermost));
    }
  }

  private static List<Expression> children(Expression expression) {
    if (expression instanceof Call call) {
      return call.arguments();
    }
    if (expression instanceof Member member) {
      return List.of(member.struct());
    }
    return expression instanceof BridgedCall bridged ? bridged.arguments() : List.of();
  }

  private static Expression replace(
      Expression expression, Map<Expression, Expression> replacement) {
    if (replacement.containsKey(expression)) {
      return replacement.get(expression);
    }
    if (expression instanceof Call call) {
      return new Call(
          call.function(),
          call.arguments().stream().map(e -> replace(e, replacement)).toList(),
          call.type(),
          call.nullable(),
          call.mode(),
          call.origin());
    }
    if (expression instanceof Member member) {
      return new Member(replace(member.struct(), replacement), member.ordinal(), member.nullable());
    }
    if (expression instanceof BridgedCall bridged) {
      return new BridgedCall(
          bridged.function(),
          bridged.arguments().stream().map(e -> replace(e, replacement)).toList(),
          bridged.nullable());
    }
    return expression;
  }
}

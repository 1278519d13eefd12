package io.ariadne.parquet.scan;

import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.expression.Call;
import io.ariadne.expression.EvaluationMode;
import io.ariadne.expression.Expression;
import io.ariadne.expression.ExpressionError;
import io.ariadne.expression.Function;
import io.ariadne.expression.compiler.TileProgramCompiler;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A scan's predicate in one file as parts that may be evaluated in any order, as none can raise:
 * conjuncts over the same columns are one part. Thread-safe.
 */
final class FilterSteps {
  private final Schema schema;
  private final List<List<Integer>> columns = new ArrayList<>();
  private final List<Expression> parts = new ArrayList<>();
  private final Map<List<Integer>, FilePredicate> joined = new ConcurrentHashMap<>();

  /**
   * Takes a predicate apart.
   *
   * @param predicate over the scan's columns, constants of the file being literals
   * @param schema the scan's columns
   */
  FilterSteps(Expression predicate, Schema schema) {
    this.schema = schema;
    Map<BitSet, Expression> byColumns = new LinkedHashMap<>();
    addConjuncts(predicate, byColumns);
    Expression constant = byColumns.size() > 1 ? byColumns.remove(new BitSet()) : null;
    byColumns.forEach(
        (used, part) -> {
          boolean takesConstant = constant != null && parts.isEmpty();
          columns.add(used.stream().boxed().toList());
          parts.add(takesConstant ? and(constant, part) : part);
        });
  }

  private static void addConjuncts(Expression expression, Map<BitSet, Expression> byColumns) {
    if (expression instanceof Call call && call.function() == Function.AND) {
      call.arguments().forEach(argument -> addConjuncts(argument, byColumns));
      return;
    }
    BitSet used = new BitSet();
    TileProgramCompiler.addColumns(expression, used);
    byColumns.merge(used, expression, FilterSteps::and);
  }

  private static Expression and(Expression left, Expression right) {
    return new Call(
        Function.AND,
        List.of(left, right),
        PrimitiveType.BOOLEAN,
        left.nullable() || right.nullable(),
        EvaluationMode.LEGACY,
        ExpressionError.NO_ORIGIN);
  }

  /** Returns the number of parts, at least 1. */
  int count() {
    return parts.size();
  }

  /**
   * Returns the numbers of the scan's columns that a part reads: no other part reads just these.
   */
  List<Integer> columns(int part) {
    return columns.get(part);
  }

  /** Returns a predicate that holds where all of some parts do. */
  FilePredicate join(List<Integer> some) {
    return joined.computeIfAbsent(
        some,
        numbers ->
            FilePredicate.over(
                numbers.stream().map(parts::get).reduce(FilterSteps::and).orElseThrow(), schema));
  }
}

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
 * A scan's predicate in one file, divided into conjuncts. They can be evaluated in any order
 * because none raises an error. Conjuncts over the same columns are combined to one. Thread-safe.
 */
final class FilterConjuncts {
  private final Schema schema;
  private final List<List<Integer>> columns = new ArrayList<>();
  private final List<Expression> conjuncts = new ArrayList<>();
  private final Map<List<Integer>, FilePredicate> joined = new ConcurrentHashMap<>();

  /**
   * Divides a predicate.
   *
   * @param predicate over the scan's columns; constants of the file are literals
   * @param schema the scan's columns
   */
  FilterConjuncts(Expression predicate, Schema schema) {
    this.schema = schema;
    Map<BitSet, Expression> byColumns = new LinkedHashMap<>();
    addConjuncts(predicate, byColumns);
    Expression constant = byColumns.size() > 1 ? byColumns.remove(new BitSet()) : null;
    byColumns.forEach(
        (used, conjunct) -> {
          boolean takesConstant = constant != null && conjuncts.isEmpty();
          columns.add(used.stream().boxed().toList());
          conjuncts.add(takesConstant ? and(constant, conjunct) : conjunct);
        });
  }

  private static void addConjuncts(Expression expression, Map<BitSet, Expression> byColumns) {
    if (expression instanceof Call call && call.function() == Function.AND) {
      call.arguments().forEach(argument -> addConjuncts(argument, byColumns));
      return;
    }
    BitSet used = new BitSet();
    TileProgramCompiler.addColumns(expression, used);
    byColumns.merge(used, expression, FilterConjuncts::and);
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

  /** Returns the number of conjuncts, at least 1. */
  int count() {
    return conjuncts.size();
  }

  /**
   * Returns the indices of the scan's columns that a conjunct reads. No other conjunct reads
   * exactly these.
   */
  List<Integer> columns(int conjunct) {
    return columns.get(conjunct);
  }

  /** Returns a predicate that is true where all of the given conjuncts are. */
  FilePredicate join(List<Integer> some) {
    return joined.computeIfAbsent(
        some,
        numbers ->
            FilePredicate.over(
                numbers.stream().map(conjuncts::get).reduce(FilterConjuncts::and).orElseThrow(),
                schema));
  }
}

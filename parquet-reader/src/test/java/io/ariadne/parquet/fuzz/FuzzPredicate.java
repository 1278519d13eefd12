package io.ariadne.parquet.fuzz;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.expression.Call;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.EvaluationMode;
import io.ariadne.expression.Expression;
import io.ariadne.expression.Function;
import io.ariadne.expression.Literal;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Compares an integer column with a frequent value, so that statistics, page indexes and bloom
 * filters exclude rows.
 *
 * @param column index of the column among those read
 * @param function EQUAL or LESS
 * @param type INT32 or INT64
 * @param limit the value to compare with
 */
record FuzzPredicate(int column, Function function, PrimitiveType type, long limit) {
  /** Returns a predicate over some columns of a file, null when none of them has integers. */
  static FuzzPredicate of(SoundFile file, List<Field> fields, SplittableRandom random) {
    List<Integer> candidates = new ArrayList<>();
    for (int i = 0; i < fields.size(); i++) {
      Field field = fields.get(i);
      if (isInteger(field.type()) && !file.misjudged().contains(field.name())) {
        candidates.add(i);
      }
    }
    if (candidates.isEmpty()) {
      return null;
    }
    int column = candidates.get(random.nextInt(candidates.size()));
    Field field = fields.get(column);
    List<Object> values = file.values(field);
    Object limit = values.isEmpty() ? null : values.get(random.nextInt(values.size()));
    return new FuzzPredicate(
        column,
        random.nextBoolean() ? Function.EQUAL : Function.LESS,
        (PrimitiveType) field.type(),
        limit == null ? 0 : ((Number) limit).longValue());
  }

  /** Returns whether there are predicates over columns of this type. */
  static boolean isInteger(DataType type) {
    return type == PrimitiveType.INT32 || type == PrimitiveType.INT64;
  }

  /** Returns a predicate for rows with a value in the only column read. */
  static FuzzPredicate equal(Field field, long value) {
    return new FuzzPredicate(0, Function.EQUAL, (PrimitiveType) field.type(), value);
  }

  /** Returns the same predicate over the column at another index. */
  FuzzPredicate at(int place) {
    return new FuzzPredicate(place, function, type, limit);
  }

  /** Returns the predicate as an expression. */
  Expression expression() {
    Literal literal =
        type == PrimitiveType.INT32 ? new Literal((int) limit, type) : new Literal(limit, type);
    return new Call(
        function,
        List.of(new ColumnReference(column, type, true), literal),
        PrimitiveType.BOOLEAN,
        true,
        EvaluationMode.LEGACY,
        -1);
  }

  /** Returns whether the predicate is true for a value of the column. */
  boolean holds(Object value) {
    if (value == null) {
      return false;
    }
    long number = ((Number) value).longValue();
    return function == Function.EQUAL ? number == limit : number < limit;
  }
}

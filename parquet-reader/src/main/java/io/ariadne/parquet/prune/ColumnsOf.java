package io.ariadne.parquet.prune;

import io.ariadne.expression.BridgedCall;
import io.ariadne.expression.Call;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.Expression;
import io.ariadne.expression.Function;
import io.ariadne.expression.Member;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** Finds the columns an expression looks at, its conjuncts, and how large it is. */
final class ColumnsOf {
  private ColumnsOf() {}

  static BitSet expression(Expression expression) {
    BitSet columns = new BitSet();
    collect(expression, columns);
    return columns;
  }

  private static void collect(Expression expression, BitSet columns) {
    if (expression instanceof ColumnReference column) {
      columns.set(column.index());
    } else if (expression instanceof Call call) {
      call.arguments().forEach(argument -> collect(argument, columns));
    } else if (expression instanceof Member member) {
      collect(member.struct(), columns);
    } else if (expression instanceof BridgedCall call) {
      call.arguments().forEach(argument -> collect(argument, columns));
    }
  }

  /** Returns how many expressions an expression consists of, itself included. */
  static long size(Expression expression) {
    if (expression instanceof Call call) {
      return 1 + call.arguments().stream().mapToLong(ColumnsOf::size).sum();
    }
    if (expression instanceof BridgedCall call) {
      return 1 + call.arguments().stream().mapToLong(ColumnsOf::size).sum();
    }
    return expression instanceof Member member ? 1 + size(member.struct()) : 1;
  }

  /** Returns the parts that all have to be true. */
  static List<Expression> conjuncts(Expression expression) {
    List<Expression> parts = new ArrayList<>();
    collect(expression, parts);
    return parts;
  }

  private static void collect(Expression expression, List<Expression> parts) {
    if (expression instanceof Call call && call.function() == Function.AND) {
      call.arguments().forEach(argument -> collect(argument, parts));
    } else {
      parts.add(expression);
    }
  }
}

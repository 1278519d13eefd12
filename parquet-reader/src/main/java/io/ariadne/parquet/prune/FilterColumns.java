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

/** Finds the columns that an expression reads, its conjuncts, and its size. */
final class FilterColumns {
  private FilterColumns() {}

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

  /** Returns the number of nodes of an expression tree. */
  static long size(Expression expression) {
    if (expression instanceof Call call) {
      return 1 + call.arguments().stream().mapToLong(FilterColumns::size).sum();
    }
    if (expression instanceof BridgedCall call) {
      return 1 + call.arguments().stream().mapToLong(FilterColumns::size).sum();
    }
    return expression instanceof Member member ? 1 + size(member.struct()) : 1;
  }

  /** Returns the conjuncts of an expression. */
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

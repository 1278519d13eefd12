package io.ariadne.expression.compiler;

import io.ariadne.expression.BridgedCall;
import io.ariadne.expression.Call;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.Expression;
import io.ariadne.expression.Literal;
import io.ariadne.expression.Member;
import java.util.ArrayList;
import java.util.List;

/**
 * Expressions in which references to columns replace the members of structs. The members become
 * columns behind the batch's columns, and these are what the expressions refer to. Immutable.
 *
 * @param paths the members
 * @param expressions the expressions, in order, without members
 */
public record MemberColumns(List<Path> paths, List<Expression> expressions) {
  /**
   * The position of a member.
   *
   * @param column number of a column of structs
   * @param ordinals position of a member, of a member of that member, and so on; at least one
   */
  public record Path(int column, List<Integer> ordinals) {
    /** Copies the list. */
    public Path {
      ordinals = List.copyOf(ordinals);
    }
  }

  /** Copies the lists. */
  public MemberColumns {
    paths = List.copyOf(paths);
    expressions = List.copyOf(expressions);
  }

  /**
   * Extracts the members of expressions.
   *
   * @param expressions over a batch and further columns, without bridged calls
   * @param columnCount number of the first member's column
   */
  public static MemberColumns of(List<Expression> expressions, int columnCount) {
    List<Path> paths = new ArrayList<>();
    List<Expression> replaced =
        expressions.stream().map(e -> replace(e, paths, columnCount)).toList();
    return new MemberColumns(paths, replaced);
  }

  /** Returns whether an expression has a member of a struct. */
  public static boolean isIn(Expression expression) {
    if (expression instanceof Call call) {
      return call.arguments().stream().anyMatch(MemberColumns::isIn);
    }
    if (expression instanceof BridgedCall bridged) {
      return bridged.arguments().stream().anyMatch(MemberColumns::isIn);
    }
    return expression instanceof Member;
  }

  private static Expression replace(Expression expression, List<Path> paths, int columnCount) {
    if (expression instanceof Call call) {
      return new Call(
          call.function(),
          call.arguments().stream().map(e -> replace(e, paths, columnCount)).toList(),
          call.type(),
          call.nullable(),
          call.mode(),
          call.origin());
    }
    return expression instanceof Member member ? column(member, paths, columnCount) : expression;
  }

  private static Expression column(Member member, List<Path> paths, int columnCount) {
    List<Integer> ordinals = new ArrayList<>();
    Expression root = member;
    while (root instanceof Member outer) {
      ordinals.add(0, outer.ordinal());
      root = outer.struct();
    }
    if (root instanceof Literal literal && literal.value() == null) {
      return new Literal(null, member.type());
    }
    if (!(root instanceof ColumnReference reference)) {
      throw new IllegalArgumentException(root + " is no column of structs");
    }
    Path path = new Path(reference.index(), ordinals);
    int position = paths.indexOf(path);
    if (position < 0) {
      position = paths.size();
      paths.add(path);
    }
    return new ColumnReference(columnCount + position, member.type(), member.nullable());
  }
}

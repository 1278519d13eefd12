package io.ariadne.rules.expression;

import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.Expression;
import io.ariadne.expression.Member;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.GetStructField;

/** Members of structs. */
final class StructRules {
  private StructRules() {}

  static List<ExpressionRule<?>> rules() {
    return List.of(
        ExpressionRule.structural(GetStructField.class, "member of a column", StructRules::member));
  }

  private static Expression member(GetStructField field, ExpressionWalk walk) {
    Expression struct = walk.operand(field.child());
    Expression root = struct;
    while (root instanceof Member member) {
      root = member.struct();
    }
    if (!(root instanceof ColumnReference)) {
      throw new NoKernelException("a member of a struct that is computed");
    }
    return new Member(struct, field.ordinal(), field.nullable());
  }
}

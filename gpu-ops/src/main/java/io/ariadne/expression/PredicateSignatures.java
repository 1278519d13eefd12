package io.ariadne.expression;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.expression.FunctionSignature.ResultRule;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Signatures of comparisons, logic and conditionals. */
final class PredicateSignatures {
  /** The longest IN list of a type that fits a register; values are looked up in a table. */
  private static final int MAX_TABLE_VALUES = 4096;

  /** The longest IN list of other types; each value is an instruction. */
  static final int MAX_IN_VALUES = 64;

  /** The most arguments of CASE and COALESCE. */
  private static final int MAX_BRANCHES = 129;

  private static final String STRINGS_OF_ONE_COLUMN =
      "strings of one column, and constants of up to 12 bytes";

  private static final Set<TypeKind> BOOLEANS = Set.of(TypeKind.BOOLEAN);

  private PredicateSignatures() {}

  static List<FunctionSignature> rules() {
    List<FunctionSignature> rules = new ArrayList<>();
    for (Function function :
        List.of(
            Function.EQUAL,
            Function.NULL_SAFE_EQUAL,
            Function.NOT_EQUAL,
            Function.LESS,
            Function.LESS_OR_EQUAL,
            Function.GREATER,
            Function.GREATER_OR_EQUAL)) {
      rules.add(FunctionSignature.of(function, 2, TypeKind.FIXED_WIDTH, ResultRule.PREDICATE));
    }
    rules.add(FunctionSignature.of(Function.AND, 2, BOOLEANS, ResultRule.SAME));
    rules.add(FunctionSignature.of(Function.OR, 2, BOOLEANS, ResultRule.SAME));
    rules.add(FunctionSignature.of(Function.NOT, 1, BOOLEANS, ResultRule.SAME));
    rules.add(nullTest(Function.IS_NULL));
    rules.add(nullTest(Function.IS_NOT_NULL));
    rules.add(FunctionSignature.of(Function.IS_NAN, 1, TypeKind.FLOATS, ResultRule.PREDICATE));
    rules.add(
        FunctionSignature.of(Function.IN, 2, TypeKind.FIXED_WIDTH, ResultRule.PREDICATE)
            .withArguments(2, MAX_IN_VALUES + 1)
            .with(FunctionSignature.SignatureCheck.NONE, "at most 64 literals"));
    Set<TypeKind> inTable = EnumSet.copyOf(TypeKind.INTEGER_LIKE);
    inTable.addAll(TypeKind.FLOATS);
    rules.add(
        FunctionSignature.of(Function.IN, 2, Set.copyOf(inTable), ResultRule.PREDICATE)
            .withArguments(2, MAX_TABLE_VALUES + 1)
            .with(FunctionSignature.SignatureCheck.NONE, "at most 4096 literals"));
    rules.add(
        FunctionSignature.of(Function.COALESCE, 1, TypeKind.FLAT, ResultRule.SAME)
            .withArguments(1, MAX_BRANCHES)
            .with(FunctionSignature.SignatureCheck.NONE, STRINGS_OF_ONE_COLUMN));
    rules.add(
        FunctionSignature.of(Function.CASE_WHEN, 1, TypeKind.FLAT, ResultRule.CHECKED)
            .withArguments(3, MAX_BRANCHES)
            .with(
                PredicateSignatures::caseWhen, "conditions are boolean; " + STRINGS_OF_ONE_COLUMN));
    return rules;
  }

  private static FunctionSignature nullTest(Function function) {
    return FunctionSignature.of(function, 1, TypeKind.COLUMNS, ResultRule.PREDICATE);
  }

  private static Optional<String> caseWhen(
      List<DataType> arguments, DataType result, EvaluationMode mode) {
    if (arguments.size() % 2 == 0) {
      return Optional.of("CASE without an ELSE value");
    }
    for (int i = 0; i < arguments.size(); i++) {
      boolean isCondition = i % 2 == 0 && i < arguments.size() - 1;
      DataType expected = isCondition ? PrimitiveType.BOOLEAN : result;
      if (!expected.equals(arguments.get(i))) {
        return Optional.of("CASE with branches of different types has no kernel");
      }
    }
    return Optional.empty();
  }
}

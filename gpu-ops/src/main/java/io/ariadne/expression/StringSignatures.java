package io.ariadne.expression;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.expression.FunctionSignature.ResultRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Signatures of functions of strings. */
final class StringSignatures {
  private static final Set<TypeKind> STRINGS = Set.of(TypeKind.STRING);
  private static final Set<TypeKind> TEXTS = Set.of(TypeKind.STRING, TypeKind.BINARY);
  private static final Set<TypeKind> TEXTS_AND_INTS =
      Set.of(TypeKind.STRING, TypeKind.BINARY, TypeKind.INT32);

  private StringSignatures() {}

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
      rules.add(FunctionSignature.of(function, 2, TEXTS, ResultRule.PREDICATE));
    }
    rules.add(
        FunctionSignature.of(Function.IN, 2, TEXTS, ResultRule.PREDICATE)
            .withArguments(2, PredicateSignatures.MAX_IN_VALUES + 1)
            .with(FunctionSignature.SignatureCheck.NONE, "at most 64 literals"));
    for (Function function : List.of(Function.STARTS_WITH, Function.ENDS_WITH, Function.CONTAINS)) {
      rules.add(FunctionSignature.of(function, 2, STRINGS, ResultRule.PREDICATE));
    }
    rules.add(
        signature(
            Function.LIKE,
            PrimitiveType.BOOLEAN,
            List.of(PrimitiveType.STRING, PrimitiveType.BINARY)));
    rules.add(FunctionSignature.of(Function.CHARACTER_LENGTH, 1, TEXTS, ResultRule.INT32));
    rules.add(FunctionSignature.of(Function.OCTET_LENGTH, 1, TEXTS, ResultRule.INT32));
    rules.add(FunctionSignature.of(Function.BIT_LENGTH, 1, TEXTS, ResultRule.INT32));
    rules.add(
        signature(
            Function.POSITION,
            PrimitiveType.INT32,
            List.of(PrimitiveType.STRING, PrimitiveType.STRING, PrimitiveType.INT32)));
    rules.add(FunctionSignature.of(Function.CODE_POINT, 1, STRINGS, ResultRule.INT32));
    rules.add(
        signature(
            Function.SUBSTRING,
            PrimitiveType.STRING,
            List.of(PrimitiveType.STRING, PrimitiveType.INT32, PrimitiveType.INT32)));
    for (Function function : List.of(Function.TRIM, Function.TRIM_LEFT, Function.TRIM_RIGHT)) {
      rules.add(FunctionSignature.of(function, 2, STRINGS, ResultRule.SAME));
    }
    return rules;
  }

  private static FunctionSignature signature(
      Function function, DataType result, List<DataType> expected) {
    return FunctionSignature.of(function, expected.size(), TEXTS_AND_INTS, ResultRule.CHECKED)
        .with(
            (arguments, actual, mode) ->
                arguments.equals(expected) && actual.equals(result)
                    ? Optional.empty()
                    : Optional.of(function + " of other types has no kernel"),
            "");
  }
}

package io.ariadne.expression;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.expression.FunctionSignature.ResultRule;
import java.util.List;
import java.util.Optional;

/** Signatures of Spark's hash functions: a seed, then any number of values. */
final class HashSignatures {
  private HashSignatures() {}

  static List<FunctionSignature> rules() {
    return List.of(
        rule(Function.MURMUR3_HASH, PrimitiveType.INT32),
        rule(Function.XXHASH64, PrimitiveType.INT64));
  }

  private static FunctionSignature rule(Function function, DataType hash) {
    return FunctionSignature.of(function, 1, TypeKind.FLAT, ResultRule.CHECKED)
        .withArguments(1, Integer.MAX_VALUE)
        .with((arguments, result, mode) -> seeded(hash, arguments, result), "any number of them");
  }

  private static Optional<String> seeded(DataType hash, List<DataType> arguments, DataType result) {
    return arguments.get(0) == hash && result == hash
        ? Optional.empty()
        : Optional.of("a hash of another type than its seed has no kernel");
  }
}

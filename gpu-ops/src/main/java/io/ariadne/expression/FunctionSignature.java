package io.ariadne.expression;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.PrimitiveType;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A group of signatures of a function that kernels compute. Immutable.
 *
 * @param function the function
 * @param minimumArguments fewest arguments
 * @param maximumArguments most arguments
 * @param argumentKinds the kinds that every argument may have
 * @param documentedKinds the kinds for the documentation: without constants such as time zones
 * @param resultRule how the result's type follows from the arguments' types
 * @param check the further conditions
 * @param note the further conditions, for the documentation; empty without any
 */
record FunctionSignature(
    Function function,
    int minimumArguments,
    int maximumArguments,
    Set<TypeKind> argumentKinds,
    Set<TypeKind> documentedKinds,
    ResultRule resultRule,
    SignatureCheck check,
    String note) {

  /** How the result's type follows from the arguments' types. */
  enum ResultRule {
    /** All arguments and the result have one type. */
    SAME,
    /** All arguments have one type, the result is BOOLEAN. */
    PREDICATE,
    /** Any arguments of the kinds, INT32 result. */
    INT32,
    /** Any arguments of the kinds; {@link FunctionSignature#check} checks the rest. */
    CHECKED
  }

  /** The conditions of a rule besides the kinds of arguments. */
  @FunctionalInterface
  interface SignatureCheck {
    /** Accepts every signature. */
    SignatureCheck NONE = (arguments, result, mode) -> Optional.empty();

    /** Returns why a signature is not supported, or empty when it is. */
    Optional<String> reasonAgainst(List<DataType> arguments, DataType result, EvaluationMode mode);
  }

  /** Creates a rule without further checks. */
  static FunctionSignature of(
      Function function, int arguments, Set<TypeKind> kinds, ResultRule rule) {
    return new FunctionSignature(
        function, arguments, arguments, kinds, kinds, rule, SignatureCheck.NONE, "");
  }

  /** Returns this rule with a check and its note. */
  FunctionSignature with(SignatureCheck newCheck, String newNote) {
    return new FunctionSignature(
        function,
        minimumArguments,
        maximumArguments,
        argumentKinds,
        documentedKinds,
        resultRule,
        newCheck,
        newNote);
  }

  /** Returns this rule for a range of numbers of arguments. */
  FunctionSignature withArguments(int minimum, int maximum) {
    return new FunctionSignature(
        function, minimum, maximum, argumentKinds, documentedKinds, resultRule, check, note);
  }

  /** Returns this rule with the kinds for the documentation. */
  FunctionSignature documentedAs(Set<TypeKind> kinds) {
    return new FunctionSignature(
        function,
        minimumArguments,
        maximumArguments,
        argumentKinds,
        kinds,
        resultRule,
        check,
        note);
  }

  /** Returns whether the arguments have the kinds of this rule. */
  boolean acceptsKinds(List<DataType> arguments) {
    return arguments.stream().map(TypeKind::of).allMatch(argumentKinds::contains);
  }

  /** Returns why this rule does not cover a signature, or empty when it does. */
  Optional<String> reasonAgainst(List<DataType> arguments, DataType result, EvaluationMode mode) {
    if (arguments.size() < minimumArguments || arguments.size() > maximumArguments) {
      return Optional.of(function + " of " + arguments.size() + " arguments has no kernel");
    }
    for (DataType argument : arguments) {
      if (!argumentKinds.contains(TypeKind.of(argument))) {
        return Optional.of(function + " of " + describe(argument) + " has no kernel");
      }
    }
    return resultReason(arguments, result).or(() -> check.reasonAgainst(arguments, result, mode));
  }

  private Optional<String> resultReason(List<DataType> arguments, DataType result) {
    DataType expected =
        switch (resultRule) {
          case SAME -> arguments.get(0);
          case PREDICATE -> PrimitiveType.BOOLEAN;
          case INT32 -> PrimitiveType.INT32;
          case CHECKED -> result;
        };
    boolean isUniform = resultRule == ResultRule.SAME || resultRule == ResultRule.PREDICATE;
    if (isUniform && arguments.stream().distinct().count() > 1) {
      return Optional.of(function + " of arguments of different types has no kernel");
    }
    return expected.equals(result)
        ? Optional.empty()
        : Optional.of(function + " with result " + describe(result) + " has no kernel");
  }

  /** Returns one line for the documentation: the kinds of the arguments and the note. */
  String describe() {
    String kinds =
        Arrays.stream(TypeKind.values())
            .filter(EnumSet.copyOf(documentedKinds)::contains)
            .map(TypeKind::sqlName)
            .collect(Collectors.joining(", "));
    return note.isEmpty() ? kinds : kinds + " (" + note + ")";
  }

  /** Returns a type's SQL name with its parameters. */
  static String describe(DataType type) {
    if (type instanceof DecimalType decimal) {
      return "decimal(" + decimal.precision() + "," + decimal.scale() + ")";
    }
    return TypeKind.of(type).sqlName();
  }
}

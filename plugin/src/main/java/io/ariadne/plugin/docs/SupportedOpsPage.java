package io.ariadne.plugin.docs;

import io.ariadne.expression.AggregateSupport;
import io.ariadne.expression.FunctionSupport;
import io.ariadne.expression.TypeKind;
import io.ariadne.rules.NodeRule;
import io.ariadne.rules.NodeRules;
import io.ariadne.rules.expression.AggregateRule;
import io.ariadne.rules.expression.AggregateRules;
import io.ariadne.rules.expression.ConversionScope;
import io.ariadne.rules.expression.ExpressionRule;
import io.ariadne.rules.expression.ExpressionRules;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** The page about supported operators, expressions and aggregates. */
final class SupportedOpsPage {
  private SupportedOpsPage() {}

  static String text() {
    StringBuilder text = new StringBuilder(GenerateDocs.MARK);
    text.append("# Supported operations\n\n")
        .append("The names are those of Spark's classes, which `spark.ariadne.disable` accepts.")
        .append(" Operators and aggregates that are not listed stay with Spark. Expressions that")
        .append(" are not listed, or have other argument types, use the expression bridge (`")
        .append(ConversionScope.BRIDGE)
        .append("`): Spark's own code computes them inside the pipeline.")
        .append(" [functions.md](functions.md) lists all functions by name.\n\n");
    text.append("Types of columns: ")
        .append(columnTypes())
        .append(". Arrays, structs and maps of")
        .append(" these types pass through operators; expressions over them use the bridge unless")
        .append(" they are listed.\n\n");
    operators(text);
    expressions(text);
    aggregates(text);
    return text.toString();
  }

  private static String columnTypes() {
    return Arrays.stream(TypeKind.values())
        .filter(TypeKind.COLUMNS::contains)
        .map(TypeKind::sqlName)
        .collect(Collectors.joining(", "));
  }

  private static void operators(StringBuilder text) {
    text.append("## Operators\n\n| Operator | Limits |\n|---|---|\n");
    for (NodeRule<?> rule : NodeRules.all()) {
      row(text, "`" + rule.name() + "`", rule.note());
    }
  }

  private static void expressions(StringBuilder text) {
    text.append("\n## Expressions with kernels\n\n");
    text.append("| Expression | Argument types | Limits |\n|---|---|---|\n");
    for (ExpressionRule<?> rule : ExpressionRules.all()) {
      List<String> types =
          rule.function().map(FunctionSupport::supportedTypes).orElse(List.of("any"));
      row(text, "`" + rule.name() + "`", String.join("; ", types), rule.note());
    }
  }

  private static void aggregates(StringBuilder text) {
    text.append("\n## Aggregates\n\n| Aggregate | Argument types |\n|---|---|\n");
    for (AggregateRule<?> rule : AggregateRules.all()) {
      List<String> types = AggregateSupport.supportedTypes(rule.function());
      row(text, "`" + rule.name() + "`", String.join("; ", types));
    }
  }

  private static void row(StringBuilder text, String... cells) {
    text.append("| ").append(String.join(" | ", cells)).append(" |\n");
  }
}

package io.ariadne.plugin.docs;

import io.ariadne.rules.function.FunctionVerdict;
import io.ariadne.rules.function.FunctionVerdict.Outcome;
import io.ariadne.rules.function.FunctionVerdicts;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.package$;

/** The page about all functions that Spark registers. */
final class FunctionsPage {
  /** The Spark line whose functions the page lists: that of the default build. */
  private static final String LINE = "4.1";

  private FunctionsPage() {}

  /** Returns whether this build is for the Spark line of the page. */
  static boolean isOfThisLine() {
    return package$.MODULE$.SPARK_VERSION().startsWith(LINE + ".");
  }

  static String text() {
    Map<String, String> since = new TreeMap<>();
    FunctionVerdicts.functions().forEach((name, info) -> since.put(name, info.getSince()));
    List<FunctionVerdict> verdicts = FunctionVerdicts.all();
    StringBuilder text = new StringBuilder(GenerateDocs.MARK);
    text.append("# Functions\n\nHow each function of Spark ")
        .append(LINE)
        .append(" is computed in the examples of Spark's documentation, with columns in place of")
        .append(
            " constants. Other argument types may be computed differently. Where Spark rewrites")
        .append(" a function to other expressions, the kernels of these count as the function's.")
        .append(" The results are the same for older Spark lines, which lack newer functions and")
        .append(" rewrite fewer of them; `TestFunctionVerdicts` prints them per line.\n\n");
    text.append("| Computed | Functions | in Spark 3.5 or earlier |\n|---|---|---|\n");
    for (Outcome outcome : Outcome.values()) {
      row(text, meaning(outcome), of(verdicts, outcome), since);
    }
    row(text, "all", verdicts, since);
    text.append("\n| Function | Since | Computed | |\n|---|---|---|---|\n");
    for (FunctionVerdict verdict : verdicts) {
      text.append("| `")
          .append(verdict.name().replace("|", "\\|"))
          .append("` | ")
          .append(since.get(verdict.name()))
          .append(" | ")
          .append(verdict.outcome().text())
          .append(" | ")
          .append(verdict.note().replace("|", "\\|").replace('\n', ' '))
          .append(" |\n");
    }
    return text.toString();
  }

  private static List<FunctionVerdict> of(List<FunctionVerdict> verdicts, Outcome outcome) {
    return verdicts.stream().filter(verdict -> verdict.outcome() == outcome).toList();
  }

  private static void row(
      StringBuilder text, String what, List<FunctionVerdict> verdicts, Map<String, String> since) {
    long old = verdicts.stream().filter(v -> !since.get(v.name()).startsWith("4.")).count();
    text.append("| ")
        .append(what)
        .append(" | ")
        .append(verdicts.size())
        .append(" | ")
        .append(old)
        .append(" |\n");
  }

  private static String meaning(Outcome outcome) {
    return switch (outcome) {
      case KERNEL -> "by kernels";
      case KERNEL_AND_BRIDGE -> "by kernels and partly by Spark's code over columns";
      case BRIDGE -> "by Spark's code over columns, inside the pipeline";
      case CONSTANT -> "once, while the query is planned";
      case SPARK -> "by Spark, which keeps the whole plan node";
    };
  }
}

package io.ariadne.kernelcompiler;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Converts a C++ enum whose enumerators all have literal values to a Java class of constants. */
final class EnumClassWriter {

  private static final Pattern ENUMERATOR =
      Pattern.compile("^(\\w+)\\s*=\\s*(0[xX][0-9a-fA-F]+|\\d+)[uU]?$");

  private EnumClassWriter() {}

  /**
   * Returns the enumerators of an enum, or empty when the text does not define it.
   *
   * @param name unqualified name of the enum
   * @param source a kernel source or header
   */
  static Optional<Map<String, Integer>> find(String name, String source) {
    Matcher definition =
        Pattern.compile("\\benum(?:\\s+class)?\\s+" + name + "\\b[^{;]*\\{([^}]*)\\}")
            .matcher(SourceText.withoutComments(source));
    if (!definition.find()) {
      return Optional.empty();
    }
    Map<String, Integer> values = new LinkedHashMap<>();
    for (String item : definition.group(1).split(",")) {
      String text = item.strip();
      if (text.isEmpty()) {
        continue;
      }
      Matcher enumerator = ENUMERATOR.matcher(text);
      if (!enumerator.matches()) {
        throw new KernelBuildException(
            "enum " + name + ": '" + text + "' needs the form NAME = number");
      }
      values.put(enumerator.group(1), Integer.decode(enumerator.group(2)));
    }
    return Optional.of(values);
  }

  /** Returns the source of the class of constants. */
  static String source(String name, Map<String, Integer> values) {
    String className = JavaNames.pascalCase(name);
    StringBuilder java = new StringBuilder();
    java.append("package ").append(LayoutClassWriter.PACKAGE).append(";\n\n");
    java.append("/** Values of the kernels' {@code enum ").append(name);
    java.append("}; generated from the source. */\n");
    java.append("public final class ").append(className).append(" {\n");
    values.forEach(
        (enumerator, value) -> {
          java.append("\n  /** Value of {@code ").append(enumerator).append("}. */\n");
          java.append("  public static final int ").append(JavaNames.constant(enumerator));
          java.append(" = ").append(value).append(";\n");
        });
    java.append("\n  private ").append(className).append("() {}\n}\n");
    return java.toString();
  }
}

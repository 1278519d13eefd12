package io.ariadne.kernelcompiler;

import java.util.Locale;

/** Converts snake-case names of the kernel sources to Java names. */
final class JavaNames {

  private JavaNames() {}

  /** Returns {@code FilterRowsArgs} for {@code filter_rows_args}. */
  static String pascalCase(String snakeCase) {
    StringBuilder name = new StringBuilder();
    for (String word : snakeCase.split("_")) {
      if (!word.isEmpty()) {
        name.append(Character.toUpperCase(word.charAt(0))).append(word.substring(1));
      }
    }
    return name.toString();
  }

  /** Returns {@code ROWS_OUT} for {@code rows_out}. */
  static String constant(String snakeCase) {
    return snakeCase.toUpperCase(Locale.ROOT);
  }
}

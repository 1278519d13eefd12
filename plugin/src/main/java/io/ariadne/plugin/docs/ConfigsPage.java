package io.ariadne.plugin.docs;

import io.ariadne.plugin.config.ConfigKey;
import io.ariadne.plugin.config.ConfigKey.Scope;
import io.ariadne.plugin.config.ConfigKeys;

/** The page about the settings. */
final class ConfigsPage {
  private ConfigsPage() {}

  static String text() {
    StringBuilder text = new StringBuilder(GenerateDocs.MARK);
    text.append("# Settings\n\n")
        .append("An application with an unknown key or an invalid value does not start.\n\n")
        .append("## Read when the application starts\n\n");
    table(text, Scope.APPLICATION);
    text.append("\n## Read for each query, from its session\n\n");
    table(text, Scope.SESSION);
    text.append("\n## For Ariadne's tests\n\n");
    table(text, Scope.TEST);
    return text.toString();
  }

  private static void table(StringBuilder text, Scope scope) {
    text.append("| Key | Default | Valid values | Effect |\n|---|---|---|---|\n");
    for (ConfigKey<?> key : ConfigKeys.ALL) {
      if (key.scope() == scope) {
        text.append("| `")
            .append(key.name())
            .append("` | ")
            .append(key.defaultText().isEmpty() ? "" : "`" + key.defaultText() + "`")
            .append(" | ")
            .append(key.validValues())
            .append(" | ")
            .append(key.doc())
            .append(" |\n");
      }
    }
  }
}

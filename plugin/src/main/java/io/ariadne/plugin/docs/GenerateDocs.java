package io.ariadne.plugin.docs;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** Writes the generated pages. */
public final class GenerateDocs {
  /** First line of every generated page. */
  static final String MARK = "<!-- Generated from the declarations. Do not edit. -->\n";

  private GenerateDocs() {}

  /** Returns the text of each page by file name. */
  public static Map<String, String> pages() {
    Map<String, String> pages = new TreeMap<>();
    pages.put("configs.md", ConfigsPage.text());
    pages.put("supported-ops.md", SupportedOpsPage.text());
    if (FunctionsPage.isOfThisLine()) {
      pages.put("functions.md", FunctionsPage.text());
    }
    return pages;
  }

  /**
   * Writes the pages.
   *
   * @param arguments the folder
   * @throws IOException when a page cannot be written
   */
  public static void main(String[] arguments) throws IOException {
    if (arguments.length != 1) {
      throw new IllegalArgumentException("one argument: the folder, usually docs");
    }
    for (Map.Entry<String, String> page : pages().entrySet()) {
      Files.writeString(
          Path.of(arguments[0], page.getKey()), page.getValue(), StandardCharsets.UTF_8);
    }
  }
}

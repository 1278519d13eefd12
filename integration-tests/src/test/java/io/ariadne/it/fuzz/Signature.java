package io.ariadne.it.fuzz;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * A function's signature, of which the sets of kinds have been replaced by kinds.
 *
 * @param kind of the result
 * @param text with <code>{}</code> for each argument
 * @param arguments what stands in their places: a kind's name, <code>#</code> and a kind's name for
 *     a constant, or the name of another constant
 */
record Signature(Kind kind, String text, List<String> arguments) {
  private static final Pattern ARGUMENT = Pattern.compile("\\{([^{}]*)}");
  private static final Set<String> SETS =
      Set.of("ANY", "ORDERED", "UNSIGNED", "FLAT", "NUMBER", "INTEGRAL", "FLOATING");

  /**
   * Reads a table of signatures.
   *
   * @param resource its name beside the tests, for example {@code functions.txt}
   * @return signatures by the kinds of their results
   */
  static Map<Kind, List<Signature>> table(String resource) {
    Map<Kind, List<Signature>> table = new EnumMap<>(Kind.class);
    for (String line : lines("/fuzz/" + resource)) {
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      String[] halves = line.split(" +", 2);
      for (Signature each : all(halves[0], halves[1])) {
        table.computeIfAbsent(each.kind(), any -> new ArrayList<>()).add(each);
      }
    }
    return table;
  }

  private static List<String> lines(String resource) {
    try (InputStream stream = Signature.class.getResourceAsStream(resource);
        BufferedReader reader =
            new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
      return reader.lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns a line's signatures: one for each kind of the set in it. */
  private static List<Signature> all(String result, String text) {
    Set<String> sets = new LinkedHashSet<>();
    if (SETS.contains(result)) {
      sets.add(result);
    }
    List<String> arguments =
        ARGUMENT.matcher(text).results().map((MatchResult found) -> found.group(1)).toList();
    for (String argument : arguments) {
      String name = argument.replace("#", "").replace(":type", "");
      if (SETS.contains(name)) {
        sets.add(name);
      }
    }
    if (sets.size() > 1) {
      throw new IllegalArgumentException("two sets of kinds in " + text);
    }
    if (sets.isEmpty()) {
      return List.of(of(result, text));
    }
    String set = sets.iterator().next();
    return Kind.set(set).stream()
        .map(kind -> of(result.replace(set, kind.name()), with(text, set, kind)))
        .toList();
  }

  private static String with(String text, String set, Kind kind) {
    return text.replace("{" + set + ":type}", kind.sql())
        .replace("{" + set + "}", "{" + kind + "}")
        .replace("{#" + set + "}", "{#" + kind + "}");
  }

  private static Signature of(String result, String text) {
    List<String> arguments = ARGUMENT.matcher(text).results().map(m -> m.group(1)).toList();
    return new Signature(Kind.valueOf(result), ARGUMENT.matcher(text).replaceAll("{}"), arguments);
  }
}

package io.ariadne.it.sqlfile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A file of queries, as {@link io.ariadne.it.sqlfile} describes.
 *
 * @param preparations statements that run once, in order
 * @param queries what is compared
 * @param combinations the settings of each run of all queries, at least one
 */
record SqlFile(
    List<String> preparations, List<Query> queries, List<Map<String, String>> combinations) {
  private static final Pattern DIRECTIVE = Pattern.compile("--([A-Z]+(?:_DIM\\d+)?)(?: +(.*))?");
  private static final Pattern QUERY = Pattern.compile("^(select|with|values|from)\\b.*");

  /**
   * A query and what is claimed of its run.
   *
   * @param sql its text
   * @param nodes names of nodes that must have run
   * @param bridged names of expressions that must have gone through Spark's code
   */
  record Query(String sql, Set<String> nodes, Set<String> bridged) {}

  /** Reads a file. */
  static SqlFile read(Path file) throws IOException {
    return new Parser(file.toString()).parse(Files.readAllLines(file));
  }

  private static final class Parser {
    private final String name;
    private final List<String> preparations = new ArrayList<>();
    private final List<Query> queries = new ArrayList<>();
    private final Map<String, String> settings = new TreeMap<>();
    private final Map<String, List<Map<String, String>>> dimensions = new TreeMap<>();
    private Set<String> nodes = Set.of();
    private Set<String> bridged = Set.of();

    Parser(String name) {
      this.name = name;
    }

    SqlFile parse(List<String> lines) {
      StringBuilder statement = new StringBuilder();
      for (int i = 0; i < lines.size(); i++) {
        String line = lines.get(i).stripTrailing();
        if (line.startsWith("--")) {
          direct(line, i + 1);
        } else {
          statement.append(line).append('\n');
          if (line.endsWith(";")) {
            end(statement.substring(0, statement.length() - 2).strip());
            statement.setLength(0);
          }
        }
      }
      if (!statement.toString().isBlank()) {
        throw new IllegalArgumentException(name + " ends within a statement: " + statement);
      }
      return new SqlFile(
          List.copyOf(preparations), List.copyOf(queries), combinations(settings, dimensions));
    }

    private void end(String sql) {
      String first = sql.lines().findFirst().orElse("").toLowerCase(Locale.ROOT);
      if (QUERY.matcher(first).matches()) {
        queries.add(new Query(sql, nodes, bridged));
      } else {
        preparations.add(sql);
      }
    }

    /** Obeys a directive; what begins otherwise is a comment. */
    private void direct(String line, int number) {
      Matcher directive = DIRECTIVE.matcher(line);
      if (!directive.matches()) {
        return;
      }
      String values = directive.group(2) == null ? "" : directive.group(2);
      switch (directive.group(1)) {
        case "SET" -> settings.putAll(pairs(values));
        case "RAN" -> nodes = names(values);
        case "BRIDGED" -> bridged = names(values);
        default -> {
          if (!directive.group(1).startsWith("CONFIG_DIM")) {
            throw new IllegalArgumentException(name + ":" + number + ": unknown " + line);
          }
          dimensions
              .computeIfAbsent(directive.group(1), any -> new ArrayList<>())
              .add(pairs(values));
        }
      }
    }

    private static Set<String> names(String list) {
      Set<String> names = new TreeSet<>(Arrays.asList(list.split("\\s*,\\s*")));
      names.remove("");
      return names;
    }

    private static Map<String, String> pairs(String list) {
      Map<String, String> pairs = new LinkedHashMap<>();
      for (String setting : list.split(",")) {
        String[] pair = setting.split("=", 2);
        pairs.put(pair[0].strip(), pair[1].strip());
      }
      return pairs;
    }
  }

  private static List<Map<String, String>> combinations(
      Map<String, String> settings, Map<String, List<Map<String, String>>> dimensions) {
    List<Map<String, String>> combinations = List.of(settings);
    for (List<Map<String, String>> values : dimensions.values()) {
      List<Map<String, String>> longer = new ArrayList<>();
      for (Map<String, String> some : combinations) {
        for (Map<String, String> value : values) {
          Map<String, String> both = new TreeMap<>(some);
          both.putAll(value);
          longer.add(both);
        }
      }
      combinations = longer;
    }
    return List.copyOf(combinations);
  }
}

package io.ariadne.kernelcompiler;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses the output of clang's {@code -fdump-record-layouts-complete}. Clang does not guarantee the
 * format. It is safe here because the LLVM version is fixed, and because C++ assertions check every
 * offset on every target.
 */
final class RecordLayouts {

  private static final String RECORD_HEADER = "*** Dumping AST Record Layout";
  private static final Pattern LINE = Pattern.compile("^\\s*(\\d+)(:[\\d-]+)? \\|( +)(.*)$");
  private static final Pattern SIZE = Pattern.compile("\\[sizeof=(\\d+),.* align=(\\d+),");
  private static final Pattern RECORD_NAME =
      Pattern.compile("^(?:struct|class|union) ([A-Za-z_][A-Za-z0-9_:]*)$");
  private static final Pattern FIELD =
      Pattern.compile("^(.*?)(\\[\\d+\\](?:\\[\\d+\\])*)? ?\\b([A-Za-z_][A-Za-z0-9_]*)$");
  private static final int DIRECT_FIELD_INDENT = 3;

  private RecordLayouts() {}

  /** Returns the named structs of a dump by unqualified name. */
  static Map<String, RecordLayout> parse(String dump) {
    Map<String, RecordLayout> layouts = new LinkedHashMap<>();
    for (String block : dump.split(Pattern.quote(RECORD_HEADER))) {
      parseBlock(block).ifPresent(layout -> layouts.put(layout.name(), layout));
    }
    return layouts;
  }

  private static Optional<RecordLayout> parseBlock(String block) {
    String qualifiedName = null;
    List<RecordLayout.Field> fields = new ArrayList<>();
    Matcher size = SIZE.matcher(block);
    for (String text : block.split("\n")) {
      Matcher line = LINE.matcher(text);
      if (!line.matches()) {
        continue;
      }
      if (qualifiedName == null) {
        Matcher name = RECORD_NAME.matcher(line.group(4).strip());
        if (!name.matches()) {
          return Optional.empty();
        }
        qualifiedName = name.group(1);
      } else if (line.group(3).length() == DIRECT_FIELD_INDENT) {
        fields.add(parseField(line));
      }
    }
    if (qualifiedName == null || !size.find()) {
      return Optional.empty();
    }
    String name = qualifiedName.substring(qualifiedName.lastIndexOf(':') + 1);
    return Optional.of(
        new RecordLayout(
            name,
            qualifiedName,
            Integer.parseInt(size.group(1)),
            Integer.parseInt(size.group(2)),
            fields));
  }

  private static RecordLayout.Field parseField(Matcher line) {
    Matcher field = FIELD.matcher(line.group(4).strip());
    int offset = Integer.parseInt(line.group(1));
    if (!field.matches() || line.group(2) != null) {
      return new RecordLayout.Field("", offset, line.group(4), OptionalInt.empty());
    }
    String dimensions = field.group(2);
    OptionalInt length = OptionalInt.empty();
    if (dimensions != null && dimensions.indexOf('[', 1) < 0) {
      length = OptionalInt.of(Integer.parseInt(dimensions.substring(1, dimensions.length() - 1)));
    }
    return new RecordLayout.Field(field.group(3), offset, field.group(1).strip(), length);
  }
}

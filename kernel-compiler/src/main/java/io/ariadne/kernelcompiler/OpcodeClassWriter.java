package io.ariadne.kernelcompiler;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Converts a list of {@code OPCODE(NAME, number, "what it does")} lines into a Java enum, so that
 * the interpreters and the Java compiler of programs cannot disagree on a number.
 */
final class OpcodeClassWriter {

  private static final Pattern OPCODE =
      Pattern.compile("^\\s*OPCODE\\(\\s*(\\w+)\\s*,\\s*(\\d+)\\s*,\\s*\"([^\"]*)\"\\s*\\)");
  private static final int MAX_CODE = 255;

  private record Opcode(String name, int code, String doc) {}

  private OpcodeClassWriter() {}

  /**
   * Returns the source of the enum.
   *
   * @param className simple name of the enum
   * @param definitions content of the definition file; comments and blank lines are skipped
   */
  static String source(String className, String definitions) {
    List<Opcode> opcodes = parse(definitions);
    StringBuilder java = new StringBuilder();
    java.append("package ").append(LayoutClassWriter.PACKAGE).append(";\n\n");
    java.append("/** Operations of a tile program; generated from the kernel sources. */\n");
    java.append("public enum ").append(className).append(" {\n");
    for (int i = 0; i < opcodes.size(); i++) {
      Opcode opcode = opcodes.get(i);
      java.append("  /** ").append(javadoc(opcode.doc())).append(" */\n  ");
      java.append(opcode.name()).append('(').append(opcode.code()).append(')');
      java.append(i + 1 < opcodes.size() ? ",\n" : ";\n");
    }
    java.append("\n  private static final ").append(className).append("[] BY_CODE = new ");
    java.append(className).append("[").append(MAX_CODE + 1).append("];\n\n  static {\n");
    java.append("    for (").append(className).append(" opcode : values()) {\n");
    java.append("      BY_CODE[opcode.code] = opcode;\n    }\n  }\n\n");
    java.append("  private final int code;\n\n  ").append(className);
    java.append("(int code) {\n    this.code = code;\n  }\n\n");
    java.append("  /** Returns the byte that encodes this operation. */\n");
    java.append("  public int code() {\n    return code;\n  }\n\n");
    java.append("  /**\n   * Returns the operation of a byte.\n   *\n");
    java.append("   * @throws IllegalArgumentException when no operation has that code\n   */\n");
    java.append("  public static ").append(className).append(" byCode(int code) {\n");
    java.append("    if (code < 0 || code > ").append(MAX_CODE);
    java.append(" || BY_CODE[code] == null) {\n");
    java.append("      throw new IllegalArgumentException(\"no operation has code \" + code);\n");
    java.append("    }\n    return BY_CODE[code];\n  }\n}\n");
    return java.toString();
  }

  private static List<Opcode> parse(String definitions) {
    List<Opcode> opcodes = new ArrayList<>();
    Set<Object> taken = new HashSet<>();
    for (String line : definitions.split("\n")) {
      if (!line.strip().startsWith("OPCODE(")) {
        continue;
      }
      Matcher matcher = OPCODE.matcher(line);
      if (!matcher.find()) {
        throw new KernelBuildException("not an opcode definition on one line: " + line);
      }
      Opcode opcode =
          new Opcode(matcher.group(1), Integer.parseInt(matcher.group(2)), matcher.group(3));
      if (opcode.code() > MAX_CODE || !taken.add(opcode.code()) || !taken.add(opcode.name())) {
        throw new KernelBuildException("opcode out of range or defined twice: " + line);
      }
      opcodes.add(opcode);
    }
    if (opcodes.isEmpty()) {
      throw new KernelBuildException("no OPCODE line in the definitions");
    }
    return opcodes;
  }

  private static String javadoc(String doc) {
    return doc.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("@", "(at)");
  }
}

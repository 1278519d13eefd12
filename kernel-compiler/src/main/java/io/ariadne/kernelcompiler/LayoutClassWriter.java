package io.ariadne.kernelcompiler;

import java.util.Map;
import java.util.OptionalInt;

/** Writes the Java class of one struct: its size, and offset, length and stride of its fields. */
final class LayoutClassWriter {

  /** The package of every generated class. */
  static final String PACKAGE = "io.ariadne.kernel.abi";

  private static final Map<String, Integer> BASIC_SIZES =
      Map.ofEntries(
          Map.entry("char", 1),
          Map.entry("u8", 1),
          Map.entry("i8", 1),
          Map.entry("u16", 2),
          Map.entry("i16", 2),
          Map.entry("u32", 4),
          Map.entry("i32", 4),
          Map.entry("u64", 8),
          Map.entry("i64", 8),
          Map.entry("u128", 16),
          Map.entry("i128", 16),
          Map.entry("f32", 4),
          Map.entry("f64", 8),
          Map.entry("float", 4),
          Map.entry("double", 8));

  private final Map<String, RecordLayout> known;

  /**
   * Creates a writer.
   *
   * @param known all structs, to find the stride of arrays of structs
   */
  LayoutClassWriter(Map<String, RecordLayout> known) {
    this.known = Map.copyOf(known);
  }

  /** Returns the simple name of the class of a struct. */
  static String className(RecordLayout layout) {
    return JavaNames.pascalCase(layout.name()) + "Layout";
  }

  /** Returns the source of the class of a struct. */
  String source(RecordLayout layout) {
    StringBuilder java = new StringBuilder();
    java.append("package ").append(PACKAGE).append(";\n\n");
    java.append("/** Memory layout of the kernels' {@code struct ").append(layout.name());
    java.append("}; generated from the compiled source. */\n");
    java.append("public final class ").append(className(layout)).append(" {\n");
    constant(java, "Size of the struct.", "SIZE_IN_BYTES", layout.sizeInBytes());
    constant(java, "Alignment of the struct.", "ALIGNMENT_IN_BYTES", layout.alignmentInBytes());
    for (RecordLayout.Field field : layout.fields()) {
      if (!field.name().isEmpty()) {
        fieldConstants(java, field);
      }
    }
    java.append("\n  private ").append(className(layout)).append("() {}\n}\n");
    return java.toString();
  }

  private void fieldConstants(StringBuilder java, RecordLayout.Field field) {
    String name = JavaNames.constant(field.name());
    constant(
        java, "Offset of {@code " + field.name() + "}.", name + "_OFFSET", field.offsetInBytes());
    if (field.length().isPresent()) {
      constant(
          java,
          "Elements of {@code " + field.name() + "}.",
          name + "_LENGTH",
          field.length().getAsInt());
      OptionalInt stride = stride(field.elementType());
      if (stride.isPresent()) {
        constant(
            java,
            "Bytes from one element of {@code " + field.name() + "} to the next.",
            name + "_STRIDE",
            stride.getAsInt());
      }
    }
  }

  private OptionalInt stride(String elementType) {
    if (elementType.endsWith("*") || elementType.endsWith("*__restrict")) {
      return OptionalInt.of(Long.BYTES);
    }
    String name = elementType.substring(elementType.lastIndexOf(':') + 1);
    name = name.substring(name.lastIndexOf(' ') + 1);
    if (known.containsKey(name)) {
      return OptionalInt.of(known.get(name).sizeInBytes());
    }
    Integer basic = BASIC_SIZES.get(name);
    return basic == null ? OptionalInt.empty() : OptionalInt.of(basic);
  }

  private static void constant(StringBuilder java, String doc, String name, int value) {
    java.append("\n  /** ").append(doc).append(" */\n  public static final int ");
    java.append(name).append(" = ").append(value).append(";\n");
  }
}

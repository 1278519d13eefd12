package io.ariadne.kernelcompiler;

import java.nio.file.Path;
import java.util.Collection;

/**
 * Writes the C++ source that asserts read layouts again, for a compiler run on each target: it
 * guards against a misread dump and against a struct that differs between targets.
 */
final class LayoutAssertions {

  private LayoutAssertions() {}

  /**
   * Returns a source that includes a kernel source and asserts structs that it defines.
   *
   * @param kernelSource the file that the structs were read from, relative to the folder of the
   *     written source
   * @param layouts the structs
   */
  static String source(Path kernelSource, Collection<RecordLayout> layouts) {
    StringBuilder text = new StringBuilder();
    text.append("#include \"").append(kernelSource).append("\"\n");
    for (RecordLayout layout : layouts) {
      String type = "::" + layout.qualifiedName();
      text.append("static_assert(sizeof(").append(type).append(") == ");
      text.append(layout.sizeInBytes()).append(");\n");
      for (RecordLayout.Field field : layout.fields()) {
        if (!field.name().isEmpty()) {
          assertField(text, type, field);
        }
      }
    }
    return text.toString();
  }

  private static void assertField(StringBuilder text, String type, RecordLayout.Field field) {
    text.append("static_assert(__builtin_offsetof(").append(type).append(", ");
    text.append(field.name()).append(") == ").append(field.offsetInBytes()).append(");\n");
    if (field.length().isPresent()) {
      String member = "((" + type + "*)nullptr)->" + field.name();
      text.append("static_assert(sizeof(").append(member).append(") / sizeof(").append(member);
      text.append("[0]) == ").append(field.length().getAsInt()).append(");\n");
    }
  }
}

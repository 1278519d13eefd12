package io.ariadne.kernelcompiler;

import java.nio.file.Path;
import java.util.Collection;

/**
 * Writes the C++ source that puts the layouts of structs into a host library, as the compiler of
 * that library computes them, so that a running JVM can compare them with its own.
 */
final class LayoutTables {

  private LayoutTables() {}

  /**
   * Returns a source that includes a kernel source without its kernels and leaves a record of each
   * field in the section {@code ariadne_layouts}.
   *
   * @param kernelSource the file that the structs were read from, relative to the folder of the
   *     written source: a moved checkout then keeps what it compiled
   * @param layouts the structs, at least one
   */
  static String source(Path kernelSource, Collection<RecordLayout> layouts) {
    StringBuilder text = new StringBuilder();
    text.append("#include \"target/layout_record.cuh\"\n#include \"target/target.cuh\"\n");
    text.append("#undef ARIADNE_KERNEL\n#undef ARIADNE_KERNEL_TAKING\n");
    text.append("#define ARIADNE_KERNEL(NAME, ...) ARIADNE_KERNEL_TAKING(NAME##_args, NAME)\n");
    text.append("#define ARIADNE_KERNEL_TAKING(ARGS, NAME, ...) ");
    text.append("[[maybe_unused]] static void NAME(const ARGS& args)\n");
    text.append("#include \"").append(kernelSource).append("\"\n");
    text.append("__attribute__((section(\"ariadne_layouts\"), used, retain)) ");
    text.append("static const layout_record records[] = {\n");
    for (RecordLayout layout : layouts) {
      String type = "::" + layout.qualifiedName();
      for (RecordLayout.Field field : layout.fields()) {
        text.append("    {\"").append(layout.name()).append("\", \"").append(field.name());
        text.append("\", __builtin_offsetof(").append(type).append(", ").append(field.name());
        text.append("), sizeof(").append(type).append("), 0},\n");
      }
    }
    return text.append("};\n").toString();
  }
}

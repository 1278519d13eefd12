package io.ariadne.kernelcompiler;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Checks rules about kernel sources that no compiler flag can check. Code that depends on the
 * target belongs in {@code target/}. Memory orders appear only where they are known to compile
 * correctly, because the PTX back end silently drops acquire and release of {@code __atomic_*}.
 */
final class SourceLint {

  private static final int MAX_FILE_LINES = 600;
  private static final int MAX_LINE_LENGTH = 100;

  /** Folders of code that depends on the target, or runs only in tests on one processor. */
  private static final List<String> UNRESTRICTED =
      List.of("target/", "emulator/", "driver/", "storage/");

  private record Ban(Pattern pattern, String reason) {}

  private static final List<Ban> OUTSIDE_TARGET =
      List.of(
          new Ban(
              Pattern.compile("__ATOMIC_(ACQUIRE|RELEASE|ACQ_REL|SEQ_CST|CONSUME)|__sync_\\w+"),
              "memory order other than relaxed belongs to target/"),
          new Ban(
              Pattern.compile(
                  "\\b(__nvvm_|__builtin_ia32_|__builtin_aarch64_|__builtin_neon_)\\w+"),
              "intrinsics of one processor belong to target/"),
          new Ban(
              Pattern.compile("\\b(__)?asm(__)?\\b(\\s+volatile)?\\s*\\("),
              "inline assembly belongs to target/"),
          new Ban(
              Pattern.compile("\\b__(syncthreads|shfl|ballot|activemask|threadfence)\\w*"),
              "use the names of target/"),
          new Ban(
              Pattern.compile("\\b__constant__\\b|address_space\\("),
              "use static constexpr tables and the pointers of target/"));

  private static final Pattern ATOMIC_CALL = Pattern.compile("\\b__(c11_|hip_)?atomic_\\w+\\s*\\(");
  private static final Pattern CONDITIONAL = Pattern.compile("^\\s*#\\s*(if|ifdef|ifndef|elif)\\b");
  private static final Pattern TARGET_MACRO =
      Pattern.compile("ARIADNE_TARGET_|__CUDA|__NVPTX|__x86_64|__aarch64|__AVX|__SSE|__ARM");
  private static final Pattern VARIANT_INCLUDE =
      Pattern.compile(
          "^\\s*#\\s*(include \".*\\.(host|gpu)\\.cuh\"|else|elif.*|error.*|endif)\\s*$");

  private SourceLint() {}

  /**
   * Returns the faults of one file, each with its line; empty when there are none.
   *
   * @param name path relative to the kernel root, with forward slashes
   * @param source content of the file
   */
  static List<String> check(String name, String source) {
    List<String> faults = new ArrayList<>();
    if (UNRESTRICTED.stream().anyMatch(name::startsWith)) {
      return faults;
    }
    String text = SourceText.withoutComments(source);
    for (Ban ban : OUTSIDE_TARGET) {
      Matcher matcher = ban.pattern().matcher(text);
      while (matcher.find()) {
        faults.add(fault(name, text, matcher.start(), matcher.group() + ": " + ban.reason()));
      }
    }
    checkAtomics(name, text, faults);
    checkConditionals(name, text, faults);
    return faults;
  }

  /** Returns the excess lengths of one file. Definition tables ({@code .def}) have no limit. */
  static List<String> checkSize(String name, String source) {
    List<String> faults = new ArrayList<>();
    if (name.endsWith(".def")) {
      return faults;
    }
    String[] lines = source.split("\n");
    if (lines.length > MAX_FILE_LINES) {
      faults.add(name + ": " + lines.length + " lines; the limit is " + MAX_FILE_LINES);
    }
    for (int i = 0; i < lines.length; i++) {
      if (lines[i].length() > MAX_LINE_LENGTH) {
        faults.add(name + ":" + (i + 1) + ": line longer than " + MAX_LINE_LENGTH);
      }
    }
    return faults;
  }

  private static void checkAtomics(String name, String text, List<String> faults) {
    Matcher call = ATOMIC_CALL.matcher(text);
    while (call.find()) {
      String arguments = text.substring(call.end(), endOfCall(text, call.end()));
      if (!arguments.contains("__ATOMIC_RELAXED")) {
        faults.add(fault(name, text, call.start(), "atomic built-in without __ATOMIC_RELAXED"));
      }
    }
  }

  private static int endOfCall(String text, int start) {
    int depth = 1;
    int i = start;
    while (i < text.length() && depth > 0) {
      char c = text.charAt(i++);
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    }
    return i;
  }

  private static void checkConditionals(String name, String text, List<String> faults) {
    String[] lines = text.split("\n");
    for (int i = 0; i < lines.length; i++) {
      if (CONDITIONAL.matcher(lines[i]).find()
          && TARGET_MACRO.matcher(lines[i]).find()
          && !choosesVariantOnly(lines, i)) {
        faults.add(
            name
                + ":"
                + (i + 1)
                + ": a condition on the target belongs to target/ (elsewhere it"
                + " may only choose between including x.host.cuh and x.gpu.cuh)");
      }
    }
  }

  private static boolean choosesVariantOnly(String[] lines, int conditional) {
    for (int i = conditional + 1; i < lines.length; i++) {
      if (lines[i].strip().startsWith("#endif")) {
        return true;
      }
      if (!lines[i].isBlank() && !VARIANT_INCLUDE.matcher(lines[i]).matches()) {
        return false;
      }
    }
    return false;
  }

  private static String fault(String name, String text, int position, String what) {
    return name + ":" + SourceText.lineOf(text, position) + ": " + what;
  }
}

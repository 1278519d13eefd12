package io.ariadne.kernelcompiler;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses the PTX of one family. */
final class PtxText {

  private static final String ENTRY_DIRECTIVE = ".visible .entry";
  private static final Pattern ENTRY = Pattern.compile("\\.visible \\.entry (\\w+)\\(");
  private static final Pattern BLOCK = Pattern.compile("\\.maxntid (\\d+)");
  private static final Pattern EXTERN = Pattern.compile("\\.extern \\.func[^;]*?(\\w+)\\s*\\(");
  private static final Pattern SYSTEM_SCOPE =
      Pattern.compile("(?:atom|red|ld|st|fence)\\S*\\.sys\\S*");
  private static final Pattern ITEMS = Pattern.compile("// items (\\d+)");
  private static final int DEFAULT_BLOCK = 256;

  /**
   * One kernel of the PTX.
   *
   * @param name of the entry
   * @param block threads per block that it is compiled for; 256 when the PTX does not have the
   *     number
   * @param items rows that a thread processes at a time; 1 when the PTX does not have the number
   */
  record Kernel(String name, int block, int items) {}

  private PtxText() {}

  /** Returns the kernels in order of appearance. */
  static List<Kernel> kernels(String ptx) {
    List<Kernel> kernels = new ArrayList<>();
    Matcher entry = ENTRY.matcher(ptx);
    while (entry.find()) {
      int body = ptx.indexOf('{', entry.end());
      Matcher block = BLOCK.matcher(ptx.substring(entry.end(), body));
      int threads = block.find() ? Integer.parseInt(block.group(1)) : DEFAULT_BLOCK;
      int end = ptx.indexOf(ENTRY_DIRECTIVE, body);
      Matcher items = ITEMS.matcher(ptx.substring(body, end < 0 ? ptx.length() : end));
      int rows = items.find() ? Integer.parseInt(items.group(1)) : 1;
      kernels.add(new Kernel(entry.group(1), threads, rows));
    }
    return kernels;
  }

  /** Returns the forbidden content: unresolved calls, and system scope, which is slow. */
  static List<String> faults(String family, String ptx) {
    List<String> faults = new ArrayList<>();
    Matcher extern = EXTERN.matcher(ptx);
    while (extern.find()) {
      faults.add(family + ".ptx calls " + extern.group(1) + ", which nothing defines on a GPU");
    }
    Matcher scope = SYSTEM_SCOPE.matcher(ptx);
    while (scope.find()) {
      faults.add(family + ".ptx has system scope: " + scope.group());
    }
    return faults;
  }
}

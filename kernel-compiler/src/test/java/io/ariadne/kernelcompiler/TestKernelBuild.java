package io.ariadne.kernelcompiler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Builds a module of two small kernels with the real compiler. */
class TestKernelBuild {

  private static final String TARGET =
      """
      #pragma once
      struct kernel_status { unsigned long long error; };
      #if defined(ARIADNE_TARGET_CUDA)
      #define DEVICE __attribute__((device)) inline
      #define ARIADNE_KERNEL(NAME) extern "C" __attribute__((global)) void NAME( \\
          const __attribute__((grid_constant)) NAME##_args args)
      #else
      #define DEVICE inline
      #define ARIADNE_KERNEL(NAME) \\
        static void NAME##_body(const NAME##_args& args); \\
        extern "C" void NAME(const NAME##_args* p) { NAME##_body(*p); } \\
        static void NAME##_body(const NAME##_args& args)
      #endif
      """;

  private static final String LAYOUT_RECORD =
      """
      #pragma once
      struct layout_record {
        const char* structure; const char* field; unsigned offset; unsigned bytes; long reserved;
      };
      """;

  private static final String FIRST =
      """
      #include "element/twice.cuh"
      #include "target/target.cuh"
      struct first_args { kernel_status* status; int* out; unsigned char flags[3]; };
      ARIADNE_KERNEL(first) { *args.out = twice(*args.out); }
      """;

  private static final String SECOND =
      """
      #include "target/target.cuh"
      struct second_args { kernel_status* status; double* out; };
      ARIADNE_KERNEL(second) { *args.out = *args.out * 2.0 + 1.0; }
      """;

  private static final String TWICE =
      "#pragma once\n#include \"target/target.cuh\"\n"
          + "DEVICE int twice(int x) { return x + x; }\n";

  @TempDir Path module;

  private final List<String> log = new ArrayList<>();

  @BeforeEach
  void writeSources() throws IOException {
    write("target/target.cuh", TARGET);
    write("target/layout_record.cuh", LAYOUT_RECORD);
    write("element/twice.cuh", TWICE);
    write("sample/first.cu", FIRST);
    write("sample/second.cu", SECOND);
    Files.createDirectories(module.resolve("src/main/cpp"));
    Files.writeString(
        module.resolve("src/main/cpp/host_jni.cpp"),
        "extern \"C\" __attribute__((visibility(\"default\"))) int Java_io_ariadne_X_f() {"
            + " return 1; }\n");
  }

  @Test
  void buildsEveryTargetAndThenNothing() throws IOException {
    build(KernelBuild.Mode.CHECK);
    Path output = module.resolve("target/classes/io/ariadne/native");
    for (String file :
        List.of(
            "linux-x86_64/libariadne_v3.so",
            "linux-x86_64/libariadne_v4.so",
            "linux-aarch64/libariadne_armv8.so",
            "cuda/first.ptx",
            "cuda/first.sm_80.cubin",
            "cuda/second.sm_90.cubin",
            "manifest.json")) {
      assertTrue(Files.size(output.resolve(file)) > 0, file);
    }
    String layout = Files.readString(generated("FirstArgsLayout.java"));
    assertTrue(layout.contains("int FLAGS_OFFSET = 16;"), layout);
    assertTrue(Files.exists(generated("KernelCatalog.java")));
    Path v3 = output.resolve("linux-x86_64/libariadne_v3.so");
    assertEquals(5 * 32, ElfSections.read(v3).contentOf("ariadne_layouts").length, "five fields");
    assertEquals(0, ranInAnotherBuild());
  }

  @Test
  void aCopyCompilesNothingAgain(@TempDir Path elsewhere) throws IOException {
    build(KernelBuild.Mode.CHECK);
    Path copy = elsewhere.resolve("copy");
    try (Stream<Path> files = Files.walk(module)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Files.copy(file, copy.resolve(module.relativize(file)));
      }
    }
    module = copy;
    assertEquals(0, ranInAnotherBuild());
    write("element/twice.cuh", TWICE.replace("x + x", "x * 2 + 0"));
    assertTrue(ranInAnotherBuild() > 0, "the copy's own header counts");
  }

  @Test
  void aRebuildRunsOnlyTheStepsThatReadAChangedHeader() throws IOException {
    build(KernelBuild.Mode.CHECK);
    int all = stepsRun();
    write("element/twice.cuh", TWICE.replace("x + x", "x * 2 + 0"));
    int some = ranInAnotherBuild();
    assertTrue(some > 0 && some < all, some + " of " + all);
    Path second = module.resolve("target/kernels/object/v3/second.o");
    assertTrue(Files.exists(second));
    write("sample/second.cu", SECOND.replace("second", "third"));
    Files.move(source("sample/second.cu"), source("sample/third.cu"));
    build(KernelBuild.Mode.CHECK);
    Path cuda = module.resolve("target/classes/io/ariadne/native/cuda");
    assertTrue(Files.exists(cuda.resolve("third.ptx")));
    assertFalse(Files.exists(cuda.resolve("second.ptx")));
    assertFalse(Files.exists(generated("SecondArgsLayout.java")));
  }

  @Test
  void floatingPointContractionIsOff() throws IOException {
    build(KernelBuild.Mode.CHECK);
    String ptx =
        Files.readString(module.resolve("target/classes/io/ariadne/native/cuda/second.ptx"));
    assertFalse(ptx.contains("fma"), ptx);
  }

  @Test
  void headersOfTheMachineCannotBeReached() throws IOException {
    write("sample/second.cu", "#include <string.h>\n" + SECOND);
    assertFailure("'string.h' file not found");
    Path foreign = Files.writeString(module.resolve("foreign.h"), "// not a kernel source\n");
    write("sample/second.cu", "#include \"" + foreign + "\"\n" + SECOND);
    assertFailure("outside the kernel sources");
  }

  @Test
  void unresolvedCallsFailTheBuild() throws IOException {
    write(
        "sample/second.cu",
        "#include \"target/target.cuh\"\n"
            + "struct second_args { kernel_status* status; __int128* out; };\n"
            + "ARIADNE_KERNEL(second) { *args.out = *args.out / (*args.out + 3); }\n");
    assertFailure("needs __divti3");
  }

  @Test
  void fieldsThatJavaCannotAddressFailTheBuild() throws IOException {
    write("sample/second.cu", SECOND.replace("double* out;", "double* out; int low : 3;"));
    assertFailure("is not a plain field");
    write(
        "sample/second.cu",
        SECOND.replace(
            "struct second_args {", "struct base { int x; };\nstruct second_args : base {"));
    assertFailure("is not a plain field");
  }

  @Test
  void aStackFrameFailsTheBuild() throws IOException {
    write(
        "sample/second.cu",
        """
        #include "target/target.cuh"
        struct second_args { kernel_status* status; int* out; int at; };
        ARIADNE_KERNEL(second) {
          int a[64];
          for (int i = 0; i < 64; i++) a[i] = args.out[i];
          *args.out = a[args.at];
        }
        """);
    assertFailure("has a stack frame of 256 bytes");
  }

  @Test
  void recordedBudgetsHold() throws IOException {
    build(KernelBuild.Mode.RECORD);
    Path budgets = source("sass-budgets.tsv");
    String recorded = Files.readString(budgets);
    assertEquals(1 + 2 * 4, recorded.lines().count());
    Files.writeString(budgets, recorded.replaceAll("(first\tsm_90\t)\\d+", "$11"));
    assertFailure("first on sm_90 uses");
  }

  @Test
  void buildsWithoutPathAndWithoutAnyVariable() throws Exception {
    Path java = Path.of(System.getProperty("java.home"), "bin/java");
    ProcessBuilder builder =
        new ProcessBuilder(
            java.toString(),
            "-cp",
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
            KernelCompiler.class.getName(),
            "--module=" + module,
            "--target=" + module.resolve("target"),
            "--llvm-cache=" + cache());
    builder.environment().clear();
    builder.environment().put("PATH", "/nonexistent");
    Process process = builder.redirectErrorStream(true).start();
    String words = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(process.waitFor(2, TimeUnit.MINUTES));
    assertEquals(0, process.exitValue(), words);
  }

  private void build(KernelBuild.Mode mode) throws IOException {
    log.clear();
    Path target = module.resolve("target");
    BuildFolders folders =
        new BuildFolders(
            module,
            target.resolve("classes"),
            target.resolve("test-classes"),
            target.resolve("generated-sources"),
            target.resolve("generated-test-sources"),
            target.resolve("kernels"),
            cache());
    new KernelBuild(folders, mode, log::add).run();
  }

  private void assertFailure(String words) {
    KernelBuildException e =
        assertThrows(KernelBuildException.class, () -> build(KernelBuild.Mode.CHECK));
    assertTrue(e.getMessage().contains(words), e.getMessage());
  }

  private int ranInAnotherBuild() throws IOException {
    build(KernelBuild.Mode.CHECK);
    return stepsRun();
  }

  private int stepsRun() {
    String line = log.get(log.size() - 1);
    return Integer.parseInt(line.replaceAll(".* (\\d+) of \\d+ steps ran.*", "$1"));
  }

  private static Path cache() {
    return KernelCompiler.llvmCache("", Map.of());
  }

  private Path generated(String file) {
    return module.resolve("target/generated-sources/io/ariadne/kernel/abi").resolve(file);
  }

  private Path source(String name) {
    return module.resolve("src/main/cuda").resolve(name);
  }

  private void write(String name, String text) throws IOException {
    Path file = source(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}

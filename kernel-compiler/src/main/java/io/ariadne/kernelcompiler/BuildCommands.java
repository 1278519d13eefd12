package io.ariadne.kernelcompiler;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Builds the command lines of the build: every flag of clang, lld and the assembler. */
final class BuildCommands {

  /**
   * The GPU architectures with machine code; on other architectures the driver compiles the PTX
   * when it loads it.
   */
  static final List<String> ARCHITECTURES = List.of("sm_80", "sm_86", "sm_89", "sm_90");

  private final LlvmDistribution llvm;
  private final BuildFolders folders;
  private final KernelSources sources;

  BuildCommands(LlvmDistribution llvm, BuildFolders folders, KernelSources sources) {
    this.llvm = llvm;
    this.folders = folders;
    this.sources = sources;
  }

  /** Returns the step that compiles a kernel file to an object or, for CUDA, to PTX. */
  BuildStep kernel(KernelTarget target, Path source) {
    String family = KernelSources.family(source);
    boolean isCuda = target == KernelTarget.CUDA;
    Path output = objectFolder(target).resolve(family + (isCuda ? ".ptx" : ".o"));
    List<String> command = clang(kernelFlags(target, family));
    command.addAll(List.of(isCuda ? "-S" : "-c", source.toString(), "-o", output.toString()));
    return compile(target, source, command, output);
  }

  /** Returns the step that compiles a source of the library around the kernels. */
  BuildStep runtime(KernelTarget target, Path source) {
    Path output = objectFolder(target).resolve("runtime-" + KernelSources.family(source) + ".o");
    List<String> command = clang(target.runtimeFlags());
    command.addAll(List.of("-c", source.toString(), "-o", output.toString()));
    return compile(target, source, command, output);
  }

  /** Returns the step that compiles a source of the fake CUDA driver or the fake libcufile. */
  BuildStep driver(Path source) {
    Path folder = folders.driverSources().getParent();
    String object = folder.relativize(source).toString().replaceAll("\\.[^.]*$", ".o");
    Path output = folders.work().resolve("object").resolve(object);
    List<String> command = clang(KernelTarget.EMULATED.runtimeFlags());
    command.add("-I" + folder);
    command.addAll(List.of("-c", source.toString(), "-o", output.toString()));
    return compile(KernelTarget.EMULATED, source, command, output);
  }

  /** Returns the step that prints the layout of every struct a source defines. */
  BuildStep layoutDump(KernelTarget target, Path source) {
    Path output = folders.work().resolve("layout/" + KernelSources.family(source) + ".txt");
    List<String> command = clang(target.runtimeFlags());
    command.addAll(
        List.of("-Xclang", "-fdump-record-layouts-complete", "-fsyntax-only", "-MD", "-MF"));
    command.add(BuildStep.depfileOf(output).toString());
    command.addAll(List.of("-MT", "layout", source.toString()));
    return BuildStep.print("layouts of " + source, command, source, output);
  }

  /** Returns the step that checks the asserted layouts on a target. */
  BuildStep layoutCheck(KernelTarget target, Path assertions) {
    Path output =
        folders
            .work()
            .resolve("layout/" + assertions.getFileName() + "." + target.label() + ".checked");
    List<String> command = clang(target.runtimeFlags());
    command.addAll(List.of("-Wno-null-dereference", "-fsyntax-only", "-MD", "-MF"));
    command.add(BuildStep.depfileOf(output).toString());
    command.addAll(List.of("-MT", "layout", assertions.toString()));
    return BuildStep.print(
        "layouts in " + assertions.getFileName() + " on " + target.label(),
        command,
        assertions,
        output);
  }

  /** Returns the step that links objects to a library. */
  BuildStep link(KernelTarget target, List<Path> objects, Path library) {
    List<String> command =
        new ArrayList<>(
            List.of(
                llvm.program("lld"),
                "-flavor",
                "gnu",
                "-m",
                target == KernelTarget.HOST_ARM ? "aarch64linux" : "elf_x86_64",
                "-shared",
                "-z",
                "now",
                "-z",
                "relro",
                "-z",
                "noexecstack",
                "--hash-style=gnu",
                "-soname",
                library.getFileName().toString()));
    objects.forEach(object -> command.add(object.toString()));
    command.addAll(List.of("-o", library.toString()));
    return new BuildStep(
        "link " + library.getFileName(),
        command,
        objects,
        Optional.empty(),
        Optional.empty(),
        List.of(library));
  }

  /** Returns the step that lists a library's dynamic symbols. */
  BuildStep symbols(Path library) {
    Path output = library.resolveSibling(library.getFileName() + ".symbols");
    return new BuildStep(
        "symbols of " + library.getFileName(),
        List.of(llvm.program("llvm-nm"), "-D", library.toString()),
        List.of(library),
        Optional.empty(),
        Optional.of(output),
        List.of(output));
  }

  private BuildStep compile(KernelTarget target, Path source, List<String> command, Path output) {
    command.addAll(List.of("-MD", "-MF", BuildStep.depfileOf(output).toString(), "-MT", "object"));
    String label = folders.module().relativize(source) + " for " + target.label();
    return BuildStep.compile(label, command, source, output);
  }

  private List<String> kernelFlags(KernelTarget target, String family) {
    String override = sources.hostOverrides().getOrDefault(family, "");
    if (target != KernelTarget.HOST_V4 || override.isEmpty()) {
      return target.kernelFlags();
    }
    if (override.equals("as-v3")) {
      return KernelTarget.HOST_V3.kernelFlags();
    }
    List<String> flags = target.kernelFlags();
    flags.add("-m" + override);
    return flags;
  }

  private List<String> clang(List<String> flags) {
    List<String> command = new ArrayList<>();
    command.add(llvm.program("clang"));
    command.add("-resource-dir=" + llvm.resourceFolder());
    command.addAll(flags);
    command.add("-I" + folders.kernels());
    if (flags.contains("-DARIADNE_TARGET_EMULATED=1") || flags.contains("cuda")) {
      command.add("-I" + folders.testKernels());
    }
    return command;
  }

  private Path objectFolder(KernelTarget target) {
    return folders.work().resolve("object/" + target.label());
  }
}

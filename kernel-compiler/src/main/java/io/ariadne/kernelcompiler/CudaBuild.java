package io.ariadne.kernelcompiler;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Compiles kernel files to PTX and cubins and measures their machine code. */
final class CudaBuild {

  private static final String PTX_COMPILER = "libJNvPTXCompiler-12.6.0-linux-x86_64.so";

  private final BuildFolders folders;
  private final BuildCommands commands;
  private final StepRunner runner;

  CudaBuild(BuildFolders folders, BuildCommands commands, StepRunner runner) {
    this.folders = folders;
    this.commands = commands;
    this.runner = runner;
  }

  /**
   * GPU code of one family.
   *
   * @param name of the family
   * @param ptx its PTX file
   * @param cubins its machine code by architecture
   * @param kernels its kernels
   * @param usages resource usage of each kernel on each architecture
   */
  record Family(
      String name,
      Path ptx,
      Map<String, Path> cubins,
      List<PtxText.Kernel> kernels,
      List<SassReport.Usage> usages) {

    /** Returns a kernel of this family. */
    PtxText.Kernel kernel(String kernel) {
      return kernels.stream()
          .filter(candidate -> candidate.name().equals(kernel))
          .findFirst()
          .orElseThrow();
    }
  }

  /** Returns the step that compiles one kernel file to PTX. */
  BuildStep ptx(Path kernelFile) {
    return commands.kernel(KernelTarget.CUDA, kernelFile);
  }

  /** Assembles compiled PTX; skips families without a kernel on the GPU. */
  List<Family> assemble(List<BuildStep> ptxSteps) throws IOException {
    Path library = unpackPtxCompiler();
    List<String> assembler = assembler(library);
    List<String> faults = new ArrayList<>();
    Map<BuildStep, Path> ptxByStep = new LinkedHashMap<>();
    for (BuildStep ptxStep : ptxSteps) {
      Path ptx = ptxStep.outputs().get(0);
      String text = Files.readString(ptx);
      faults.addAll(PtxText.faults(KernelSources.family(ptx), text));
      if (!PtxText.kernels(text).isEmpty()) {
        ptxByStep.put(assembly(ptx, library, assembler), ptx);
      }
    }
    if (!faults.isEmpty()) {
      throw new KernelBuildException(String.join("\n", faults));
    }
    runner.run(List.copyOf(ptxByStep.keySet()));
    List<Family> families = new ArrayList<>();
    for (Map.Entry<BuildStep, Path> entry : ptxByStep.entrySet()) {
      families.add(family(entry.getKey(), entry.getValue()));
    }
    return families;
  }

  private Family family(BuildStep assembly, Path ptx) throws IOException {
    Map<String, Path> cubins = new TreeMap<>();
    for (int i = 0; i < BuildCommands.ARCHITECTURES.size(); i++) {
      cubins.put(BuildCommands.ARCHITECTURES.get(i), assembly.outputs().get(i + 1));
    }
    List<PtxText.Kernel> kernels = PtxText.kernels(Files.readString(ptx));
    Map<String, Integer> items = new TreeMap<>();
    kernels.forEach(kernel -> items.put(kernel.name(), kernel.items()));
    List<SassReport.Usage> usages = SassReport.read(assembly.outputs().get(0), cubins, items);
    if (usages.size() != kernels.size() * cubins.size()) {
      throw new KernelBuildException(
          "the assembler reported "
              + usages.size()
              + " functions for "
              + kernels.size()
              + " kernels of "
              + ptx);
    }
    return new Family(KernelSources.family(ptx), ptx, cubins, kernels, usages);
  }

  /**
   * Returns the command that starts the assembler. The class path, which names places outside the
   * module, is in a file that it refers to; what is there instead changes with the program.
   */
  private static List<String> assembler(Path library) throws IOException {
    Path arguments = library.resolveSibling("class-path.arguments");
    String classPath =
        ClassPathEntry.of(PtxAssembler.class)
            + ":"
            + ClassPathEntry.of(jcuda.nvptxcompiler.JNvPTXCompiler.class);
    Files.writeString(arguments, "-cp \"" + classPath.replace("\\", "\\\\") + "\"\n");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xshare:auto", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.add("-Djava.library.path=" + library.getParent());
    command.add("-Djava.io.tmpdir=" + library.getParent());
    command.add("-Dariadne.assembler=" + ContentHash.ofClass(PtxAssembler.class));
    command.add("@" + arguments);
    command.add(PtxAssembler.class.getName());
    return command;
  }

  private BuildStep assembly(Path ptx, Path library, List<String> assembler) {
    String family = KernelSources.family(ptx);
    Path folder = folders.work().resolve("cubin");
    Path report = folder.resolve(family + ".report");
    List<String> command = new ArrayList<>(assembler);
    command.add(ptx.toString());
    command.add(folder.resolve(family).toString());
    command.addAll(BuildCommands.ARCHITECTURES);
    List<Path> outputs = new ArrayList<>(List.of(report));
    for (String architecture : BuildCommands.ARCHITECTURES) {
      outputs.add(folder.resolve(family + "." + architecture + ".cubin"));
    }
    return new BuildStep(
        "machine code of " + family,
        command,
        List.of(ptx, library),
        Optional.empty(),
        Optional.of(report),
        outputs);
  }

  private Path unpackPtxCompiler() throws IOException {
    Path library = folders.work().resolve("ptx-compiler").resolve(PTX_COMPILER);
    if (Files.isRegularFile(library)) {
      return library;
    }
    Files.createDirectories(library.getParent());
    Path partial = Files.createTempFile(library.getParent(), "partial", ".so");
    try (InputStream content =
        CudaBuild.class.getClassLoader().getResourceAsStream("lib/" + PTX_COMPILER)) {
      if (content == null) {
        throw new KernelBuildException(PTX_COMPILER + " is not on the class path");
      }
      Files.write(partial, content.readAllBytes());
    }
    Files.move(partial, library);
    return library;
  }
}

package io.ariadne.kernelcompiler;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Runs a kernel build: lint, layouts, compile, link, assemble, check, publish. */
final class KernelBuild {

  private final BuildFolders folders;
  private final Mode mode;
  private final Consumer<String> log;

  /** What a build does besides compiling. */
  enum Mode {
    /** Builds every target and checks the machine code against its budgets. */
    CHECK,
    /** Builds every target and writes the measured machine code as the new budgets. */
    RECORD,
    /** Builds only the host libraries, for quick work on them; the jar then has no GPU code. */
    HOST_ONLY
  }

  /**
   * Prepares a build.
   *
   * @param folders where to read and write
   * @param mode what to do in addition to compiling
   * @param log receives the messages of the build, one line each
   */
  KernelBuild(BuildFolders folders, Mode mode, Consumer<String> log) {
    this.folders = folders;
    this.mode = mode;
    this.log = log;
  }

  /**
   * Updates every output.
   *
   * @throws KernelBuildException when a source, a limit or a check fails
   */
  void run() throws IOException {
    long start = System.nanoTime();
    KernelSources sources = KernelSources.scan(folders);
    lint(sources);
    LlvmDistribution llvm = LlvmDistribution.unpack(folders.llvmCache());
    StepRunner runner = runner(llvm);
    BuildCommands commands = new BuildCommands(llvm, folders, sources);
    GeneratedSources mainSources = new GeneratedSources(folders.generatedSources());
    GeneratedSources testSources = new GeneratedSources(folders.generatedTestSources());
    List<Path> layoutTables =
        new LayoutGeneration(folders, sources, commands, runner)
            .run(mainSources, testSources, mode);

    LibraryBuild libraries = new LibraryBuild(folders, sources, commands, runner);
    CudaBuild cuda = new CudaBuild(folders, commands, runner);
    boolean isComplete = mode != Mode.HOST_ONLY;
    Map<KernelTarget, List<BuildStep>> objects = libraries.objectSteps(layoutTables, isComplete);
    List<Path> none = List.of();
    List<BuildStep> ptx = (isComplete ? sources.kernels() : none).stream().map(cuda::ptx).toList();
    List<BuildStep> litmusPtx =
        (isComplete ? litmus(sources) : none).stream().map(cuda::ptx).toList();
    List<BuildStep> compiles = new ArrayList<>(ptx);
    compiles.addAll(litmusPtx);
    List<BuildStep> driver = isComplete ? libraries.driverSteps() : List.of();
    compiles.addAll(driver);
    List<BuildStep> storage = driver.isEmpty() ? List.of() : libraries.storageSteps();
    compiles.addAll(storage);
    objects.values().forEach(compiles::addAll);
    runner.run(compiles);
    Map<KernelTarget, Path> linked = libraries.link(objects);
    List<Path> fakes = new ArrayList<>();
    if (!driver.isEmpty()) {
      fakes.add(libraries.linkDriver(objects.get(KernelTarget.EMULATED), driver));
    }
    if (!storage.isEmpty()) {
      fakes.add(libraries.linkStorage(storage, fakes.get(0)));
    }
    List<CudaBuild.Family> families = cuda.assemble(ptx);
    checkBudgets(families);

    KernelManifest manifest =
        new KernelManifest(KernelManifest.sourceHash(folders, sources), families);
    mainSources.write("KernelCatalog", manifest.catalogSource());
    mainSources.deleteStale();
    testSources.deleteStale();
    publish(linked, families, manifest);
    publishForTests(linked, fakes, litmusPtx);
    log.accept(
        String.format(
            "kernels: %d families, %d of %d steps ran, %.1f s",
            families.size(),
            runner.runCount(),
            runner.stepCount(),
            (System.nanoTime() - start) / 1e9));
  }

  private StepRunner runner(LlvmDistribution llvm) {
    List<Path> roots =
        List.of(
            folders.kernels(),
            folders.testKernels(),
            folders.driverSources(),
            folders.storageSources(),
            folders.hostSources(),
            folders.work(),
            llvm.resourceFolder());
    int parallelism = Math.max(2, Runtime.getRuntime().availableProcessors());
    return new StepRunner(folders.module(), llvm.environment(), roots, parallelism);
  }

  private List<Path> litmus(KernelSources sources) {
    Path folder = folders.testKernels().resolve("litmus");
    return sources.testKernels().stream().filter(file -> file.startsWith(folder)).toList();
  }

  private void lint(KernelSources sources) throws IOException {
    List<String> faults = new ArrayList<>();
    for (Path file : sources.all()) {
      Path root = lintRoot(file);
      if (file.getFileName().toString().matches(".*\\.(cuh?|hpp|cpp|def)")) {
        String name = root.relativize(file).toString().replace('\\', '/');
        String text = Files.readString(file);
        faults.addAll(SourceLint.check(name, text));
        faults.addAll(SourceLint.checkSize(name, text));
      }
    }
    if (!faults.isEmpty()) {
      throw new KernelBuildException("kernel sources:\n" + String.join("\n", faults));
    }
  }

  /** Returns the folder relative to which a source has the name that lint knows. */
  private Path lintRoot(Path file) {
    return Stream.of(folders.kernels(), folders.testKernels(), folders.driverSources().getParent())
        .filter(file::startsWith)
        .findFirst()
        .orElse(folders.hostSources());
  }

  private void checkBudgets(List<CudaBuild.Family> families) throws IOException {
    SassBudgets budgets = SassBudgets.read(folders.budgets());
    List<String> faults = new ArrayList<>();
    List<SassReport.Usage> all = new ArrayList<>();
    int unrecorded = 0;
    for (CudaBuild.Family family : families) {
      for (SassReport.Usage usage : family.usages()) {
        all.add(usage);
        faults.addAll(SassBudgets.limitFaults(usage, family.kernel(usage.kernel()).block()));
        if (mode != Mode.RECORD) {
          faults.addAll(budgets.budgetFaults(usage));
          unrecorded += budgets.isRecorded(usage) ? 0 : 1;
        }
      }
    }
    if (!faults.isEmpty()) {
      throw new KernelBuildException(
          "machine code over budget (record a wanted change of registers or instructions with"
              + " -Dariadne.kernels=record):\n"
              + String.join("\n", faults));
    }
    if (mode == Mode.RECORD) {
      SassBudgets.write(folders.budgets(), all);
    } else if (unrecorded > 0) {
      log.accept(
          "kernels: "
              + unrecorded
              + " machine-code budgets are not recorded yet; record them with"
              + " -Dariadne.kernels=record");
    }
  }

  private void publish(
      Map<KernelTarget, Path> linked, List<CudaBuild.Family> families, KernelManifest manifest)
      throws IOException {
    OutputFolder output = new OutputFolder(folders.nativeOutput());
    output.add(linked.get(KernelTarget.HOST_V3), "linux-x86_64/libariadne_v3.so");
    output.add(linked.get(KernelTarget.HOST_V4), "linux-x86_64/libariadne_v4.so");
    output.add(linked.get(KernelTarget.HOST_ARM), "linux-aarch64/libariadne_armv8.so");
    for (CudaBuild.Family family : families) {
      output.add(family.ptx(), "cuda/" + family.name() + ".ptx");
      for (Map.Entry<String, Path> cubin : family.cubins().entrySet()) {
        output.add(cubin.getValue(), "cuda/" + family.name() + "." + cubin.getKey() + ".cubin");
      }
    }
    output.addText(manifest.json(), "manifest.json");
    output.deleteStale();
  }

  private void publishForTests(
      Map<KernelTarget, Path> linked, List<Path> fakes, List<BuildStep> litmusPtx)
      throws IOException {
    OutputFolder output = new OutputFolder(folders.nativeTestOutput());
    if (linked.containsKey(KernelTarget.EMULATED)) {
      output.add(linked.get(KernelTarget.EMULATED), "emulated/libariadne_emulated.so");
    }
    for (Path fake : fakes) {
      output.add(fake, "driver/" + fake.getFileName());
    }
    for (BuildStep step : litmusPtx) {
      Path ptx = step.outputs().get(0);
      output.add(ptx, "litmus/" + ptx.getFileName());
    }
    output.deleteStale();
  }
}

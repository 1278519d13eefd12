package io.ariadne.kernelcompiler;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Compiles and links the shared libraries: one per host instruction set, and the emulated one. */
final class LibraryBuild {

  private static final List<KernelTarget> HOST_TARGETS =
      List.of(KernelTarget.HOST_V3, KernelTarget.HOST_V4, KernelTarget.HOST_ARM);

  /** The name under which programs ask for the CUDA driver. */
  static final String DRIVER_LIBRARY = "libcuda.so.1";

  /** The name under which programs ask for cuFile. */
  static final String STORAGE_LIBRARY = "libcufile.so.0";

  private static final String EMULATOR_ENTRY_POINTS = "emulator_jni.cpp";

  private final BuildFolders folders;
  private final KernelSources sources;
  private final BuildCommands commands;
  private final StepRunner runner;

  LibraryBuild(
      BuildFolders folders, KernelSources sources, BuildCommands commands, StepRunner runner) {
    this.folders = folders;
    this.sources = sources;
    this.commands = commands;
    this.runner = runner;
  }

  /**
   * Returns the steps that compile every object, by target.
   *
   * @param layoutTables generated sources of the host libraries
   * @param withEmulated whether the emulated library is built too, if there is an emulator
   */
  Map<KernelTarget, List<BuildStep>> objectSteps(List<Path> layoutTables, boolean withEmulated) {
    Map<KernelTarget, List<BuildStep>> steps = new LinkedHashMap<>();
    for (KernelTarget target : HOST_TARGETS) {
      List<BuildStep> objects = new ArrayList<>();
      sources.kernels().forEach(file -> objects.add(commands.kernel(target, file)));
      sources.host().forEach(file -> objects.add(commands.runtime(target, file)));
      layoutTables.forEach(file -> objects.add(commands.runtime(target, file)));
      steps.put(target, objects);
    }
    if (!withEmulated || sources.emulator().isEmpty()) {
      return steps;
    }
    KernelTarget emulated = KernelTarget.EMULATED;
    List<BuildStep> objects = new ArrayList<>();
    sources.allKernels().forEach(file -> objects.add(commands.kernel(emulated, file)));
    sources.emulator().forEach(file -> objects.add(commands.runtime(emulated, file)));
    steps.put(emulated, objects);
    return steps;
  }

  /** Returns the steps that compile the fake CUDA driver, if there is one. */
  List<BuildStep> driverSteps() {
    return sources.driver().stream().map(commands::driver).toList();
  }

  /**
   * Links the fake CUDA driver: its own objects, the emulated kernels and the emulator.
   *
   * @param emulatedObjects steps of the emulated library
   * @param driverObjects from {@link #driverSteps()}
   */
  Path linkDriver(List<BuildStep> emulatedObjects, List<BuildStep> driverObjects)
      throws IOException {
    Path library = folders.work().resolve("library/" + DRIVER_LIBRARY);
    List<Path> objects = new ArrayList<>();
    driverObjects.forEach(step -> objects.add(step.outputs().get(0)));
    for (BuildStep step : emulatedObjects) {
      Path source = step.inputs().get(0);
      boolean isOtherLibrary = source.getFileName().toString().equals(EMULATOR_ENTRY_POINTS);
      if (!isOtherLibrary) {
        objects.add(step.outputs().get(0));
      }
    }
    linkForTests(objects, library, SymbolCheck.DRIVER);
    return library;
  }

  /** Returns the steps that compile the fake libcufile, if there is one. */
  List<BuildStep> storageSteps() {
    return sources.storage().stream().map(commands::driver).toList();
  }

  /**
   * Links the fake libcufile against the fake CUDA driver, as it moves bytes into that driver's
   * device memory.
   *
   * @param storageObjects from {@link #storageSteps()}
   * @param driver the linked driver
   */
  Path linkStorage(List<BuildStep> storageObjects, Path driver) throws IOException {
    Path library = folders.work().resolve("library/" + STORAGE_LIBRARY);
    List<Path> objects = new ArrayList<>();
    storageObjects.forEach(step -> objects.add(step.outputs().get(0)));
    objects.add(driver);
    linkForTests(objects, library, SymbolCheck.STORAGE);
    return library;
  }

  private void linkForTests(List<Path> objects, Path library, SymbolCheck check)
      throws IOException {
    runner.run(List.of(commands.link(KernelTarget.EMULATED, objects, library)));
    BuildStep listing = commands.symbols(library);
    runner.run(List.of(listing));
    String symbols = Files.readString(listing.outputs().get(0));
    List<String> faults = check.faults(library.getFileName().toString(), symbols);
    if (!faults.isEmpty()) {
      throw new KernelBuildException(String.join("\n", faults));
    }
  }

  /**
   * Links compiled objects and checks what the libraries import and export.
   *
   * @return the libraries by target
   */
  Map<KernelTarget, Path> link(Map<KernelTarget, List<BuildStep>> objectSteps) throws IOException {
    Map<KernelTarget, Path> libraries = new LinkedHashMap<>();
    List<BuildStep> links = new ArrayList<>();
    objectSteps.forEach(
        (target, steps) -> {
          Path library = folders.work().resolve("library/libariadne_" + target.label() + ".so");
          List<Path> objects = steps.stream().map(step -> step.outputs().get(0)).toList();
          links.add(commands.link(target, objects, library));
          libraries.put(target, library);
        });
    runner.run(links);
    checkSymbols(libraries);
    return libraries;
  }

  private void checkSymbols(Map<KernelTarget, Path> libraries) throws IOException {
    Map<KernelTarget, BuildStep> listings = new LinkedHashMap<>();
    libraries.forEach((target, library) -> listings.put(target, commands.symbols(library)));
    runner.run(List.copyOf(listings.values()));
    List<String> faults = new ArrayList<>();
    for (Map.Entry<KernelTarget, BuildStep> entry : listings.entrySet()) {
      SymbolCheck check =
          entry.getKey() == KernelTarget.EMULATED ? SymbolCheck.EMULATED : SymbolCheck.HOST;
      String listing = Files.readString(entry.getValue().outputs().get(0));
      String library = libraries.get(entry.getKey()).getFileName().toString();
      faults.addAll(check.faults(library, listing));
    }
    if (!faults.isEmpty()) {
      throw new KernelBuildException(String.join("\n", faults));
    }
  }
}

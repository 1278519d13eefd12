package io.ariadne.kernelcompiler;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Generates {@code io.ariadne.kernel.abi} from the structs, enums and opcodes of the kernels. */
final class LayoutGeneration {

  private static final String OPCODES = "tile/opcodes.def";

  private final BuildFolders folders;
  private final KernelSources sources;
  private final BuildCommands commands;
  private final StepRunner runner;
  private final Map<String, RecordLayout> main = new TreeMap<>();
  private final Map<String, RecordLayout> test = new TreeMap<>();

  LayoutGeneration(
      BuildFolders folders, KernelSources sources, BuildCommands commands, StepRunner runner) {
    this.folders = folders;
    this.sources = sources;
    this.commands = commands;
    this.runner = runner;
  }

  /**
   * Writes the classes and asserts every layout on every target that is built.
   *
   * @return sources that put the layouts into host libraries
   */
  List<Path> run(GeneratedSources mainSources, GeneratedSources testSources, KernelBuild.Mode mode)
      throws IOException {
    Map<Path, List<RecordLayout>> bySource = readLayouts();
    if (mode != KernelBuild.Mode.HOST_ONLY) {
      checkOnAllTargets(bySource);
    }
    Map<String, RecordLayout> all = new LinkedHashMap<>(main);
    all.putAll(test);
    LayoutClassWriter writer = new LayoutClassWriter(all);
    for (RecordLayout layout : main.values()) {
      mainSources.write(LayoutClassWriter.className(layout), writer.source(layout));
    }
    for (RecordLayout layout : test.values()) {
      testSources.write(LayoutClassWriter.className(layout), writer.source(layout));
    }
    for (String name : sources.structNames()) {
      if (!all.containsKey(name)) {
        throw new KernelBuildException("abi.txt names struct " + name + ", which no source has");
      }
    }
    writeEnums(mainSources, testSources);
    Path opcodes = folders.kernels().resolve(OPCODES);
    if (Files.isRegularFile(opcodes)) {
      mainSources.write(
          "TileOpcode", OpcodeClassWriter.source("TileOpcode", Files.readString(opcodes)));
    }
    return writeTables(bySource);
  }

  /** Writes one source per kernel file, with the structs that no file before it has. */
  private List<Path> writeTables(Map<Path, List<RecordLayout>> bySource) throws IOException {
    List<Path> tables = new ArrayList<>();
    Set<String> written = new HashSet<>();
    for (Path source : sources.kernels()) {
      List<RecordLayout> layouts =
          bySource.get(source).stream().filter(layout -> written.add(layout.name())).toList();
      if (!layouts.isEmpty()) {
        String name = "layout/table-" + KernelSources.family(source) + ".cpp";
        Path table = folders.work().resolve(name);
        TextFiles.writeIfChanged(table, LayoutTables.source(seenFrom(table, source), layouts));
        tables.add(table);
      }
    }
    return tables;
  }

  /** Returns how a written source names a kernel source in an include. */
  private static Path seenFrom(Path written, Path source) {
    return written.getParent().relativize(source);
  }

  private Map<Path, List<RecordLayout>> readLayouts() throws IOException {
    List<BuildStep> dumps = new ArrayList<>();
    sources.kernels().forEach(file -> dumps.add(dump(KernelTarget.HOST_V3, file)));
    sources.host().forEach(file -> dumps.add(dump(KernelTarget.HOST_V3, file)));
    sources.testKernels().forEach(file -> dumps.add(dump(KernelTarget.EMULATED, file)));
    sources.emulator().forEach(file -> dumps.add(dump(KernelTarget.EMULATED, file)));
    runner.run(dumps);
    Map<Path, List<RecordLayout>> bySource = new LinkedHashMap<>();
    for (BuildStep dump : dumps) {
      Path source = dump.inputs().get(0);
      List<RecordLayout> wanted =
          RecordLayouts.parse(Files.readString(dump.outputs().get(0))).values().stream()
              .filter(this::isWanted)
              .toList();
      wanted.forEach(layout -> add(requirePlain(layout), source));
      bySource.put(source, wanted);
    }
    return bySource;
  }

  private BuildStep dump(KernelTarget target, Path file) {
    return commands.layoutDump(target, file);
  }

  private boolean isWanted(RecordLayout layout) {
    return layout.name().endsWith("_args") || sources.structNames().contains(layout.name());
  }

  /** Refuses base classes, bit-fields and members without a name, which Java cannot address. */
  private static RecordLayout requirePlain(RecordLayout layout) {
    for (RecordLayout.Field field : layout.fields()) {
      if (field.name().isEmpty()) {
        throw new KernelBuildException(
            "struct "
                + layout.name()
                + ": '"
                + field.elementType().strip()
                + "' is not a plain field");
      }
    }
    return layout;
  }

  private void add(RecordLayout layout, Path source) {
    RecordLayout known = main.getOrDefault(layout.name(), test.get(layout.name()));
    if (known != null && !known.equals(layout)) {
      throw new KernelBuildException(
          "struct " + layout.name() + " has another layout in " + source);
    }
    if (known == null) {
      (source.startsWith(folders.testKernels()) ? test : main).put(layout.name(), layout);
    }
  }

  private void checkOnAllTargets(Map<Path, List<RecordLayout>> bySource) throws IOException {
    List<BuildStep> checks = new ArrayList<>();
    for (Map.Entry<Path, List<RecordLayout>> entry : bySource.entrySet()) {
      Path source = entry.getKey();
      Path assertions = folders.work().resolve("layout/" + KernelSources.family(source) + ".cu");
      TextFiles.writeIfChanged(
          assertions, LayoutAssertions.source(seenFrom(assertions, source), entry.getValue()));
      if (sources.kernels().contains(source)) {
        checks.add(commands.layoutCheck(KernelTarget.HOST_ARM, assertions));
        checks.add(commands.layoutCheck(KernelTarget.CUDA, assertions));
      }
      checks.add(commands.layoutCheck(KernelTarget.EMULATED, assertions));
    }
    runner.run(checks);
  }

  private void writeEnums(GeneratedSources mainSources, GeneratedSources testSources)
      throws IOException {
    for (String name : sources.enumNames()) {
      boolean found = false;
      for (Path file : sources.all()) {
        String text =
            file.getFileName().toString().matches(".*\\.(cuh?|hpp|cpp)")
                ? Files.readString(file)
                : "";
        Optional<Map<String, Integer>> values = EnumClassWriter.find(name, text);
        if (values.isPresent()) {
          boolean isTest = file.startsWith(folders.testKernels());
          (isTest ? testSources : mainSources)
              .write(JavaNames.pascalCase(name), EnumClassWriter.source(name, values.get()));
          found = true;
          break;
        }
      }
      if (!found) {
        throw new KernelBuildException("abi.txt names enum " + name + ", which no source has");
      }
    }
  }
}

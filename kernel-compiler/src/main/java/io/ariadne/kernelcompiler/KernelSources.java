package io.ariadne.kernelcompiler;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The source files of one build.
 *
 * @param kernels the kernel files, one family each
 * @param testKernels kernel files of the tests (planted faults, litmus tests)
 * @param emulator sources of the emulator itself
 * @param driver sources of the fake CUDA driver
 * @param storage sources of the fake libcufile
 * @param host JNI sources
 * @param all every file that takes part, for lint and for the source hash
 * @param structNames structs to be laid out in Java besides those named {@code *_args}
 * @param enumNames enums to be turned into Java constants
 * @param hostOverrides directives on how a family is built for x86-64-v4, by family
 */
record KernelSources(
    List<Path> kernels,
    List<Path> testKernels,
    List<Path> emulator,
    List<Path> driver,
    List<Path> storage,
    List<Path> host,
    List<Path> all,
    Set<String> structNames,
    Set<String> enumNames,
    Map<String, String> hostOverrides) {

  private static final String ABI_LIST = "abi.txt";
  private static final String ENUM_PREFIX = "enum ";
  private static final String HOST_OVERRIDES = "host-isa.txt";

  /** Finds the sources below the folders of a module. */
  static KernelSources scan(BuildFolders folders) throws IOException {
    List<Path> main = files(folders.kernels());
    List<Path> test = files(folders.testKernels());
    List<Path> driver = files(folders.driverSources());
    List<Path> storage = files(folders.storageSources());
    List<Path> host = withSuffix(files(folders.hostSources()), ".cpp");
    List<Path> all = new ArrayList<>(main);
    all.addAll(test);
    all.addAll(driver);
    all.addAll(storage);
    all.addAll(host);
    List<String> abi = new ArrayList<>(lines(folders.kernels().resolve(ABI_LIST)));
    abi.addAll(lines(folders.testKernels().resolve(ABI_LIST)));
    KernelSources sources =
        new KernelSources(
            withSuffix(main, ".cu"),
            withSuffix(test, ".cu"),
            withSuffix(test, ".cpp"),
            withSuffix(driver, ".cpp"),
            withSuffix(storage, ".cpp"),
            host,
            all,
            abiStructs(abi),
            abiEnums(abi),
            readDirectives(folders.kernels().resolve(HOST_OVERRIDES)));
    sources.requireDistinctFamilies();
    return sources;
  }

  /** Returns the name of the family of a kernel file: the file's name without its suffix. */
  static String family(Path kernelFile) {
    return kernelFile.getFileName().toString().replaceAll("\\.[^.]*$", "");
  }

  /** Returns all kernel files, those of the tests last. */
  List<Path> allKernels() {
    List<Path> files = new ArrayList<>(kernels);
    files.addAll(testKernels);
    return files;
  }

  private void requireDistinctFamilies() {
    Set<String> families = new HashSet<>();
    for (Path file : allKernels()) {
      if (!families.add(family(file))) {
        throw new KernelBuildException("two kernel files are named " + family(file));
      }
    }
    for (String family : hostOverrides.keySet()) {
      if (!families.contains(family)) {
        throw new KernelBuildException(HOST_OVERRIDES + " names no kernel file: " + family);
      }
    }
  }

  private static List<Path> files(Path root) throws IOException {
    if (!Files.isDirectory(root)) {
      return List.of();
    }
    try (Stream<Path> paths = Files.walk(root)) {
      return paths.filter(Files::isRegularFile).sorted().toList();
    }
  }

  private static List<Path> withSuffix(List<Path> files, String suffix) {
    return files.stream().filter(file -> file.toString().endsWith(suffix)).toList();
  }

  private static Set<String> abiStructs(List<String> abi) {
    return abi.stream()
        .filter(line -> !line.startsWith(ENUM_PREFIX))
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  private static Set<String> abiEnums(List<String> abi) {
    return abi.stream()
        .filter(line -> line.startsWith(ENUM_PREFIX))
        .map(line -> line.substring(ENUM_PREFIX.length()).strip())
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  private static Map<String, String> readDirectives(Path file) throws IOException {
    Map<String, String> directives = new TreeMap<>();
    for (String line : lines(file)) {
      String[] words = line.split("\\s+");
      if (words.length != 2 || !words[1].matches("as-v3|prefer-vector-width=(128|256|512)")) {
        throw new KernelBuildException(
            HOST_OVERRIDES
                + ": '"
                + line
                + "' is not FAMILY as-v3 or FAMILY"
                + " prefer-vector-width=128|256|512");
      }
      directives.put(words[0], words[1]);
    }
    return directives;
  }

  private static List<String> lines(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      return List.of();
    }
    return Files.readAllLines(file).stream()
        .map(line -> line.replaceAll("#.*", "").strip())
        .filter(line -> !line.isEmpty())
        .toList();
  }
}

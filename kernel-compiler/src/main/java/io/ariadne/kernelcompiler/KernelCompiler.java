package io.ariadne.kernelcompiler;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * The program that the Maven build runs to compile the kernels of a module.
 *
 * <p>Arguments, each {@code --name=value}:
 *
 * <ul>
 *   <li>{@code --module}: folder of the module with {@code src/main/cuda}
 *   <li>{@code --target}: its build folder; all outputs lie below
 *   <li>{@code --llvm-cache}: folder for the unpacked compiler; empty for the user's cache folder
 *   <li>{@code --mode}: {@code check} (the default), {@code record} to write the machine-code
 *       budgets instead of checking them, {@code host-only} to build the host libraries alone
 * </ul>
 *
 * <p>Programs run with an empty environment, so that only this JVM and the artifacts on the class
 * path determine the outputs.
 */
public final class KernelCompiler {

  private KernelCompiler() {}

  /**
   * Runs one build.
   *
   * @param arguments see the class
   * @throws KernelBuildException with a message for the user of the build
   */
  public static void main(String[] arguments) throws IOException {
    Map<String, String> options = parse(arguments);
    Path target = Path.of(required(options, "target")).toAbsolutePath().normalize();
    BuildFolders folders =
        new BuildFolders(
            Path.of(required(options, "module")).toAbsolutePath().normalize(),
            target.resolve("classes"),
            target.resolve("test-classes"),
            target.resolve("generated-sources/kernel-abi"),
            target.resolve("generated-test-sources/kernel-abi"),
            target.resolve("kernels"),
            llvmCache(options.getOrDefault("llvm-cache", ""), System.getenv()));
    new KernelBuild(folders, mode(options.getOrDefault("mode", "check")), System.out::println)
        .run();
  }

  private static KernelBuild.Mode mode(String name) {
    return switch (name) {
      case "check" -> KernelBuild.Mode.CHECK;
      case "record" -> KernelBuild.Mode.RECORD;
      case "host-only" -> KernelBuild.Mode.HOST_ONLY;
      default ->
          throw new KernelBuildException(
              "the mode of the kernel build is check, record or host-only, not " + name);
    };
  }

  private static Map<String, String> parse(String[] arguments) {
    Map<String, String> options = new HashMap<>();
    for (String argument : arguments) {
      int equals = argument.indexOf('=');
      if (!argument.startsWith("--") || equals < 0) {
        throw new KernelBuildException("expected --name=value, found " + argument);
      }
      options.put(argument.substring(2, equals), argument.substring(equals + 1));
    }
    return options;
  }

  private static String required(Map<String, String> options, String name) {
    String value = options.get(name);
    if (value == null || value.isEmpty()) {
      throw new KernelBuildException("missing argument --" + name);
    }
    return value;
  }

  /** Returns the configured cache folder, or the one below the user's cache folder. */
  static Path llvmCache(String configured, Map<String, String> environment) {
    if (!configured.isEmpty()) {
      return Path.of(configured).toAbsolutePath();
    }
    String caches = environment.getOrDefault("XDG_CACHE_HOME", "");
    Path folder =
        caches.isEmpty() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(caches);
    return folder.resolve("ariadne");
  }
}

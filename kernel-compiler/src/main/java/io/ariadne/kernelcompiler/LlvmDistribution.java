package io.ariadne.kernelcompiler;

import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/**
 * The pinned clang and lld, unpacked from their Maven artifact into a cache folder.
 *
 * @param home the folder that holds the programs
 */
record LlvmDistribution(Path home) {

  /** The only accepted LLVM version: the tests have validated its code generation. */
  static final String VERSION = "20.1.7";

  private static final String RESOURCE_FOLDER = "org/bytedeco/llvm/linux-x86_64/";
  private static final List<String> PROGRAMS = List.of("clang", "lld", "llvm-nm");
  private static final Map<String, String> LIBRARIES =
      Map.of("libLLVM.so", "libLLVM.so.20.1", "libclang-cpp.so", "libclang-cpp.so.20.1");
  private static final String HEADERS = "lib/clang/20/include/";

  /**
   * Returns the distribution on the class path, unpacking it when the cache lacks it. Builds that
   * run at the same time may share a cache.
   *
   * @param cache folder for unpacked distributions; one folder per artifact is made in it
   */
  static LlvmDistribution unpack(Path cache) {
    try {
      Path jar = artifact();
      String name = jar.getFileName().toString().replaceAll("\\.jar$", "");
      Path home = cache.resolve(name);
      if (!Files.isDirectory(home)) {
        unpackInto(jar, cache, home);
      }
      LlvmDistribution distribution = new LlvmDistribution(home);
      distribution.requireUsable();
      return distribution;
    } catch (IOException e) {
      throw new KernelBuildException("cannot unpack the kernel compiler into " + cache, e);
    }
  }

  /** Returns the path of one of the programs. */
  String program(String name) {
    return home.resolve(name).toString();
  }

  /**
   * Returns the folder of clang's own headers, the only system headers that a kernel may include.
   */
  Path resourceFolder() {
    return home.resolve("lib/clang/20");
  }

  /** Returns the whole environment in which the programs run. */
  Map<String, String> environment() {
    return Map.of("LD_LIBRARY_PATH", home.toString());
  }

  private static Path artifact() throws IOException {
    URL clang = LlvmDistribution.class.getClassLoader().getResource(RESOURCE_FOLDER + "clang");
    if (clang == null) {
      throw new KernelBuildException(
          "org.bytedeco:llvm:linux-x86_64 is not on the kernel compiler's class path");
    }
    try {
      return Path.of(((JarURLConnection) clang.openConnection()).getJarFileURL().toURI());
    } catch (URISyntaxException e) {
      throw new KernelBuildException("cannot locate the LLVM artifact at " + clang, e);
    }
  }

  private static void unpackInto(Path jar, Path cache, Path home) throws IOException {
    Files.createDirectories(cache);
    Path partial = Files.createTempDirectory(cache, "unpacking-");
    try (JarFile file = new JarFile(jar.toFile())) {
      Enumeration<JarEntry> entries = file.entries();
      while (entries.hasMoreElements()) {
        JarEntry entry = entries.nextElement();
        if (!entry.isDirectory() && isNeeded(entry.getName())) {
          extract(file, entry, partial);
        }
      }
      for (Map.Entry<String, String> library : LIBRARIES.entrySet()) {
        Files.createSymbolicLink(partial.resolve(library.getValue()), Path.of(library.getKey()));
      }
      Files.move(partial, home, StandardCopyOption.ATOMIC_MOVE);
    } catch (FileAlreadyExistsException e) {
      deleteRecursively(partial);
    } catch (IOException e) {
      deleteRecursively(partial);
      if (!Files.isDirectory(home)) {
        throw e;
      }
    }
  }

  private static boolean isNeeded(String entry) {
    if (!entry.startsWith(RESOURCE_FOLDER)) {
      return false;
    }
    String name = entry.substring(RESOURCE_FOLDER.length());
    return PROGRAMS.contains(name) || LIBRARIES.containsKey(name) || name.startsWith(HEADERS);
  }

  private static void extract(JarFile file, JarEntry entry, Path folder) throws IOException {
    Path target = folder.resolve(entry.getName().substring(RESOURCE_FOLDER.length())).normalize();
    if (!target.startsWith(folder)) {
      throw new KernelBuildException("entry leaves the folder: " + entry.getName());
    }
    Files.createDirectories(target.getParent());
    try (InputStream content = file.getInputStream(entry)) {
      Files.copy(content, target);
    }
    if (PROGRAMS.contains(target.getFileName().toString())
        && !target.toFile().setExecutable(true)) {
      throw new KernelBuildException("cannot make " + target + " executable");
    }
  }

  private static void deleteRecursively(Path folder) throws IOException {
    try (Stream<Path> paths = Files.walk(folder)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  private void requireUsable() throws IOException {
    String words;
    try {
      ProcessBuilder builder = new ProcessBuilder(program("clang"), "--version");
      builder.environment().clear();
      builder.environment().putAll(environment());
      Process process = builder.redirectErrorStream(true).start();
      words = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      process.waitFor(1, TimeUnit.MINUTES);
    } catch (IOException e) {
      throw new KernelBuildException(
          "cannot run clang from "
              + home
              + " ("
              + e.getMessage()
              + "); when that folder does not"
              + " allow execution, name another with -Dariadne.llvm.cache=FOLDER",
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KernelBuildException("interrupted while starting clang", e);
    }
    if (!words.contains("clang version " + VERSION)) {
      throw new KernelBuildException(
          "expected clang " + VERSION + " in " + home + ", found: " + words.strip());
    }
  }
}

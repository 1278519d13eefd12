package io.ariadne.replay;

import io.ariadne.kernel.abi.KernelCatalog;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Writes a bundle: a zip of an index, {@code bundle.json}, and the members it names. The format is
 * described by the reader, {@code dev/gpu/replay.py}.
 */
final class BundleWriter implements AutoCloseable {

  private static final int FORMAT = 2;
  private static final String RESOURCES = "/io/ariadne/native/";

  private final ZipOutputStream zip;
  private final Map<String, String> hashes = new TreeMap<>();
  private final Map<String, String> modules = new TreeMap<>();
  private final List<String> cases = new ArrayList<>();

  BundleWriter(Path file) throws IOException {
    OutputStream stream = Files.newOutputStream(file);
    zip = new ZipOutputStream(stream);
  }

  /** Adds the GPU code of a family: PTX and cubins of the jar, or PTX of a litmus test. */
  void addModule(String family) throws IOException {
    if (modules.containsKey(family)) {
      return;
    }
    boolean isLitmus =
        KernelCatalog.FAMILIES.stream().noneMatch(entry -> entry.name().equals(family));
    String folder = RESOURCES + (isLitmus ? "litmus/" : "cuda/");
    String ptx = add("modules/" + family + ".ptx", resource(folder + family + ".ptx"));
    List<String> cubins = new ArrayList<>();
    for (String architecture : isLitmus ? List.<String>of() : KernelCatalog.ARCHITECTURES) {
      String name = family + "." + architecture + ".cubin";
      cubins.add(
          quoted(architecture) + ": " + quoted(add("modules/" + name, resource(folder + name))));
    }
    modules.put(
        family, "{\"ptx\": " + quoted(ptx) + ", \"cubins\": {" + String.join(", ", cubins) + "}}");
  }

  /**
   * Adds a case.
   *
   * @param family the module that holds its kernel
   * @param results the expected ranges of each buffer
   */
  void addCase(String family, ReplayCase replayCase, List<List<byte[]>> results)
      throws IOException {
    addModule(family);
    String folder = "cases/" + cases.size() + "/";
    List<String> buffers = new ArrayList<>();
    for (int i = 0; i < results.size(); i++) {
      buffers.add(buffer(folder + i, replayCase.buffer(i), results.get(i)));
    }
    List<String> launches = new ArrayList<>();
    for (ReplayLaunch launch : replayCase.launches()) {
      String arguments = add(folder + "arguments" + launches.size(), launch.arguments());
      launches.add(
          String.format(
              "{\"grid\": %d, \"block\": %d, \"shared\": %d, \"arguments\": %s, \"pointers\": %s}",
              launch.gridSize(),
              launch.blockSize(),
              launch.sharedBytes(),
              quoted(arguments),
              pointers(launch.pointers())));
    }
    cases.add(
        String.format(
            "{\"name\": %s, \"kernel\": %s, \"module\": %s, \"litmus\": %b, \"repeat\": %d,"
                + " \"rows\": %d, \"bytesMoved\": %d, \"measured\": %b, \"onlyOnce\": %b,"
                + " \"rowFields\": %s,%n"
                + "  \"buffers\": [%n    %s],%n  \"launches\": [%n    %s]}",
            quoted(replayCase.name()),
            quoted(replayCase.kernel()),
            quoted(family),
            replayCase.isLitmus(),
            replayCase.repeat(),
            replayCase.rows(),
            replayCase.bytesMoved(),
            replayCase.bytesMoved() > 0,
            replayCase.isOnlyOnce(),
            replayCase.rowFields(),
            String.join(",\n    ", buffers),
            String.join(",\n    ", launches)));
  }

  private String buffer(String member, ReplayBuffer buffer, List<byte[]> results)
      throws IOException {
    String content = buffer.content().length == 0 ? "null" : quoted(add(member, buffer.content()));
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < results.size(); i++) {
      String name = add(member + ".expected" + i, results.get(i));
      expected.add(
          String.format(
              "{\"offset\": %d, \"content\": %s}",
              buffer.expected().get(i).offset(), quoted(name)));
    }
    return String.format(
        "{\"name\": %s, \"bytes\": %d, \"content\": %s, \"scales\": %b, \"pointers\": %s,"
            + " \"expected\": %s}",
        quoted(buffer.name()),
        buffer.sizeInBytes(),
        content,
        buffer.scales(),
        pointers(buffer.pointers()),
        expected);
  }

  private static String pointers(List<ReplayBuffer.Pointer> pointers) {
    return pointers.stream()
        .map(
            pointer ->
                String.format(
                    "{\"at\": %d, \"buffer\": %d, \"offset\": %d}",
                    pointer.at(), pointer.buffer(), pointer.offset()))
        .toList()
        .toString();
  }

  private String add(String name, byte[] content) throws IOException {
    zip.putNextEntry(new ZipEntry(name));
    zip.write(content);
    zip.closeEntry();
    hashes.put(name, sha256(content));
    return name;
  }

  private static byte[] resource(String name) throws IOException {
    try (InputStream stream = BundleWriter.class.getResourceAsStream(name)) {
      if (stream == null) {
        throw new IOException("missing " + name + ": build the kernels first");
      }
      return stream.readAllBytes();
    }
  }

  /** Writes the index and ends the file. */
  @Override
  public void close() throws IOException {
    StringBuilder index = new StringBuilder();
    index.append("{\"format\": ").append(FORMAT).append(",\n\"sourceHash\": ");
    index.append(quoted(KernelCatalog.SOURCE_HASH)).append(",\n\"modules\": {");
    appendMap(index, modules);
    index.append("},\n\"sha256\": {");
    Map<String, String> quotedHashes = new TreeMap<>();
    hashes.forEach((name, hash) -> quotedHashes.put(name, quoted(hash)));
    appendMap(index, quotedHashes);
    index.append("},\n\"cases\": [\n").append(String.join(",\n", cases)).append("\n]}\n");
    zip.putNextEntry(new ZipEntry("bundle.json"));
    zip.write(index.toString().getBytes(StandardCharsets.UTF_8));
    zip.closeEntry();
    zip.close();
  }

  private static void appendMap(StringBuilder json, Map<String, String> map) {
    String separator = "\n";
    for (Map.Entry<String, String> entry : map.entrySet()) {
      json.append(separator).append(quoted(entry.getKey())).append(": ").append(entry.getValue());
      separator = ",\n";
    }
  }

  private static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  private static String sha256(byte[] content) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}

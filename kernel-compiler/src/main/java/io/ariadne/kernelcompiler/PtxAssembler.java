package io.ariadne.kernelcompiler;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import jcuda.nvptxcompiler.JNvPTXCompiler;
import jcuda.nvptxcompiler.nvPTXCompileResult;
import jcuda.nvptxcompiler.nvPTXCompilerHandle;

/**
 * Assembles one PTX file to a cubin per architecture and prints the assembler's report. A program
 * of its own, started in a child JVM, so that a fault of the native assembler fails one step of the
 * build instead of ending the build's JVM.
 *
 * <p>Arguments: PTX file, prefix of the cubins, architectures. {@code PREFIX.sm_80.cubin} and so on
 * are written; the report goes to standard output.
 */
final class PtxAssembler {

  private PtxAssembler() {}

  /**
   * Runs the assembler. Exits with status 1 and prints the output of the assembler to standard
   * error when it rejects the PTX.
   */
  public static void main(String[] arguments) throws IOException {
    byte[] ptx = zeroTerminated(Files.readString(Path.of(arguments[0])));
    for (String architecture : Arrays.copyOfRange(arguments, 2, arguments.length)) {
      assemble(ptx, architecture, Path.of(arguments[1] + "." + architecture + ".cubin"));
    }
  }

  private static void assemble(byte[] ptx, String architecture, Path cubin) throws IOException {
    nvPTXCompilerHandle handle = new nvPTXCompilerHandle();
    check("create", JNvPTXCompiler.nvPTXCompilerCreate(handle, ptx.length - 1, ptx));
    String[] options = {"--gpu-name=" + architecture, "--verbose"};
    int status = JNvPTXCompiler.nvPTXCompilerCompile(handle, options.length, options);
    if (status != nvPTXCompileResult.NVPTXCOMPILE_SUCCESS) {
      System.err.println(architecture + ": " + errorLog(handle));
      System.exit(1);
    }
    long[] size = {0};
    check("size", JNvPTXCompiler.nvPTXCompilerGetCompiledProgramSize(handle, size));
    byte[] program = new byte[Math.toIntExact(size[0])];
    check("program", JNvPTXCompiler.nvPTXCompilerGetCompiledProgram(handle, program));
    Files.write(cubin, program);
    check("log size", JNvPTXCompiler.nvPTXCompilerGetInfoLogSize(handle, size));
    byte[] log = new byte[Math.toIntExact(size[0]) + 1];
    check("log", JNvPTXCompiler.nvPTXCompilerGetInfoLog(handle, log));
    System.out.println(text(log));
    check("destroy", JNvPTXCompiler.nvPTXCompilerDestroy(handle));
  }

  private static String errorLog(nvPTXCompilerHandle handle) {
    long[] size = {0};
    check("log size", JNvPTXCompiler.nvPTXCompilerGetErrorLogSize(handle, size));
    byte[] log = new byte[Math.toIntExact(size[0]) + 1];
    check("log", JNvPTXCompiler.nvPTXCompilerGetErrorLog(handle, log));
    return text(log);
  }

  private static void check(String what, int status) {
    if (status != nvPTXCompileResult.NVPTXCOMPILE_SUCCESS) {
      throw new IllegalStateException(
          "PTX compiler, " + what + ": " + nvPTXCompileResult.stringFor(status));
    }
  }

  private static byte[] zeroTerminated(String text) {
    return (text + "\0").getBytes(StandardCharsets.US_ASCII);
  }

  private static String text(byte[] log) {
    return new String(log, StandardCharsets.US_ASCII).replace("\0", "").strip();
  }
}

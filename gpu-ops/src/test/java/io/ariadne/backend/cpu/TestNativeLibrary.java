package io.ariadne.backend.cpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestNativeLibrary {

  private static final String LIBRARY = "/io/ariadne/native/linux-x86_64/libariadne_v3.so";

  @TempDir Path folder;

  @Test
  void loadsOnce() {
    assertSame(NativeLibrary.load(), NativeLibrary.load());
  }

  @Test
  void fallsThroughToTheNextFolderAndLeavesNoFile() throws IOException {
    NativeLibrary.loadResource(LIBRARY, List.of(folder.resolve("absent"), folder));
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(0, files.count());
    }
  }

  @Test
  void namesEveryFolderThatFailedInOneLine() {
    Path first = folder.resolve("first");
    Path second = folder.resolve("second");
    EngineException e =
        assertThrows(
            EngineException.class,
            () -> NativeLibrary.loadResource(LIBRARY, List.of(first, second)));
    assertEquals(ErrorCode.CONFIGURATION, e.code());
    assertTrue(e.getMessage().contains(first.toString()), e.getMessage());
    assertTrue(e.getMessage().contains(second.toString()), e.getMessage());
    assertTrue(e.getMessage().endsWith("to a writable folder that allows execution"));
    assertFalse(e.getMessage().contains("\n"));
  }

  @Test
  void reportsThatTheJarWasBuiltWithoutKernels() {
    EngineException e =
        assertThrows(
            EngineException.class,
            () -> NativeLibrary.loadResource("/io/ariadne/native/no.so", List.of(folder)));
    assertEquals(ErrorCode.INTERNAL, e.code());
  }

  @Test
  void recognisesAFolderMountedWithoutExecution() {
    String words =
        "/tmp/libariadne_v3-1.so: /tmp/libariadne_v3-1.so: failed to map segment from shared"
            + " object: Operation not permitted";
    assertEquals("does not allow execution, mounted noexec?", NativeLibrary.linkFailure(words));
    assertEquals("wrong ELF class", NativeLibrary.linkFailure("wrong ELF class"));
  }
}

package io.ariadne.shuffle.transport.ucx;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestRdmaDevices {
  @TempDir Path devices;

  private void port(String device, int port, String state) throws IOException {
    Path folder = devices.resolve(device).resolve("ports").resolve(String.valueOf(port));
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("state"), state + "\n");
  }

  @Test
  void listsActivePorts() throws IOException {
    port("mlx5_1", 1, "4: ACTIVE");
    port("mlx5_0", 1, "1: DOWN");
    port("mlx5_0", 2, "4: ACTIVE");
    port("mlx5_2", 1, "2: INIT");
    Files.createDirectories(devices.resolve("irdma0")); // without ports yet
    assertEquals(List.of("mlx5_0:2", "mlx5_1:1"), RdmaDevices.activePorts(devices));
  }

  @Test
  void thereIsNoneWithoutDevices() {
    assertEquals(List.of(), RdmaDevices.activePorts(devices.resolve("missing")));
    assertEquals(List.of(), RdmaDevices.activePorts(devices));
  }
}

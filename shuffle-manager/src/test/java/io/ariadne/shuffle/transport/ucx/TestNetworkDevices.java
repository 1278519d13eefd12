package io.ariadne.shuffle.transport.ucx;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TestNetworkDevices {
  private static final String HOST = "127.0.0.1";

  @Test
  void takesTheInterfaceOfTheHostAndRdmaDevices() throws Exception {
    String loopback = NetworkInterface.getByInetAddress(InetAddress.getByName(HOST)).getName();
    assertEquals(Optional.of(loopback), NetworkDevices.of(HOST, Map.of(), List.of()));
    assertEquals(
        Optional.of("mlx5_0:1,mlx5_1:1," + loopback),
        NetworkDevices.of(HOST, Map.of(), List.of("mlx5_0:1", "mlx5_1:1")));
  }

  @Test
  void ucxChoosesWhereItsUserHasOrTheAddressIsTranslated() {
    assertEquals(
        Optional.empty(), NetworkDevices.of(HOST, Map.of("UCX_NET_DEVICES", "all"), List.of()));
    // An address for documentation (RFC 5737), and a name that does not exist (RFC 6761).
    assertEquals(Optional.empty(), NetworkDevices.of("198.51.100.7", Map.of(), List.of("a:1")));
    assertEquals(Optional.empty(), NetworkDevices.of("none.invalid", Map.of(), List.of("a:1")));
  }
}

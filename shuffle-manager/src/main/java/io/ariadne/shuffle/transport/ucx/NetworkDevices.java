package io.ariadne.shuffle.transport.ucx;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Chooses the network devices that UCX uses: RDMA devices, and the network interface under whose
 * address other executors know this machine. UCX alone takes any interface for TCP, also those that
 * other machines do not reach, such as a container bridge.
 */
final class NetworkDevices {
  /** The setting of UCX for its users; it comes first. */
  private static final String VARIABLE = "UCX_NET_DEVICES";

  private NetworkDevices() {}

  /**
   * Returns the devices as UCX's setting NET_DEVICES names them.
   *
   * @param host the name or address by which other executors know this machine
   * @return empty when UCX has to choose: its user has set them, or no interface has the address
   */
  static Optional<String> of(String host) {
    return of(host, System.getenv(), RdmaDevices.activePorts());
  }

  static Optional<String> of(String host, Map<String, String> environment, List<String> rdma) {
    return environment.containsKey(VARIABLE)
        ? Optional.empty()
        : interfaceOf(host)
            .map(name -> Stream.concat(rdma.stream(), Stream.of(name)))
            .map(devices -> devices.collect(Collectors.joining(",")));
  }

  private static Optional<String> interfaceOf(String host) {
    try {
      NetworkInterface found = NetworkInterface.getByInetAddress(InetAddress.getByName(host));
      // UCX names the device of a further address, such as eth0:1, by the interface.
      return Optional.ofNullable(found)
          .map(each -> each.getParent() == null ? each : each.getParent())
          .map(NetworkInterface::getName);
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}

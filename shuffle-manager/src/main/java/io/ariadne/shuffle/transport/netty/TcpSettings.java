package io.ariadne.shuffle.transport.netty;

import java.util.List;
import java.util.Objects;
import org.apache.spark.network.client.TransportClientBootstrap;
import org.apache.spark.network.server.TransportServerBootstrap;
import org.apache.spark.network.util.TransportConf;

/**
 * How the connections of a {@link TcpTransport} are made.
 *
 * @param conf Spark's settings of connections
 * @param bindAddress the local address to listen on; null for all
 * @param port the first port to try; 0 for any free one
 * @param portRetries how many ports after that are tried
 * @param clients prepare connections to peers, such as by authentication
 * @param servers prepare connections of peers
 */
public record TcpSettings(
    TransportConf conf,
    String bindAddress,
    int port,
    int portRetries,
    List<TransportClientBootstrap> clients,
    List<TransportServerBootstrap> servers) {
  /** Copies the lists. */
  public TcpSettings {
    Objects.requireNonNull(conf, "conf is null");
    clients = List.copyOf(clients);
    servers = List.copyOf(servers);
  }
}

package io.ariadne.shuffle.transport.netty;

import io.ariadne.shuffle.transport.AbstractTestTransport;
import io.ariadne.shuffle.transport.Transport;
import io.netty.channel.Channel;
import java.util.List;
import java.util.Map;
import org.apache.spark.network.util.MapConfigProvider;
import org.apache.spark.network.util.TransportConf;

/** The contract over TCP connections of this host. */
class TestTcpTransport extends AbstractTestTransport {
  static TcpSettings settings() {
    return new TcpSettings(conf(Map.of()), "127.0.0.1", 0, 0, List.of(), List.of());
  }

  static TransportConf conf(Map<String, String> settings) {
    return new TransportConf("ariadne", new MapConfigProvider(settings));
  }

  @Override
  protected Transport start(String name, Transport.Handler handler) {
    return TcpTransport.start(name, settings(), handler);
  }

  @Override
  protected void disconnect(Object connection) {
    var unused = ((Channel) connection).close();
  }
}

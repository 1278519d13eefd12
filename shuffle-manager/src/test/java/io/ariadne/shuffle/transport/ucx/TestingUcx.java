package io.ariadne.shuffle.transport.ucx;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.shuffle.transport.Transport;
import io.ariadne.shuffle.transport.netty.TcpSettings;
import io.ariadne.shuffle.transport.netty.TcpTransport;
import java.util.List;
import java.util.Map;
import org.apache.spark.network.util.MapConfigProvider;
import org.apache.spark.network.util.TransportConf;

/** Starts transports of tests. */
final class TestingUcx {
  private TestingUcx() {}

  /** Returns how peers meet without secrets. */
  static TcpSettings settings(String host) {
    TransportConf conf = new TransportConf("ariadne", new MapConfigProvider(Map.of()));
    return new TcpSettings(conf, host, 0, 0, List.of(), List.of());
  }

  static UcxTransport start(
      String name,
      String host,
      UcxSecurity security,
      BufferAllocator allocator,
      Transport.Handler handler) {
    return UcxTransport.start(
        name,
        host,
        security,
        allocator,
        meeting -> TcpTransport.start(name, settings(host), meeting),
        handler);
  }
}

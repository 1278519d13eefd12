package io.ariadne.shuffle.transport.netty;

import java.util.Map;

/** The contract over plain connections. */
class TestTcpTransport extends AbstractTestTcpTransport {
  @Override
  TcpSettings settings() {
    return plain(Map.of());
  }
}

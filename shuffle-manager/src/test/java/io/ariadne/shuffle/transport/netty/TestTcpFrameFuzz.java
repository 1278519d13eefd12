package io.ariadne.shuffle.transport.netty;

import java.util.Map;

/** Damaged messages over plain connections. */
class TestTcpFrameFuzz extends AbstractTestTcpFrameFuzz {
  @Override
  TcpSettings settings() {
    return AbstractTestTcpTransport.plain(Map.of());
  }
}

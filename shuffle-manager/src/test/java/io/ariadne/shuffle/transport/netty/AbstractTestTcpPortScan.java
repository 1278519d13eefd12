package io.ariadne.shuffle.transport.netty;

import io.ariadne.shuffle.transport.Transport;
import io.netty.channel.Channel;

/** Scans the port of an executor that uses TCP. */
abstract class AbstractTestTcpPortScan extends AbstractTestPortScan {
  @Override
  protected Transport start(String name, Transport.Handler handler) {
    return TcpTransport.start(name, settings(), handler);
  }

  @Override
  protected void disconnect(Object connection) {
    var unused = ((Channel) connection).close();
  }
}

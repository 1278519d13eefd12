package io.ariadne.shuffle.transport.netty;

/** With {@code spark.authenticate} and {@code spark.network.crypto.enabled}. */
class TestEncryptedPortScan extends AbstractTestTcpPortScan {
  @Override
  protected boolean encrypts() {
    return true;
  }
}

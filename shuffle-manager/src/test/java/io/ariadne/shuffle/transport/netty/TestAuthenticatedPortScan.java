package io.ariadne.shuffle.transport.netty;

/** With {@code spark.authenticate} alone. */
class TestAuthenticatedPortScan extends AbstractTestTcpPortScan {
  @Override
  protected boolean encrypts() {
    return false;
  }
}

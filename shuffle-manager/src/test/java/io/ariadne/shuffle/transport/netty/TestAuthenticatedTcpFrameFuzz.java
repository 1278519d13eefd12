package io.ariadne.shuffle.transport.netty;

/** Damaged handshakes, and damaged messages of peers that know the secret. */
class TestAuthenticatedTcpFrameFuzz extends AbstractTestTcpFrameFuzz {
  @Override
  TcpSettings settings() {
    return AuthenticatedSettings.encrypted("a secret of all executors");
  }
}

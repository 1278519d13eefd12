package io.ariadne.shuffle.transport.ucx;

/** With authentication and encryption. */
class TestSealedUcxTransport extends AbstractTestUcxTransport {
  @Override
  UcxSecurity security() {
    return new UcxSecurity(true, true);
  }
}

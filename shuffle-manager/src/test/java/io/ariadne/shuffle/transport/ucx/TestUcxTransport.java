package io.ariadne.shuffle.transport.ucx;

/** Without authentication. */
class TestUcxTransport extends AbstractTestUcxTransport {
  @Override
  UcxSecurity security() {
    return new UcxSecurity(false, false);
  }
}

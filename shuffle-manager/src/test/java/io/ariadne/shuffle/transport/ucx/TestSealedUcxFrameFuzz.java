package io.ariadne.shuffle.transport.ucx;

/** Damaged messages with authentication and encryption. */
class TestSealedUcxFrameFuzz extends AbstractTestUcxFrameFuzz {
  @Override
  UcxSecurity security() {
    return new UcxSecurity(true, true);
  }
}

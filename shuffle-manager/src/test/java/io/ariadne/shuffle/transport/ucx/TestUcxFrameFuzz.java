package io.ariadne.shuffle.transport.ucx;

/** Damaged messages without authentication. */
class TestUcxFrameFuzz extends AbstractTestUcxFrameFuzz {
  @Override
  UcxSecurity security() {
    return new UcxSecurity(false, false);
  }
}

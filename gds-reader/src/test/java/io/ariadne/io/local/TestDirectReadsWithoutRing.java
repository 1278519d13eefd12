package io.ariadne.io.local;

class TestDirectReadsWithoutRing extends AbstractTestLinuxFileReader {
  TestDirectReadsWithoutRing() {
    super(DirectReads.ON, false);
  }
}

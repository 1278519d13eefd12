package io.ariadne.operator.project;

import io.ariadne.kernel.testing.OnHost;

/** Strings chosen among columns on the host. */
class TestHostChosenStrings extends AbstractTestChosenStrings implements OnHost {}

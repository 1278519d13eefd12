/** Which test classes a build runs. For the tests of all modules; knows nothing of Ariadne. */
package io.ariadne.testing;

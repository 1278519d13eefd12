/**
 * Defines what Java and the kernels share: layouts of argument structs, opcodes, and the list of
 * GPU code. The kernel build generates most classes of this package from the sources in {@code
 * src/main/cuda}, so that no definition is written twice.
 *
 * <p>It may depend on the JDK only.
 */
package io.ariadne.kernel.abi;

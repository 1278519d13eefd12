/** Tests of the kernels that pair rows, on every back end. */
package io.ariadne.kernel.join;

/** Tests of the GPU Direct Storage reader, over the fake CUDA driver and the fake libcufile. */
package io.ariadne.io.gds;

/** Tests of the sort, on every back end. */
package io.ariadne.operator.sort;

/** Tests of joins, on every back end. */
package io.ariadne.operator.join;

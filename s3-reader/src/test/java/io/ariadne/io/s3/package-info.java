/** Tests of the reader of S3, against a server that S3A's real client talks to. */
package io.ariadne.io.s3;

package io.ariadne.io.cache;

import java.util.HexFormat;

/**
 * Identifies one version of one remote file.
 *
 * @param digest digest of address, length and version, of {@link CacheKeys#DIGEST_BYTES} bytes in
 *     hexadecimal: the name of its folder
 * @param byTime whether the version is the modification time, because the storage's own version was
 *     not known
 */
record ObjectKey(String digest, boolean byTime) {
  /** Returns the bytes of the digest. */
  byte[] digestBytes() {
    return HexFormat.of().parseHex(digest);
  }
}

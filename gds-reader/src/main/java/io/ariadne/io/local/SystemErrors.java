package io.ariadne.io.local;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Error numbers of Linux, equal on all processors that the library is built for. */
final class SystemErrors {
  static final int EPERM = 1;
  static final int ENOENT = 2;
  static final int EINTR = 4;
  static final int EIO = 5;
  static final int EBADF = 9;
  static final int EAGAIN = 11;
  static final int ENOMEM = 12;
  static final int EACCES = 13;
  static final int EBUSY = 16;
  static final int ENOTDIR = 20;
  static final int EISDIR = 21;
  static final int EINVAL = 22;
  static final int ENFILE = 23;
  static final int EMFILE = 24;
  static final int ENAMETOOLONG = 36;
  static final int ENOSYS = 38;
  static final int ELOOP = 40;
  static final int ETIME = 62;
  static final int EOPNOTSUPP = 95;
  static final int ESTALE = 116;
  static final int ECANCELED = 125;

  private SystemErrors() {}

  /**
   * Returns the exception for a failed call on a file, of the class that the Java library throws.
   *
   * @param error negated error number
   * @param file name of the file
   */
  static IOException failure(long error, String file) {
    return switch ((int) -error) {
      case ENOENT -> new NoSuchFileException(file);
      case EACCES -> new AccessDeniedException(file);
      default -> new FileSystemException(file, null, describe(error));
    };
  }

  /** Returns the kernel's words for a negated error number, with the number. */
  static String describe(long error) {
    int number = (int) -error;
    String text =
        switch (number) {
          case EPERM -> "Operation not permitted";
          case ENOENT -> "No such file or directory";
          case EIO -> "Input/output error";
          case EBADF -> "Bad file descriptor";
          case EAGAIN -> "Resource temporarily unavailable";
          case ENOMEM -> "Cannot allocate memory";
          case EACCES -> "Permission denied";
          case ENOTDIR -> "Not a directory";
          case EISDIR -> "Is a directory";
          case EINVAL -> "Invalid argument";
          case ENFILE -> "Too many open files in system";
          case EMFILE -> "Too many open files (raise ulimit -n)";
          case ENAMETOOLONG -> "File name too long";
          case ENOSYS -> "Function not implemented";
          case ELOOP -> "Too many levels of symbolic links";
          case EOPNOTSUPP -> "Operation not supported";
          case ESTALE -> "Stale file handle";
          default -> "System error";
        };
    return text + " (" + number + ")";
  }
}

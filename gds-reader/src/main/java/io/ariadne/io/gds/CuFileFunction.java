package io.ariadne.io.gds;

import java.util.List;

/** The functions of libcufile that are used. */
enum CuFileFunction {
  /** Since cuFile 1.8; an older library counts as absent. */
  GET_VERSION(true, "cuFileGetVersion"),
  DRIVER_OPEN(true, "cuFileDriverOpen"),
  /** The header of cuFile redirects to the second version. */
  DRIVER_CLOSE(true, "cuFileDriverClose_v2", "cuFileDriverClose"),
  DRIVER_GET_PROPERTIES(true, "cuFileDriverGetProperties"),
  HANDLE_REGISTER(true, "cuFileHandleRegister"),
  HANDLE_DEREGISTER(true, "cuFileHandleDeregister"),
  BUFFER_REGISTER(true, "cuFileBufRegister"),
  BUFFER_DEREGISTER(true, "cuFileBufDeregister"),
  READ(true, "cuFileRead"),
  SET_BOOLEAN(false, "cuFileSetParameterBool"),
  BATCH_SET_UP(false, "cuFileBatchIOSetUp"),
  BATCH_SUBMIT(false, "cuFileBatchIOSubmit"),
  BATCH_GET_STATUS(false, "cuFileBatchIOGetStatus"),
  BATCH_CANCEL(false, "cuFileBatchIOCancel"),
  BATCH_DESTROY(false, "cuFileBatchIODestroy"),
  STREAM_REGISTER(false, "cuFileStreamRegister"),
  STREAM_DEREGISTER(false, "cuFileStreamDeregister"),
  READ_ASYNC(false, "cuFileReadAsync");

  /** What batches need. */
  static final List<CuFileFunction> BATCHES =
      List.of(BATCH_SET_UP, BATCH_SUBMIT, BATCH_GET_STATUS, BATCH_CANCEL, BATCH_DESTROY);

  /** What reads on CUDA streams need. */
  static final List<CuFileFunction> STREAMS =
      List.of(STREAM_REGISTER, STREAM_DEREGISTER, READ_ASYNC);

  private final boolean isRequired;
  private final List<String> symbols;

  CuFileFunction(boolean isRequired, String... symbols) {
    this.isRequired = isRequired;
    this.symbols = List.of(symbols);
  }

  /** Returns whether nothing works without it. */
  boolean isRequired() {
    return isRequired;
  }

  /** Returns its names, the best first. */
  List<String> symbols() {
    return symbols;
  }
}

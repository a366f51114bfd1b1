/** Codes of ClickHouse for data that is on disk but cannot be read. */
export const DAMAGE_CODES: ReadonlySet<string> = new Set([
  '3', // UNEXPECTED_END_OF_FILE
  '32', // ATTEMPT_TO_READ_AFTER_EOF
  '33', // CANNOT_READ_ALL_DATA
  '40', // CHECKSUM_DOESNT_MATCH
  '74', // CANNOT_READ_FROM_FILE_DESCRIPTOR
  '107', // FILE_DOESNT_EXIST
  '226', // NO_FILE_IN_DATA_PART
  '228', // BAD_SIZE_OF_FILE_IN_DATA_PART
  '231', // INCORRECT_MARK
  '246', // CORRUPTED_DATA
  '271', // CANNOT_DECOMPRESS
  '432', // UNKNOWN_CODEC
])

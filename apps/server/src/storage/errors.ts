/** A store was written by a newer (or differently built) program; nothing was changed. */
export class StorageVersionError extends Error {
  override readonly name = 'StorageVersionError'
}

/** A store exists but cannot be read. The message names the file or folder and what to do. */
export class StorageCorruptError extends Error {
  override readonly name = 'StorageCorruptError'
}

/** A store cannot be used now (in use by another process, no engine for this platform, does not start). */
export class StorageUnavailableError extends Error {
  override readonly name = 'StorageUnavailableError'
}

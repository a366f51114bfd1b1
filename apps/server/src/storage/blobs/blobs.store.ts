/** PORT: immutable byte strings, addressed by content inside an organisation. */
export interface BlobStore {
  /**
   * Stores the bytes durably (fsync), compressed where that gains something, and returns their key:
   * `<organizationId>/<sha256 hex of the bytes>`. Storing twice is a no-op.
   */
  put(blobs: readonly NewBlob[]): Promise<string[]>
  /**
   * The same for what lies in a file, which is read piece by piece. The file stays where it is.
   *
   * @returns null when the file is not there, or is not what it was
   */
  putFile(file: BlobFile): Promise<string | null>
  /** The bytes as they were given; null when the key is unknown. @throws DamagedBlob (a StoreFault) */
  get(key: string): Promise<Uint8Array | null>
  /**
   * The same piece by piece, each when it is asked for. That the whole is damaged is known at its end: then the last piece
   * does not come, but a DamagedBlob.
   */
  open(key: string): Promise<AsyncIterable<Uint8Array> | null>
  /** Bytes that each of these takes in the store, packed as it is there; without those that are not there. */
  sizes(keys: readonly string[]): Promise<ReadonlyMap<string, number>>
  remove(keys: readonly string[]): Promise<void>
}

export interface NewBlob {
  readonly organizationId: number
  readonly bytes: Uint8Array
  /** Of the bytes, in hex, where another thread has made it: for a megabyte it takes the main thread some milliseconds. */
  readonly sha256?: string
}

/** A file whose content is to be a blob. */
export interface BlobFile {
  readonly organizationId: number
  readonly path: string
  readonly bytes: number
  /** Hex. */
  readonly sha256: string
}

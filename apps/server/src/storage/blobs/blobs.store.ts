/** PORT: immutable byte strings, addressed by content inside an organisation. */
export interface BlobStore {
  /**
   * Stores the bytes durably (fsync), compressed where that gains something, and returns their key:
   * `<organizationId>/<sha256 hex of the bytes>`. Storing twice is a no-op.
   */
  put(blobs: readonly { organizationId: number; bytes: Uint8Array }[]): Promise<string[]>
  /** The bytes as they were given; null when the key is unknown. @throws StoreFault when what is stored is damaged */
  get(key: string): Promise<Uint8Array | null>
  remove(keys: readonly string[]): Promise<void>
}

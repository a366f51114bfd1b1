/** PORT: immutable byte strings, addressed by content inside an organisation. */
export interface BlobStore {
  /** Stores the bytes durably (fsync) and returns their key: `<organizationId>/<sha256 hex>`. Storing twice is a no-op. */
  put(blobs: readonly { organizationId: number; bytes: Uint8Array }[]): Promise<string[]>
  /** Null when the key is unknown. */
  get(key: string): Promise<Uint8Array | null>
  remove(keys: readonly string[]): Promise<void>
}

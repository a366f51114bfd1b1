import { createHash } from 'node:crypto'
import type { NewBlob } from './blobs.store.ts'

const KEY = /^([1-9]\d{0,15})\/([0-9a-f]{64})$/

/** Null for anything that `put` does not make: a key may come from a request, and becomes part of a path. */
export const readBlobKey = (key: string): { readonly organizationId: number; readonly hash: string } | null => {
  const match = KEY.exec(key)
  const [, organization, hash] = match ?? []
  return organization === undefined || hash === undefined ? null : { organizationId: Number(organization), hash }
}

/** The second part of a blob's key. */
export const hashOfBlob = ({ bytes, sha256 }: NewBlob): string =>
  sha256 ?? createHash('sha256').update(bytes).digest('hex')

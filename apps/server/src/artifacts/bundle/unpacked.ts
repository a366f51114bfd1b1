import type { ManifestFile } from './manifest.ts'

/** A file of a bundle, unpacked and looked at. */
export interface UnpackedFile extends Pick<
  ManifestFile,
  'kind' | 'type' | 'url' | 'debugId' | 'sourceMap' | 'headers'
> {
  readonly bytes: number
  /** Hex, as is the next. */
  readonly sha1: string
  readonly sha256: string
  /** Null for a large one, which is in a file. */
  readonly content: Uint8Array | null
  readonly path: string | null
}

/** What the thread answers each time that it is asked. */
export type Unpacked =
  | { readonly kind: 'files'; readonly files: readonly UnpackedFile[]; readonly hasMore: boolean }
  /** The bundle is at fault: a sentence for whoever uploaded it. */
  | { readonly kind: 'refused'; readonly sentence: string }

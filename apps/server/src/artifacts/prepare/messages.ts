export type PrepareRequest = PrepareMapRequest | PrepareMappingRequest

/** Paths of files: what is read, and where what is made of it is written. */
export interface PrepareMapRequest {
  readonly kind: 'map'
  readonly map: string
  /** The code that it belongs to; null where nobody uploaded it. Where it is not parsed for names of functions, its beginning is enough. */
  readonly code: { readonly path: string; readonly isParsed: boolean } | null
  readonly out: string
  /** Address of the map: what it names stands beside it. */
  readonly url: string
  /** Sources that were uploaded by themselves; null for none. */
  readonly sources: WrittenSources | null
}

/** The same for a mapping of ProGuard or R8. */
export interface PrepareMappingRequest {
  readonly kind: 'mapping'
  readonly mapping: string
  readonly out: string
}

/** One file with the sources of a bundle, one behind the other. */
export interface WrittenSources {
  readonly path: string
  readonly files: readonly { readonly url: string; readonly start: number; readonly bytes: number }[]
}

export type PrepareAnswer =
  | { readonly kind: 'prepared'; readonly bytes: number; readonly sha256: string }
  /** A sentence for whoever uploaded it. */
  | { readonly kind: 'refused'; readonly sentence: string }
  /** The machine has no room or no memory now: another time may be better. For the log. */
  | { readonly kind: 'away'; readonly error: string }
  /** The same try again would end the same. For the log. */
  | { readonly kind: 'failed'; readonly error: string }

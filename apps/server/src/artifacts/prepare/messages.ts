/** Paths of files: what is read, and where what is made of it is written. */
export interface PrepareRequest {
  readonly map: string
  /** The code that it belongs to, for names of functions; null where nobody uploaded it. */
  readonly code: string | null
  readonly out: string
}

export type PrepareAnswer =
  | { readonly kind: 'prepared'; readonly bytes: number; readonly sha256: string }
  /** A sentence for whoever uploaded it. */
  | { readonly kind: 'refused'; readonly sentence: string }
  /** The machine has no room or no memory now: another time may be better. For the log. */
  | { readonly kind: 'away'; readonly error: string }
  /** The same try again would end the same. For the log. */
  | { readonly kind: 'failed'; readonly error: string }

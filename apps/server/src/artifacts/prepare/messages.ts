export interface PrepareRequest {
  readonly map: Uint8Array
  /** The code that it belongs to, for names of functions; null where nobody uploaded it. */
  readonly code: Uint8Array | null
}

export type PrepareAnswer =
  | { readonly kind: 'prepared'; readonly prepared: Uint8Array }
  /** A sentence for whoever uploaded it. */
  | { readonly kind: 'refused'; readonly sentence: string }

/** A part of a list, the newest first, that is paged by the last row that was given. */
export interface MomentPage {
  /** Null for the beginning. */
  readonly behind: { readonly at: number; readonly id: number } | null
  readonly limit: number
}

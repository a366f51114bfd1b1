/** A part of a list that is paged by how many come before. */
export interface OffsetPage {
  readonly offset: number
  readonly limit: number
}

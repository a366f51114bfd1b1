/** How something that is watched stands, and how its days were; what nobody knows of a day is neither good nor bad. */
export interface Standing {
  readonly isBad: boolean
  /** There was a result. */
  readonly isKnown: boolean
  readonly days: readonly { readonly day: number; readonly good: number; readonly bad: number }[]
}

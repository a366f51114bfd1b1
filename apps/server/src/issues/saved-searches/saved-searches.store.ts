export interface SavedSearch {
  readonly name: string
  readonly query: string
  readonly sort: string
  /** Everybody of the organisation sees it. */
  readonly shared: boolean
}

export interface SavedSearchRecord extends SavedSearch {
  readonly id: number
  /** Milliseconds since the epoch. */
  readonly createdAt: number
}

export interface SaveRequest extends SavedSearch {
  readonly organizationId: number
  readonly userId: number
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** `same`: the name of the search that asks the same. */
export type SaveRefusal = { readonly kind: 'full' } | { readonly kind: 'same'; readonly name: string }

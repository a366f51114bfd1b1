import type { Result } from '../../lib/result.ts'

/** PORT: searches that people keep under a name. Nobody sees or changes the own ones of another person. */
export interface SavedSearches {
  /** Those of the person and those that the organisation shares, by name. */
  list(organizationId: number, userId: number): Promise<readonly SavedSearchRecord[]>
  /** Refused when there are `SAVED_SEARCHES` of the kind, or one asks the same. */
  add(request: SaveRequest): Promise<Result<SavedSearchRecord, SaveRefusal>>
  /** Undefined when the person sees no search of this id. */
  change(id: number, request: SaveRequest): Promise<Result<SavedSearchRecord, SaveRefusal> | undefined>
  /** False when the person sees no search of this id. */
  remove(organizationId: number, userId: number, id: number): Promise<boolean>
  /** The own searches of somebody who left. */
  forget(organizationId: number, userId: number): Promise<void>
}

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

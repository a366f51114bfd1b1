/** Somebody who has an id, an e-mail address or a name. */
export interface NamedUser {
  readonly by: 'user'
  readonly ids: readonly string[]
  readonly emails: readonly string[]
  readonly name: string
}

/** Who recorded a replay. Without a user, whoever has this address and browser: that may be several. */
export type Visitor =
  | NamedUser
  | {
      readonly by: 'address'
      readonly ip: string
      readonly browser: string
      readonly version: string
      readonly os: string
    }

/**
 * Whose replays are deleted, as jobs keep it. Without a user, whoever has an address and browser may be several: then these
 * replays alone.
 */
export type ChosenVisitor = NamedUser | { readonly by: 'address'; readonly replayIds: readonly string[] }

/** Ids and e-mail addresses of one visitor. */
export interface JoinedVisitor {
  readonly ids: readonly string[]
  readonly emails: readonly string[]
}

/** … as they were looked up. */
export interface FoundVisitor extends JoinedVisitor {
  /** No more of them are known. */
  readonly isWhole: boolean
}

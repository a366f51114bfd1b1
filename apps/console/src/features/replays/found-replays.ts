import type { Replay } from '@firsthand/contract'

import type { ReplaySearch } from './model/replay-search.ts'

/** A replay of a list. */
export interface FoundReplay {
  /** Of its row. */
  readonly key: string
  readonly id: string
  /** Its id. */
  readonly project: string
  /** Where its row leads. */
  readonly lead: ReplaySearch
}

/** The rows from which somebody opened a replay, as they stood there: what is seen may leave a list of what is not seen yet. */
export interface FoundReplays {
  readonly org: string
  /** What was searched for; '' for nothing in particular. */
  readonly query: string
  /** The list goes on after them. */
  readonly hasMore: boolean
  readonly replays: readonly FoundReplay[]
}

let found: FoundReplays | null = null
let lastKey: string | null = null

/** Somebody leaves a list for one of its replays. @param key of its row */
export function rememberFound(rows: FoundReplays, key: string): void {
  found = rows
  lastKey = key
}

/** The player led on to another one: the keyboard stands on its row when one comes back to the list. */
export const rememberReplay = (key: string): void => {
  lastKey = key
}

/** Key of the row of the replay that one looked at last. */
export const rememberedReplay = (): string | null => lastKey

/** Where a replay stands among those from which somebody opened one last; null where it is none of them. */
export function placeInFound(org: string, { id, project_id: project }: Pick<Replay, 'id' | 'project_id'>) {
  if (found?.org !== org) return null
  const { hasMore, query, replays } = found
  const at = replays.findIndex((one) => one.id === id && one.project === project)
  if (at === -1) return null
  return {
    query,
    hasMore,
    number: at + 1,
    count: replays.length,
    previous: replays[at - 1] ?? null,
    next: replays[at + 1] ?? null,
  }
}

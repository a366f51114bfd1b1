import { isWithin, type Clock } from '../lib/clock.ts'
import { RecentMap } from '../lib/recent-map.ts'
import { LIMITS } from './limits.ts'
import type { AccountStore } from './accounts.store.ts'
import { readProjectSettings } from './settings-json.ts'
import type { ProjectLookup } from './settings.ts'

/**
 * One look per key and `KEY_CACHE_SECONDS`, also when many ask at once. What does not exist is remembered as well, for
 * `UNKNOWN_KEY_CACHE_SECONDS`.
 */
const createCache = <Value>(clock: Clock, load: (key: string) => Promise<Value | null>) => {
  const entries = new RecentMap<
    string,
    { readonly at: number; readonly value: Promise<Value | null>; seconds: number }
  >(LIMITS.LOOKUP_CACHE_ENTRIES)
  return {
    get(key: string): Promise<Value | null> {
      const now = clock.now()
      const known = entries.get(key)
      if (known !== undefined && isWithin(known.at, known.seconds * 1000, now)) return known.value
      const value = load(key)
      const entry = { at: now, value, seconds: LIMITS.KEY_CACHE_SECONDS as number }
      entries.set(key, entry)
      value.then(
        (found) => {
          if (found === null) entry.seconds = LIMITS.UNKNOWN_KEY_CACHE_SECONDS
        },
        () => {
          if (entries.peek(key) === entry) entries.delete(key)
        },
      )
      return value
    },
    clear: () => entries.clear(),
  }
}

/** `clear` makes a change visible at once in this process; other processes and threads see it within `KEY_CACHE_SECONDS`. */
export const createProjectLookup = ({
  store,
  clock,
}: {
  readonly store: Pick<AccountStore, 'keyContext' | 'projectContext' | 'touchKey'>
  readonly clock: Clock
}): ProjectLookup & { clear(): void } => {
  const keys = createCache(clock, async (publicKey) => {
    const found = await store.keyContext(publicKey)
    if (found === null) return null
    const { lastUsedAt, ...context } = found
    const now = clock.now()
    if (lastUsedAt === null || !isWithin(lastUsedAt, LIMITS.KEY_USED_RESOLUTION_SECONDS * 1000, now)) {
      // Nobody waits for this note, and events are let in without it.
      store.touchKey(context.keyId, now).catch(() => {})
    }
    return { ...context, settings: readProjectSettings(context.settings) }
  })
  const projects = createCache(clock, async (projectId) => {
    const context = await store.projectContext(Number(projectId))
    return context === null ? null : { ...context, settings: readProjectSettings(context.settings) }
  })
  return {
    byPublicKey: (publicKey) => keys.get(publicKey),
    byProjectId: (projectId) => projects.get(String(projectId)),
    clear: () => {
      keys.clear()
      projects.clear()
    },
  }
}

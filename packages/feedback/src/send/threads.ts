import { KEPT_FLAG, removeStored } from './draft.ts'

/** Of reports that have arrived: where their answers stand. So many, so long. */
const MOST = 5
const THREADS_MS = 90 * 24 * 60 * 60 * 1000
/** Longer addresses are not ours. */
const LONGEST_URL = 500

interface Thread {
  readonly at: number
  readonly url: string
}

const keyOf = (dsn: string): string => `${KEPT_FLAG}-threads:${dsn}`

/** Newest first. What somebody else wrote there is not believed. */
const read = (dsn: string): Thread[] => {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(dsn)) ?? '[]')
    if (!Array.isArray(kept)) return []
    return (kept as (Partial<Thread> | null)[]).filter(
      (each): each is Thread =>
        typeof each?.at === 'number' &&
        Date.now() - each.at < THREADS_MS &&
        typeof each.url === 'string' &&
        /^https?:\/\//.test(each.url),
    )
  } catch {
    // No storage, or text that no list is made of.
    return []
  }
}

export const lastThreadOf = (dsn: string): string | undefined => read(dsn)[0]?.url

/** On a device that others use as well, the way to an answer is not theirs. */
export const forgetThreads = (dsn: string): void => removeStored(keyOf(dsn))

export const rememberThread = (dsn: string, url: string): void => {
  if (url.length > LONGEST_URL) return
  try {
    const others = read(dsn).filter((each) => each.url !== url)
    localStorage.setItem(keyOf(dsn), JSON.stringify([{ at: Date.now(), url }, ...others].slice(0, MOST)))
  } catch {
    // The banner has shown the link.
  }
}

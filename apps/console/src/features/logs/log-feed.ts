import type { LogLine } from '@firsthand/contract'
import { useEffect, useRef, useState } from 'react'

import { HELD_LINES, mergeLines, newLines, placeBehind } from './model/lines.ts'
import { fetchLines, fetchTail, type LogScope, type Page } from './queries.ts'

const TAIL_EVERY_MS = 1000

interface Feed {
  /** Newest first. */
  readonly lines: readonly LogLine[]
  /** Came since the list was held, newest first. */
  readonly waiting: readonly LogLine[]
  readonly older: string | null
  readonly newer: string | null
  /** How far back was looked, when there was not the time for all. */
  readonly searchedTo: string | null
  /** Lines that came faster than they are shown. */
  readonly skipped: number
}

const EMPTY: Feed = { lines: [], waiting: [], older: null, newer: null, searchedTo: null, skipped: 0 }

export interface LogFeed extends Feed {
  readonly state: 'loading' | 'failed' | 'ready'
  readonly error: unknown
  /** Further lines are on their way. */
  readonly loads: 'older' | 'newer' | null
  readonly retry: () => void
  readonly loadOlder: () => void
  readonly loadNewer: () => void
}

/** What is asked for, as a text: the same question is asked once, however often its parts are made anew. */
type Asked = readonly [org: string, search: LogScope, startLine: string | null, attempt: number]

const readAsked = (asked: string): Asked => JSON.parse(asked) as Asked

/**
 * The lines that a search finds: a page, those before and after it on request, and while it is live, what comes.
 *
 * @param startLine the list begins with it; without it, with the newest
 * @param isLive whether new lines are asked for
 * @param isHeld whether they wait instead of moving what one reads
 */
export function useLogFeed(
  org: string,
  search: LogScope,
  {
    startLine,
    isLive,
    isHeld,
  }: { readonly startLine: string | undefined; readonly isLive: boolean; readonly isHeld: boolean },
): LogFeed {
  const [attempt, setAttempt] = useState(0)
  const asked = JSON.stringify([org, search, startLine ?? null, attempt] satisfies Asked)
  const [feed, setFeed] = useState<Feed>(EMPTY)
  const [status, setStatus] = useState<{ readonly asked: string; readonly error: unknown } | null>(null)
  const [loads, setLoads] = useState<LogFeed['loads']>(null)
  const [tail, setTail] = useState<TailPlace | null>(null)
  const request = useRef(new AbortController())

  useEffect(() => {
    const own = new AbortController()
    request.current = own
    loadFirst(asked, own.signal)
      .then(({ page, after }) => {
        setFeed({ ...EMPTY, ...positions(page), lines: page.lines })
        setTail({ asked, after })
        setStatus({ asked, error: null })
      })
      .catch((error: unknown) => {
        if (!own.signal.aborted) setStatus({ asked, error })
      })
    return () => own.abort()
  }, [asked])

  const isKnown = status?.asked === asked
  useTail({ asked, isOn: isLive && isKnown && status.error === null, isHeld, tail, setFeed })
  // What waits goes to its place as soon as nothing is held any more.
  if (!isHeld && feed.waiting.length > 0) setFeed({ ...feed, ...showWaiting(feed) })

  const loadMore = (direction: 'older' | 'newer'): void => {
    const from = direction === 'older' ? feed.older : feed.newer
    if (from === null || loads !== null) return
    const { signal } = request.current
    setLoads(direction)
    fetchLines(org, search, direction === 'older' ? { before: from } : { after: from }, signal)
      .then((page) => {
        if (!signal.aborted) setFeed((known) => withPage(known, page, direction))
      })
      .catch((error: unknown) => {
        if (!signal.aborted) setStatus({ asked, error })
      })
      .finally(() => setLoads(null))
  }
  return {
    ...(isKnown ? feed : EMPTY),
    state: !isKnown ? 'loading' : status.error === null ? 'ready' : 'failed',
    error: isKnown ? status.error : null,
    loads,
    retry: () => setAttempt((times) => times + 1),
    loadOlder: () => loadMore('older'),
    loadNewer: () => loadMore('newer'),
  }
}

/** First where the tail begins, so that no line can fall between it and the page. */
async function loadFirst(asked: string, signal: AbortSignal): Promise<{ readonly page: Page; readonly after: string }> {
  const [org, search, startLine] = readAsked(asked)
  const begin = await fetchTail(org, search, null, signal)
  const page = await fetchLines(org, search, startLine === null ? {} : { before: placeBehind(startLine) }, signal)
  return { page, after: begin.next }
}

function withPage(feed: Feed, page: Page, direction: 'older' | 'newer'): Feed {
  return {
    ...feed,
    lines: mergeLines(feed.lines, page.lines),
    ...(direction === 'older'
      ? { older: page.older, searchedTo: page.searchedTo }
      : { newer: page.newer ?? feed.newer }),
  }
}

const positions = ({ older, newer, searchedTo }: Page) => ({ older, newer, searchedTo })

function showWaiting({ lines, waiting }: Feed): Pick<Feed, 'lines' | 'waiting'> {
  return { lines: mergeLines(waiting, lines).slice(0, HELD_LINES), waiting: [] }
}

/** Where the tail goes on, and of which question. */
interface TailPlace {
  readonly asked: string
  readonly after: string
}

/** Asks every second for what came, one question at a time, as long as somebody looks. */
function useTail({
  asked,
  isOn,
  isHeld,
  tail,
  setFeed,
}: {
  readonly asked: string
  readonly isOn: boolean
  readonly isHeld: boolean
  readonly tail: TailPlace | null
  readonly setFeed: (change: (feed: Feed) => Feed) => void
}): void {
  const held = useRef(isHeld)
  const position = useRef<TailPlace | null>(null)
  useEffect(() => {
    held.current = isHeld
  })
  useEffect(() => {
    if (tail !== null) position.current = tail
  }, [tail])
  useEffect(() => {
    if (!isOn) return undefined
    const own = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const [org, search] = readAsked(asked)
    const ask = async (): Promise<void> => {
      const from = position.current
      if (from?.asked !== asked || document.visibilityState === 'hidden') return
      const { lines, next, skipped } = await fetchTail(org, search, from.after, own.signal)
      position.current = { asked, after: next }
      if (lines.length === 0) return
      setFeed((known) => {
        // The tail begins before the page ends: what is there already does not wait.
        const waiting = mergeLines(newLines(lines, known.lines), known.waiting).slice(0, HELD_LINES)
        const came = { ...known, waiting, skipped: known.skipped + skipped }
        return held.current ? came : { ...came, ...showWaiting(came) }
      })
    }
    const again = (): void => {
      timer = setTimeout(() => {
        // A question that fails is asked again a second later: what came meanwhile is in the next answer.
        ask()
          .catch(() => undefined)
          .finally(() => {
            if (!own.signal.aborted) again()
          })
      }, TAIL_EVERY_MS)
    }
    again()
    return () => {
      own.abort()
      clearTimeout(timer)
    }
  }, [isOn, asked, setFeed])
}

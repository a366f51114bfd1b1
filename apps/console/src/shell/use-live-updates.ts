import { streamLive } from '@firsthand/contract'
import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api } from '../lib/api.ts'
import { publishLiveMessage } from '../lib/live.ts'
import { organizationKeys } from '../lib/query-keys.ts'
import { type LiveRefresh, useFeatures } from './feature.ts'
import { refreshQueries } from './refresh-queries.ts'

/** Messages within this time are handled together. */
const DEBOUNCE_MS = 300
/** After the stream was refused. */
const REOPEN_AFTER_MS = 5000

/**
 * Keeps the organisation's page in step with the server: messages of its event stream refresh what the manifests of the
 * features say. While the page is hidden the stream is closed; when it is seen again everything shown is refreshed once.
 */
export function useLiveUpdates(org: string): void {
  const queryClient = useQueryClient()
  const features = useFeatures()
  useEffect(() => {
    const refresh = (keys: readonly QueryKey[]): void => void refreshQueries(queryClient, keys)
    const refreshers = features
      .flatMap(({ live = [] }) => live)
      .map((rule) => ({ message: rule.message, ...createRefresher(rule, org, refresh) }))
    const stream = createLiveStream({
      url: api.url(streamLive, { params: { org } }),
      names: new Set(refreshers.map(({ message }) => message)),
      onMessage: (name, data) => {
        publishLiveMessage(name, data)
        for (const refresher of refreshers) if (refresher.message === name) refresher.add(data)
      },
      // The banner asks at once whether the server is there.
      onLost: () => refresh([organizationKeys.status(org)]),
      onMissed: () => refresh([organizationKeys.all(org)]),
    })
    return () => {
      stream.end()
      for (const refresher of refreshers) refresher.end()
    }
  }, [org, queryClient, features])
}

/** Collects the messages of one rule, and refreshes what they are about together. */
function createRefresher(
  { keys, minIntervalMs = 0 }: LiveRefresh,
  org: string,
  refresh: (keys: readonly QueryKey[]) => void,
): { add(data: unknown): void; end(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined
  let refreshedAt = 0
  let messages: unknown[] = []
  const run = (): void => {
    timer = undefined
    refreshedAt = Date.now()
    const together = messages
    messages = []
    refresh(keys(org, together))
  }
  return {
    add(data) {
      messages.push(data)
      timer ??= setTimeout(run, Math.max(DEBOUNCE_MS, refreshedAt + minIntervalMs - Date.now()))
    },
    end: () => clearTimeout(timer),
  }
}

interface LiveStreamOptions {
  readonly url: string
  readonly names: ReadonlySet<string>
  readonly onMessage: (name: string, data: unknown) => void
  readonly onLost: () => void
  /** The stream is open again after a time in which messages may have been missed. */
  readonly onMissed: () => void
}

/** The server's event stream: open while the page is seen, opened again when it was lost. */
function createLiveStream({ url, names, onMessage, onLost, onMissed }: LiveStreamOptions): { end(): void } {
  let source: EventSource | undefined
  let reopenTimer: ReturnType<typeof setTimeout> | undefined
  let isLost = false

  const open = (): void => {
    source = new EventSource(url)
    source.addEventListener('error', lost)
    source.addEventListener('open', opened)
    for (const name of names) {
      source.addEventListener(name, (event: MessageEvent<string>) => onMessage(name, parseJson(event.data)))
    }
  }

  /** The browser connects again by itself, unless the answer was a refusal. */
  const lost = (): void => {
    isLost = true
    onLost()
    if (source?.readyState !== EventSource.CLOSED) return
    close()
    reopenTimer = setTimeout(open, REOPEN_AFTER_MS)
  }

  /** What happened in the meantime is asked for, and what failed in the meantime is asked for again. */
  const opened = (): void => {
    if (!isLost) return
    isLost = false
    onMissed()
  }

  const close = (): void => {
    clearTimeout(reopenTimer)
    source?.close()
    source = undefined
  }

  const onVisibility = (): void => {
    if (document.visibilityState === 'hidden') close()
    else if (source === undefined) {
      open()
      onMissed()
    }
  }

  if (document.visibilityState === 'visible') open()
  document.addEventListener('visibilitychange', onVisibility)
  return {
    end() {
      document.removeEventListener('visibilitychange', onVisibility)
      close()
    },
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // A message that cannot be read is ignored, like one of a newer server.
    return null
  }
}

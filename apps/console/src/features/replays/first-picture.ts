import { queryOptions } from '@tanstack/react-query'

import { organizationKeys } from '../../lib/query-keys.ts'

/** A replay that draws nothing for so long keeps nobody waiting. */
const LONGEST_MS = 10_000

const waiting = new Map<string, () => void>()

/**
 * The first picture of a replay is a part of its page, although nothing answers with it: until it stands, guesses about other
 * pages would take the network, and the time of the thread that draws, from it.
 */
export const firstPictureQuery = (org: string, replay: string) =>
  queryOptions({
    queryKey: [...organizationKeys.all(org), 'replay', replay, 'first picture'],
    queryFn: () =>
      new Promise<true>((resolve) => {
        const end = (): void => {
          clearTimeout(timer)
          waiting.delete(replay)
          resolve(true)
        }
        const timer = setTimeout(end, LONGEST_MS)
        waiting.set(replay, end)
      }),
    staleTime: Infinity,
    meta: { page: true },
  })

/** It stands, or will not be drawn. */
export const endFirstPicture = (replay: string): void => waiting.get(replay)?.()

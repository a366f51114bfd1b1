import type { QueryKey } from '@tanstack/react-query'

import { organizationKeys } from '../../lib/query-keys.ts'

/** By themselves, without the questions: the manifest, which names them, comes with every page. */

const playbacksKey = (org: string) => [...organizationKeys.all(org), 'replay playback'] as const
export const playbackKey = (org: string, replay: string) => [...playbacksKey(org), replay] as const

export const replaysKey = (org: string) => [...organizationKeys.all(org), 'replays'] as const
export const replayListKey = (org: string) => [...replaysKey(org), 'list'] as const

/**
 * What players are to be told again after live messages about replays: what there is of each replay that they name; of
 * all that are open where one names none, as the server does when they are too many.
 */
export function playbacksOf(org: string, messages: readonly unknown[]): readonly QueryKey[] {
  const named = messages.map((message) => (message as { readonly replayIds?: unknown } | null)?.replayIds)
  if (!named.every(Array.isArray)) return [playbacksKey(org)]
  return [...new Set(named.flat() as readonly string[])].map((replay) => playbackKey(org, replay))
}

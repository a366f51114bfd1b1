import type { Replay } from '@firsthand/contract'

/** Where a replay stands among those of its visitor; null where it is the only one. */
export function placeIn(
  replays: readonly Replay[],
  { id, project_id: project }: Replay,
): {
  readonly number: number
  readonly count: number
  readonly previous: Replay | null
  readonly next: Replay | null
} | null {
  const at = replays.findIndex((one) => one.id === id && one.project_id === project)
  if (at === -1 || replays.length < 2) return null
  return { number: at + 1, count: replays.length, previous: replays[at - 1] ?? null, next: replays[at + 1] ?? null }
}

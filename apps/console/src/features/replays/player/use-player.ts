import { useSyncExternalStore } from 'react'

import type { Player, PlayerSnapshot } from './engine.ts'

/** A value of the player, as it changes. It has to be the same as long as nothing changed: a number, a text. */
export function usePlayerValue<Value extends string | number | boolean | null>(
  player: Player,
  select: (snapshot: PlayerSnapshot) => Value,
): Value {
  return useSyncExternalStore(player.subscribe, () => select(player.snapshot()))
}

/** Frames of the window. */
export const screenClock = {
  now: () => performance.now(),
  onFrame(run: () => void): () => void {
    const frame = requestAnimationFrame(run)
    return () => cancelAnimationFrame(frame)
  },
}

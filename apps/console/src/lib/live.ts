import type { LiveFact } from '@firsthand/contract'
import { useEffect, useRef } from 'react'

/** Facts of the organisation on screen, as they happen. The frame feeds them from the server's event stream. */
const listeners = new Set<(fact: LiveFact) => void>()

/** Hands a fact to everybody who listens. */
export function publishLiveFact(fact: LiveFact): void {
  for (const listener of listeners) listener(fact)
}

/** Calls back for every fact while the component is mounted. Lists and counts are already refreshed by the frame. */
export function useLiveFacts(onFact: (fact: LiveFact) => void): void {
  const latest = useRef(onFact)
  useEffect(() => {
    latest.current = onFact
  })
  useEffect(() => {
    const listener = (fact: LiveFact): void => latest.current(fact)
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  }, [])
}

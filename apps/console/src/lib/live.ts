import { useEffect, useRef } from 'react'

type Listener = (data: unknown) => void

/** Who listens, by the name of the message. The frame feeds them from the server's event stream. */
const listeners = new Map<string, Set<Listener>>()

/** Hands a live message of the organisation on screen to everybody who listens. `data` is its JSON. */
export function publishLiveMessage(name: string, data: unknown): void {
  for (const listener of listeners.get(name) ?? []) listener(data)
}

/** Calls back for every message of that name while the component is mounted. What manifests name is already refreshed. */
export function useLiveMessages(name: string, onMessage: Listener): void {
  const latest = useRef(onMessage)
  useEffect(() => {
    latest.current = onMessage
  })
  useEffect(() => {
    const listener: Listener = (data) => latest.current(data)
    const known = listeners.get(name) ?? new Set()
    listeners.set(name, known.add(listener))
    return () => {
      known.delete(listener)
    }
  }, [name])
}

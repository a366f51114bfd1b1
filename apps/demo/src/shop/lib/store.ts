import { useSyncExternalStore } from 'react'

export interface Store<Value> {
  get(): Value
  set(value: Value): void
  use(): Value
}

/** A value that components follow; kept for the tab under `key`, if there is one. */
export const createStore = <Value>(initial: Value, key?: string): Store<Value> => {
  const listeners = new Set<() => void>()
  const kept = key === undefined ? null : sessionStorage.getItem(key)
  let value = kept === null ? initial : (JSON.parse(kept) as Value)
  const subscribe = (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  const get = (): Value => value
  return {
    get,
    set: (next) => {
      value = next
      if (key !== undefined) sessionStorage.setItem(key, JSON.stringify(next))
      for (const listener of listeners) listener()
    },
    use: () => useSyncExternalStore(subscribe, get),
  }
}

import { useEffect, useRef, useSyncExternalStore } from 'react'
import type { Icon } from './icons.tsx'

/** One thing the command palette (⌘K) can do. */
export interface Command {
  /** Unique among the commands of the page. */
  readonly id: string
  readonly label: string
  /** Heading in the palette. */
  readonly group: string
  readonly icon?: Icon
  /** Further words that find it. */
  readonly keywords?: readonly string[]
  readonly kbd?: string
  readonly run: () => void
}

const sources = new Map<object, readonly Command[]>()
const listeners = new Set<() => void>()
let snapshot: readonly Command[] = []

function changed(): void {
  snapshot = [...sources.values()].flat()
  for (const listener of listeners) listener()
}

/**
 * Offers commands in the palette while the component is mounted. Give an array that keeps its identity between renders
 * (`useMemo`).
 */
export function useCommands(commands: readonly Command[]): void {
  const key = useRef<object>({})
  useEffect(() => {
    const source = key.current
    sources.set(source, commands)
    changed()
    return () => {
      sources.delete(source)
      changed()
    }
  }, [commands])
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** All commands that are offered now. */
export function useAllCommands(): readonly Command[] {
  return useSyncExternalStore(subscribe, () => snapshot)
}

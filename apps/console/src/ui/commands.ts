import { useEffect, useRef, useSyncExternalStore } from 'react'
import type { Icon } from './icons.tsx'

/** One thing the command palette (⌘K) can do. */
export interface Command {
  /** Unique among the commands of the page. */
  readonly id: string
  readonly label: string
  /** A quiet word beside the label. */
  readonly hint?: string
  /** Heading in the palette. */
  readonly group: string
  readonly icon?: Icon
  /** Further words that find it. */
  readonly keywords?: readonly string[]
  readonly kbd?: string
  /** It acts on what is open on screen, and stands before all others. */
  readonly isForOpen?: boolean
  readonly run: () => void
}

/** Looks for things that the page does not know, while somebody types into the palette. */
export interface Finder {
  /** What it finds, in a sentence: "issues". */
  readonly things: string
  readonly find: (text: string, signal: AbortSignal) => Promise<readonly Command[]>
}

/** What mounted components offer to the palette, all together. */
function offers<Offer>() {
  const sources = new Map<object, readonly Offer[]>()
  const listeners = new Set<() => void>()
  let snapshot: readonly Offer[] = []
  const changed = (): void => {
    snapshot = [...sources.values()].flat()
    for (const listener of listeners) listener()
  }
  const subscribe = (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  const offer = (offered: readonly Offer[]): (() => void) => {
    const source = {}
    sources.set(source, offered)
    changed()
    return () => {
      sources.delete(source)
      changed()
    }
  }
  return {
    offer,
    use: (offered: readonly Offer[]): void => useEffect(() => offer(offered), [offered]),
    useAll: (): readonly Offer[] => useSyncExternalStore(subscribe, () => snapshot),
  }
}

const commands = offers<Command>()
const finders = offers<Finder>()

/**
 * Offers commands in the palette while the component is mounted. Give an array that keeps its identity between renders
 * (`useMemo`).
 */
export const useCommands = commands.use

/** All commands that are offered now. */
export const useAllCommands = commands.useAll

/** Offers finders to the palette while the component is mounted; the array keeps its identity, too. */
export const useFinders = finders.use

/** All finders that are offered now. */
export const useAllFinders = finders.useAll

/**
 * Offers what can be done with what is open, before all other commands. The array may be another one at every rendering:
 * what a command does is what it did at the last.
 */
export function useCommandsForOpen(group: string, offered: readonly Omit<Command, 'id' | 'group'>[]): void {
  const latest = useRef(offered)
  useEffect(() => {
    latest.current = offered
  })
  // Offered again only when something else is to be read.
  const words = JSON.stringify(offered.map(({ label, kbd }) => ({ label, kbd })))
  useEffect(
    () =>
      commands.offer(
        (JSON.parse(words) as Pick<Command, 'label' | 'kbd'>[]).map((command, index) => ({
          ...latest.current[index],
          ...command,
          id: `open ${command.label}`,
          group,
          isForOpen: true,
          run: () => latest.current[index]?.run(),
        })),
      ),
    [group, words],
  )
}

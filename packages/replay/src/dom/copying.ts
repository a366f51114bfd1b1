import { guard, wrap } from '@firsthand/browser/parts'

/**
 * What rrweb does while it copies nodes: it listens for frames and style sheets to load and never stops, and it goes on however
 * many nodes there are. It tells nobody when it begins; it asks for an option of ours at each node.
 */

/** No task of ours may hold the page for a second: copying is more than half of the work. Milliseconds. */
const MAX_COPYING_MS = 600
/** The clock is asked once for so many nodes. */
const NODES_PER_LOOK = 256
const LOADING = ['HTMLIFrameElement', 'HTMLLinkElement'] as const

type Listener = (event: Event) => void
type Realm = Window & typeof globalThis

/**
 * Its page is about to be read, and nothing of it is there yet: it is told of when it has loaded. Told of twice, players
 * keep to what they were told first.
 */
const isEmpty = (frame: HTMLIFrameElement | undefined): boolean => frame?.contentDocument?.documentElement === null

export interface Copying {
  /** One more node. @throws when it takes too long */
  node(): void
  /** Elements of such a window are copied as well. */
  know(window: Realm): void
  /** Nothing is copied any more, for now. */
  pause(): void
  stop(): void
}

/** @param onTooLong called once, before rrweb is stopped by an error */
export const createCopying = (onTooLong: () => void): Copying => {
  const held: (() => void)[] = []
  /** Which frame such a listener is told of. */
  const frames = new WeakMap<object, HTMLIFrameElement>()
  const timers = new Set<ReturnType<typeof setTimeout>>()
  const undo: (() => void)[] = []
  let release: (() => void) | undefined
  let began = 0
  let nodes = 0

  /** What is listened to while nodes are copied is rrweb's; before it is over nobody else runs. */
  const listenIn = (realm: Realm): void => {
    for (const name of LOADING) {
      const holder = realm[name].prototype as EventTarget
      undo.push(
        wrap(holder, 'addEventListener', (call, self, given) => {
          const [type, listener] = given
          if (!release || type !== 'load' || given.length > 2 || typeof listener !== 'function') return call()
          frames.set(listener, self as HTMLIFrameElement)
          const guarded: Listener = (event) => guard(() => (listener as Listener)(event))
          given[1] = guarded
          held.push(() => (self as EventTarget).removeEventListener(type, guarded))
          return call()
        }),
      )
    }
  }
  const holdTimers = (): (() => void) => {
    const { setTimeout: original } = globalThis
    globalThis.setTimeout = ((work: () => void, ms?: number) => {
      const timer = original(() => {
        timers.delete(timer)
        if (!isEmpty(frames.get(work))) guard(work)
      }, ms)
      timers.add(timer)
      return timer
    }) as typeof setTimeout
    return () => {
      globalThis.setTimeout = original
    }
  }
  const pause = (): void => {
    release?.()
    release = undefined
  }
  const begin = (): void => {
    began = performance.now()
    nodes = 0
    release = holdTimers()
    // Where nothing came of it, nobody else says that it is over.
    queueMicrotask(pause)
  }

  listenIn(window)
  return {
    node: () => {
      if (!release) begin()
      nodes += 1
      if (nodes % NODES_PER_LOOK !== 0 || performance.now() - began < MAX_COPYING_MS) return
      pause()
      onTooLong()
      throw new Error('The page is too large to be recorded.')
    },
    know: (realm) => guard(() => listenIn(realm)),
    pause,
    stop: () => {
      pause()
      for (const one of held.splice(0)) guard(one)
      for (const timer of timers) clearTimeout(timer)
      timers.clear()
      for (const one of undo.splice(0)) one()
    },
  }
}

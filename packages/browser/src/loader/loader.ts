import { type Early, type Noted, type Queued, QUEUED, type Stub } from './protocol.ts'
import type * as Main from './main.ts'

/** `sdk.js`: notes what happens until the rest is there. Errors of the first milliseconds are errors, too. */

/** File of the rest, beside this script; the build knows it. */
declare const FIRSTHAND_MAIN: string

/** Noted before the rest is there, at most: a page that fails in a loop must not fill the memory. */
const MAX_EARLY = 100

const scope = window as unknown as { Firsthand?: Stub }
const script = document.currentScript as HTMLScriptElement | null

const newId = (): string => Array.from({ length: 32 }, () => Math.floor(Math.random() * 16).toString(16)).join('')

const begin = ({ src, dataset }: HTMLScriptElement): void => {
  const early: Noted[] = []
  const callbacks: ((firsthand: unknown) => void)[] = []
  const note = (one: Early): void => {
    if (early.length < MAX_EARLY) early.push({ ...one, at: Date.now() / 1000 })
  }
  const listen = (event: Event): void => note({ kind: event.type as 'error', event })
  addEventListener('error', listen)
  addEventListener('unhandledrejection', listen)

  let main: typeof Main | undefined
  const stub = {
    onLoad: (callback: (firsthand: unknown) => void) => void callbacks.push(callback),
  } as Stub
  for (const name of QUEUED) {
    stub[name] = (...given) => {
      // Somebody may have kept this function.
      if (main !== undefined) return (main.api as Record<Queued, (...given: unknown[]) => unknown>)[name](...given)
      const id = newId()
      note({ kind: 'call', name, given, id })
      return name.startsWith('capture') ? id : undefined
    }
  }
  scope.Firsthand = stub

  const load = (): void => {
    // Modules are loaded with the nonce of the script that asks for them.
    import(new URL(FIRSTHAND_MAIN, src).href).then(
      (loaded: typeof Main) => {
        main = loaded
        removeEventListener('error', listen)
        removeEventListener('unhandledrejection', listen)
        removeEventListener('online', load)
        loaded.start({ attributes: dataset, early, callbacks, stub })
      },
      () => addEventListener('online', load, { once: true }),
    )
  }
  load()
}

// A page that bears the script twice has one SDK.
if (script !== null && scope.Firsthand === undefined) begin(script)

import { guard, wrap } from '@firsthand/browser/parts'

/**
 * Calls of the page that go through rrweb, which notes them first: what the page did wrong is the page's to hear of, and what rrweb
 * does wrong must not keep the call from being made.
 */

const CALLS = {
  CSSStyleSheet: ['insertRule', 'deleteRule', 'replace', 'replaceSync'],
  CSSGroupingRule: ['insertRule', 'deleteRule'],
  CSSStyleDeclaration: ['setProperty', 'removeProperty'],
} as const
/** rrweb puts others in their place and leaves them there, the last one where it was stopped in the middle. */
const LEFT = [
  ['CSSStyleSheet', 'addRule'],
  ['CSSStyleSheet', 'removeRule'],
  ['Element', 'attachShadow'],
] as const

type Realm = Record<string, { readonly prototype: object } | undefined>

/** Of the call that is being made. */
interface Call {
  isMade: boolean
  isThrown: boolean
  error: unknown
}

export interface PageCalls {
  /** Before rrweb puts its own in their place. Returns what is called afterwards. */
  watch(window: object): () => void
  /** Whether the page threw it itself. */
  isPages(error: unknown): boolean
  /** To be called before rrweb takes its own functions away. */
  uncover(): void
  /** To be called after rrweb took its own functions away. */
  stop(): void
}

export const createPageCalls = (): PageCalls => {
  const undo: (() => void)[] = []
  const covers: (() => void)[] = []
  let current: Call | undefined

  const inner = (call: () => unknown): unknown => {
    const own = current
    if (own) own.isMade = true
    try {
      return call()
    } catch (error) {
      if (own) Object.assign(own, { isThrown: true, error })
      throw error
    }
  }
  const outer =
    (original: (...given: unknown[]) => unknown) =>
    (call: () => unknown, self: unknown, given: unknown[]): unknown => {
      // rrweb notes declarations of rules; those of an element it reads from its attribute, and pages set them all the time.
      if ((self as Partial<CSSStyleDeclaration> | undefined)?.parentRule === null)
        return Reflect.apply(original, self, given)
      const before = current
      const own: Call = { isMade: false, isThrown: false, error: undefined }
      current = own
      try {
        const result = call()
        return own.isMade ? result : Reflect.apply(original, self, given)
      } finally {
        current = before
      }
    }

  return {
    watch: (window) => {
      const realm = window as Realm
      const outside: (() => void)[] = []
      for (const [name, methods] of Object.entries(CALLS)) {
        const holder = realm[name]?.prototype as Record<string, (...given: unknown[]) => unknown> | undefined
        for (const method of methods) {
          const original = holder?.[method]
          if (!holder || !original) continue
          undo.push(wrap(holder, method, inner))
          outside.push(() => covers.push(wrap(holder, method, outer(original))))
        }
      }
      for (const [name, method] of LEFT) {
        const holder = realm[name]?.prototype
        const before = holder && Object.getOwnPropertyDescriptor(holder, method)
        if (!before) continue
        outside.push(() => {
          const theirs: unknown = Reflect.get(holder, method)
          undo.push(() => {
            // The page may have put its own there since.
            if (Reflect.get(holder, method) === theirs) guard(() => Object.defineProperty(holder, method, before))
          })
        })
      }
      return () => outside.forEach((one) => one())
    },
    isPages: (error) => current?.isThrown === true && current.error === error,
    uncover: () => covers.splice(0).forEach((one) => one()),
    stop: () => undo.splice(0).forEach((one) => one()),
  }
}

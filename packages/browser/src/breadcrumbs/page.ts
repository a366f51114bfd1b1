import { addBreadcrumb } from '../api.ts'
import { guard, text } from '../guard.ts'
import { watchHref } from '../href.ts'
import { normalise } from '../normalise.ts'
import { describeElement } from './element.ts'
import { wrap } from '../wrap.ts'
import type { SeverityLevel } from '../types.ts'

type Undo = () => void

/** What was clicked, and into which field was typed; never which key. */
export const watchDom = (): Undo => {
  // Several keys into one field are one thing that the visitor did.
  const SAME_MS = 1000
  let last: EventTarget | null = null
  let lastType = ''
  let lastAt = 0
  const listen = (event: Event): void =>
    guard(() => {
      const { type } = event
      // Inside of a shadow root the path knows the element, the event does not.
      const target = event.composedPath()[0] ?? event.target
      if (type === 'keypress') {
        const isField =
          target instanceof HTMLElement && (/^(INPUT|TEXTAREA)$/.test(target.tagName) || target.isContentEditable)
        if (!isField) return
      }
      const isSame = target === last && type === lastType && Date.now() - lastAt < SAME_MS
      last = target
      lastType = type
      lastAt = Date.now()
      if (!isSame) {
        addBreadcrumb(
          { category: type === 'click' ? 'ui.click' : 'ui.input', message: describeElement(target) },
          { event, name: type },
        )
      }
    })
  addEventListener('click', listen, true)
  addEventListener('keypress', listen, true)
  return () => {
    removeEventListener('click', listen, true)
    removeEventListener('keypress', listen, true)
    last = null
  }
}

const LEVELS: Record<string, SeverityLevel> = {
  error: 'error',
  warn: 'warning',
  debug: 'debug',
  info: 'info',
  assert: 'error',
}

export const watchConsole = (): Undo => {
  let isInside = false
  const undo = ['debug', 'info', 'warn', 'error', 'log', 'assert'].map((name) =>
    wrap(
      guard(() => console),
      name as 'log',
      (call, _, given) => {
        // Describing a value may say something on the console itself.
        if (!isInside && (name !== 'assert' || given[0] === false)) {
          isInside = true
          guard(() => {
            const said = name === 'assert' ? given.slice(1) : given
            const message = said.map((one) => text(one, 1000)).join(' ')
            addBreadcrumb(
              {
                category: 'console',
                level: LEVELS[name] ?? 'log',
                message: text(name === 'assert' ? `Assertion failed: ${message || 'console.assert'}` : message, 4000),
                // A copy: what was said must not change afterwards, nor be kept alive by us.
                data: { logger: 'console', arguments: normalise(said.slice(0, 20), 2, 1000) },
              },
              { input: given, level: name },
            )
          })
          isInside = false
        }
        return call()
      },
    ),
  )
  return () => undo.forEach((one) => one())
}

/** As short as it can be within the page's origin. */
const shortUrl = (url: string): string =>
  guard(() => {
    const { origin, pathname, search, hash, href } = new URL(url, location.href)
    return origin === location.origin ? pathname + search + hash : href
  }, url)

export const watchNavigation = (): Undo =>
  watchHref((from, to) => addBreadcrumb({ category: 'navigation', data: { from: shortUrl(from), to: shortUrl(to) } }))

import type { FeedbackOptions } from '../options.ts'

/** The widget's place in the page: a host element, its open shadow root, and what of it stands in the top layer. */
export interface Surface {
  readonly host: HTMLElement
  readonly root: ShadowRoot
  /** Events of these types, separated by blanks, stay in the widget. */
  shield(types: string): void
  /** Replaces the style sheet of that name. */
  style(name: string, css: string): void
  /** Shows an element of the shadow root above everything. */
  show(element: HTMLElement): void
  hide(element: HTMLElement): void
  /** While held, the host stays where it is: moving it would close an open dialog. */
  hold(isHeld: boolean): void
  /** Puts the host into the page, where it can be seen and used now. */
  sync(): void
  destroy(): void
}

/**
 * Events that stay in the widget, so that shortcuts, focus traps and "click outside" of the page neither see them nor take
 * them away: those of the trigger. The dialog adds what only a form has.
 */
const SHIELDED = 'click mousedown pointerdown touchstart keydown focusin'

const topmostModal = (last: Element | null): Element | undefined =>
  last?.matches('dialog:modal') ? last : [...document.querySelectorAll('dialog:modal')].pop()

export const createSurface = ({ id = 'sentry-feedback', topLayer = true }: FeedbackOptions): Surface => {
  const host = document.createElement('firsthand-feedback')
  host.id = id
  const root = host.attachShadow({ mode: 'open' })
  const ending = new AbortController()
  const listening = { capture: true, signal: ending.signal }
  /**
   * Before everything of the page: an event of ours ends, and a copy of it begins inside. The copy is a plain one, which does
   * not press a button a second time, and leaves no shadow root.
   */
  const relay = (event: Event): void => {
    const [target] = event.composedPath()
    if (event.target !== host || !target || target === host) return
    event.stopImmediatePropagation()
    const copy = new Event(event.type, { bubbles: true, cancelable: true }) as Event & Record<string, unknown>
    for (const key in event) if (!(key in copy)) copy[key] = event[key as keyof Event]
    if (!target.dispatchEvent(copy)) event.preventDefault()
  }
  const shield = (types: string): void => types.split(' ').forEach((type) => addEventListener(type, relay, listening))
  shield(SHIELDED)

  const shown = new Set<HTMLElement>()
  const sheets: Record<string, CSSStyleSheet> = {}
  const canPop = topLayer && 'showPopover' in host
  let lastModal: Element | null = null
  let isHeld = false

  const sync = (): void => {
    const home = document.documentElement
    const parent = (canPop && !isHeld && topmostModal(lastModal)) || home
    if (!isHeld || !host.isConnected) {
      if (host.parentNode !== parent) parent.append(host)
      // Whoever removes the page's modal removes the host with it. Watched only while it is there.
      if (parent === home) watcher.disconnect()
      else watcher.observe(home, { childList: true, subtree: true })
    }
    if (!canPop) return
    for (const element of shown) {
      element.popover = 'manual'
      if (!element.matches(':popover-open')) element.showPopover()
    }
  }
  const watcher = new MutationObserver(() => {
    if (!host.isConnected) sync()
  })
  const onToggle = (event: Event): void => {
    if (!(event.target instanceof HTMLDialogElement)) return
    if (event.target.open) lastModal = event.target
    sync()
  }
  if (canPop) document.addEventListener('toggle', onToggle, listening)

  return {
    host,
    root,
    shield,
    style: (name, css) => {
      if (!sheets[name]) root.adoptedStyleSheets.push((sheets[name] = new CSSStyleSheet()))
      sheets[name].replaceSync(css)
    },
    show: (element) => {
      element.hidden = false
      shown.add(element)
      sync()
    },
    hide: (element) => {
      shown.delete(element)
      element.hidden = true
      element.popover = null
    },
    hold: (on) => {
      isHeld = on
      // Where it has to be for as long as it may not move.
      if (on) host.remove()
      sync()
    },
    sync,
    destroy: () => {
      ending.abort()
      watcher.disconnect()
      host.remove()
    },
  }
}

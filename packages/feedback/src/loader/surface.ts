/** The widget's place in the page: a host element, its open shadow root, and what of it stands in the top layer. */
export interface Surface {
  readonly host: HTMLElement
  readonly root: ShadowRoot
  /** Events of these types, separated by blanks, end at the host. */
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

export interface SurfaceOptions {
  readonly id: string
  readonly topLayer: boolean
}

/**
 * Events that end at the host, so that shortcuts, focus traps and "click outside" of the page do not see them: those of the
 * trigger. The dialog adds what only a form has.
 */
const SHIELDED = 'click mousedown pointerdown touchstart keydown focusin'

/** One function, so that a type that is shielded twice has one listener. */
const stop = (event: Event): void => event.stopPropagation()

const topmostModal = (last: Element | null): Element | undefined =>
  last?.matches('dialog:modal') ? last : [...document.querySelectorAll('dialog:modal')].pop()

export const createSurface = ({ id, topLayer }: SurfaceOptions): Surface => {
  const host = document.createElement('firsthand-feedback')
  host.id = id
  const root = host.attachShadow({ mode: 'open' })
  const shield = (types: string): void => types.split(' ').forEach((type) => host.addEventListener(type, stop))
  shield(SHIELDED)

  const shown = new Set<HTMLElement>()
  const sheets = new Map<string, CSSStyleSheet>()
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
    if (shown.size > 0) sync()
  }
  if (canPop) document.addEventListener('toggle', onToggle, true)

  return {
    host,
    root,
    shield,
    style: (name, css) => {
      let sheet = sheets.get(name)
      if (sheet === undefined) {
        sheet = new CSSStyleSheet()
        root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet]
        sheets.set(name, sheet)
      }
      sheet.replaceSync(css)
    },
    show: (element) => {
      element.hidden = false
      shown.add(element)
      sync()
    },
    hide: (element) => {
      shown.delete(element)
      element.hidden = true
      if (canPop && element.matches(':popover-open')) element.hidePopover()
    },
    hold: (on) => {
      isHeld = on
      if (on && host.parentNode !== document.documentElement) document.documentElement.append(host)
      sync()
    },
    sync,
    destroy: () => {
      document.removeEventListener('toggle', onToggle, true)
      watcher.disconnect()
      host.remove()
    },
  }
}

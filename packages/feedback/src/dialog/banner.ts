import { button, element, icon, ICONS } from '../editor/dom.ts'
import type { Surface } from '../loader/surface.ts'
import type { Texts } from '../text/en.ts'

/** A success is to be seen for this long (specification.md 1). */
export const BANNER_MS = 5000

export interface Banner {
  /** Ends it now. */
  dismiss(): void
}

/** Says that the report has arrived, or where it waits, without taking the focus. Pointer and focus on it stop the clock. */
export const showBanner = (
  surface: Surface,
  texts: Texts,
  text: string,
  threadUrl: string | undefined,
  /** It stands beside the trigger: below it in the upper corners. */
  isTop: boolean,
  onOver: () => void,
): Banner => {
  const said = element('span', {})
  const close = button({ class: 'icon', 'aria-label': texts.dismissLabel }, icon(ICONS.close), () => dismiss())
  const content = element('span', { class: 'said' }, said)
  const banner = element(
    'div',
    { class: `banner corner${isTop ? ' top' : ''}` },
    icon('m3 8.5 3.5 3.5L13 5'),
    element('div', { role: 'status' }, content),
    close,
  )
  if (threadUrl !== undefined) {
    content.append(
      element('a', { href: threadUrl, target: '_blank', rel: 'noopener noreferrer' }, texts.threadLinkLabel),
    )
  }
  let isOver = false
  let left = BANNER_MS
  let startedAt = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  const dismiss = (): void => {
    if (isOver) return
    isOver = true
    clearTimeout(timer)
    surface.hide(banner)
    banner.remove()
    onOver()
  }
  const run = (): void => {
    startedAt = Date.now()
    timer = setTimeout(dismiss, left)
  }
  /** Pointer and focus each hold the clock by themselves: one that leaves does not free what the other holds. */
  const held = new Set<string>()
  const holdWhile = (from: string, to: string): void => {
    banner.addEventListener(from, () => {
      if (held.size === 0) {
        clearTimeout(timer)
        left = Math.max(1000, left - (Date.now() - startedAt))
      }
      held.add(from)
    })
    banner.addEventListener(to, () => {
      if (held.delete(from) && held.size === 0 && !isOver) run()
    })
  }
  holdWhile('pointerenter', 'pointerleave')
  holdWhile('focusin', 'focusout')
  banner.addEventListener('click', (event) => {
    if (!(event.target instanceof HTMLAnchorElement)) dismiss()
  })

  surface.root.append(banner)
  surface.show(banner)
  // Live regions speak of what changes in them, not of what they are born with.
  requestAnimationFrame(() => {
    said.textContent = text
  })
  run()
  return { dismiss }
}

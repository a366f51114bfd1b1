import { button, element, icon, ICONS } from '../editor/dom.ts'
import type { PictureTexts } from '../text/picture.en.ts'
import { canCapture } from './capture.ts'

type Way = 'page' | 'capture' | 'upload'

/** What the ways to a picture do. */
export interface WayActions {
  takePage(): void
  takeCapture(): void
  upload(): void
}

/** Ways to a picture: the one that works best here, and the others under "More". */
export interface Ways {
  readonly element: HTMLElement
  readonly buttons: readonly HTMLButtonElement[]
  /** It did not work on this page. The next one takes its place, and the focus. */
  drop(way: Way): void
  focus(): void
  /** True when it was open. */
  closeMenu(): boolean
}

/** Held in a hand: its own pictures and its camera are near, and what a page looks like on it is seldom the trouble. */
const isHandheld = (): boolean => matchMedia('(hover: none) and (pointer: coarse)').matches

/** Which item of a menu a key leads to. */
const STEPS: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
}

export const createWays = (texts: PictureTexts, actions: WayActions): Ways => {
  const made = (way: Way, label: string, work: () => void): HTMLButtonElement => {
    const one = button({ 'data-action': way }, label, () => {
      closeMenu()
      work()
    })
    one.prepend(icon(ICONS[way]))
    return one
  }
  const page = made('page', texts.addScreenshotButtonLabel, actions.takePage)
  const upload = made('upload', texts.uploadImage, actions.upload)
  const capture = canCapture() ? [made('capture', texts.captureScreen, actions.takeCapture)] : []
  let ways = isHandheld() ? [upload, page, ...capture] : [page, ...capture, upload]

  const more = button({ 'data-action': 'more', 'aria-haspopup': 'menu', 'aria-expanded': 'false' }, texts.more, () =>
    setMenu(menu.hidden === true),
  )
  more.append(icon(ICONS.more))
  const menu = element('div', { class: 'menu', role: 'menu', 'aria-label': texts.more, hidden: true })
  const all = element('div', { class: 'add' })

  const arrange = (): void => {
    const [first, ...others] = ways
    for (const one of ways) {
      if (one === first) one.removeAttribute('role')
      else one.setAttribute('role', 'menuitem')
    }
    menu.replaceChildren(...others)
    more.hidden = others.length === 0
    all.replaceChildren(...(first === undefined ? [] : [first]), more, menu)
  }
  const setMenu = (isOpen: boolean): void => {
    menu.hidden = !isOpen
    more.setAttribute('aria-expanded', String(isOpen))
    if (!isOpen) return
    ways[1]?.focus()
    // Whole, above the buttons of the form.
    menu.scrollIntoView({ block: 'nearest' })
  }
  const closeMenu = (): boolean => {
    if (menu.hidden) return false
    // Before it is hidden: what is hidden loses the focus to the page.
    more.focus()
    setMenu(false)
    return true
  }
  menu.addEventListener('keydown', (event) => {
    const others = ways.slice(1)
    const step = STEPS[event.key]
    const at = others.findIndex((one) => one === event.target)
    if (event.key === 'Tab') return setMenu(false)
    if (event.key === 'Escape') closeMenu()
    else if (step) others[step(at, others.length)]?.focus()
    else return
    event.preventDefault()
    event.stopPropagation()
  })
  // A press beside it. In a press on More the button itself has the say.
  all.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget instanceof Node && !all.contains(relatedTarget)) setMenu(false)
  })
  arrange()
  return {
    element: all,
    buttons: [page, upload, ...capture],
    drop: (way) => {
      ways = ways.filter((one) => one.dataset['action'] !== way)
      arrange()
      ways[0]?.focus()
    },
    focus: () => ways[0]?.focus(),
    closeMenu,
  }
}

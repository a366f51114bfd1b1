import { SEEN_TAGS } from '@firsthand/recording'

const SEEN = SEEN_TAGS.join(',')
/** So many elements are looked at, and so many texts, of pages of any size. */
const MAX_LOOKED_AT = 2000

/** Pages that count their visitors have images of one pixel, and frames of none, around which browsers draw a border. */
const hasRoom = (element: Element): boolean => {
  const isFrame = element.localName === 'iframe'
  const { height, width } = isFrame
    ? { height: element.clientHeight, width: element.clientWidth }
    : element.getBoundingClientRect()
  return height > 1 && width > 1
}

const isDrawn = (element: Element): boolean =>
  element.checkVisibility({ opacityProperty: true, visibilityProperty: true })

/** Text that stands below something transparent is among the text of a page all the same. */
const hasDrawnText = (body: HTMLElement): boolean => {
  const texts = body.ownerDocument.createTreeWalker(body, NodeFilter.SHOW_TEXT)
  let looked = 0
  for (let text = texts.nextNode(); text !== null && looked < MAX_LOOKED_AT; text = texts.nextNode()) {
    if (!text.textContent?.trim() || text.parentElement === null) continue
    if (isDrawn(text.parentElement)) return true
    looked += 1
  }
  // Of so much text some is drawn, unless the whole page is hidden until something has loaded.
  return looked === MAX_LOOKED_AT && isDrawn(body)
}

/** Whether nothing of a recorded page is to be seen yet: applications draw themselves some time after their page came. */
export function isBlankPage(page: Element | null): boolean {
  const body = page?.querySelector<HTMLElement>('body') ?? null
  if (body === null) return false
  if (body.innerText.trim() !== '' && hasDrawnText(body)) return false
  const looked = [...body.querySelectorAll('*')].slice(0, MAX_LOOKED_AT)
  return !looked.some(
    (element) => (element.matches(SEEN) || element.shadowRoot !== null) && hasRoom(element) && isDrawn(element),
  )
}

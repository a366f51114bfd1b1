import { SEEN_TAGS } from '@firsthand/recording'

const SEEN = SEEN_TAGS.join(',')
/** So many elements are looked at, of pages of any size. */
const MAX_LOOKED_AT = 2000

/** Pages that count their visitors have images of one pixel. */
const hasRoom = (element: Element): boolean => {
  const { height, width } = element.getBoundingClientRect()
  return height > 1 && width > 1
}

/** Whether nothing of a recorded page is to be seen yet: applications draw themselves some time after their page came. */
export function isBlankPage(page: Element | null): boolean {
  const body = page?.querySelector<HTMLElement>('body') ?? null
  if (body === null) return false
  if (body.innerText.trim() !== '') return false
  const looked = [...body.querySelectorAll('*')].slice(0, MAX_LOOKED_AT)
  return !looked.some((element) => (element.matches(SEEN) || element.shadowRoot !== null) && hasRoom(element))
}

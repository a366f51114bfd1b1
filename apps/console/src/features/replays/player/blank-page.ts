/** What is seen without any text. */
const SEEN = 'img, svg, canvas, video, object, embed, iframe, input, textarea, select, button, hr'
/** So many elements are looked at, of pages of any size. */
const MAX_LOOKED_AT = 2000

const hasRoom = (element: Element): boolean => {
  const { height, width } = element.getBoundingClientRect()
  return height > 0 && width > 0
}

/** Whether nothing of a recorded page is to be seen yet: applications draw themselves some time after their page came. */
export function isBlankPage(page: Element | null): boolean {
  const body = page?.querySelector<HTMLElement>('body') ?? null
  if (body === null) return false
  if (body.innerText.trim() !== '') return false
  const looked = [...body.querySelectorAll('*')].slice(0, MAX_LOOKED_AT)
  return !looked.some((element) => (element.matches(SEEN) || element.shadowRoot !== null) && hasRoom(element))
}

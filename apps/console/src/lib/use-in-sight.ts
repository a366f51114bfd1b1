import { type RefObject, useEffect, useRef } from 'react'

/**
 * In a row that scrolls sideways, the entry of the page one is on must not be the one out of sight; and `data-more` says at
 * which of its ends there is more, for base.css to let that end fade.
 */
export function useInSight(row: RefObject<HTMLElement | null>, page: string): void {
  const shown = useRef<string>(undefined)
  useEffect(() => {
    if (shown.current === page) return
    shown.current = page
    const entry = row.current?.querySelector<HTMLElement>('[aria-current=page], [aria-selected=true]')
    if (row.current === null || entry === null || entry === undefined) return
    const middle = entry.offsetLeft + entry.offsetWidth / 2
    row.current.scrollTo({ left: middle - row.current.offsetLeft - row.current.clientWidth / 2 })
  }, [row, page])
  useEffect(() => {
    const element = row.current
    if (element === null) return undefined
    const mark = (): void => {
      const before = element.scrollLeft > 1
      const after = element.scrollLeft + element.clientWidth < element.scrollWidth - 1
      element.setAttribute('data-more', before && after ? 'both' : before ? 'start' : after ? 'end' : 'none')
    }
    mark()
    element.addEventListener('scroll', mark, { passive: true })
    const observer = new ResizeObserver(mark)
    // Entries grow when their counts come.
    for (const part of [element, ...element.children]) observer.observe(part)
    return () => {
      element.removeEventListener('scroll', mark)
      observer.disconnect()
    }
  }, [row])
}

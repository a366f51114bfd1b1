import { type RefObject, useEffect, useRef } from 'react'

/** In a row that scrolls sideways, the entry of the page one is on must not be the one out of sight. */
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
}

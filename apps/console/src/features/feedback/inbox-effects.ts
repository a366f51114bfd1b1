import { useEffect, useRef } from 'react'

import { isFocusLost } from '../../shell/focus.ts'
import type { InboxWork } from './inbox-work.ts'

/** Half a second at the usual rate: then the row is not there, and the focus stays where it is. */
const FRAMES_TO_MEASURE = 30

/** Who opens a report has read it. */
export function useReadWhenOpen({ actions, may, openRow }: InboxWork): void {
  const mayWrite = may('event:write')
  const open = openRow?.id
  const unread = openRow !== undefined && !openRow.isRead ? openRow.id : null
  const mark = actions.change
  const marked = useRef<string | null>(null)
  useEffect(() => {
    // Marked as unread while it is open, it stays so; whoever comes back to it has read it.
    if (marked.current !== open) marked.current = null
    if (unread === null || !mayWrite || marked.current === unread) return
    marked.current = unread
    void mark([unread], { isRead: true }, true)
  }, [open, unread, mayWrite, mark])
}

/**
 * On a narrow screen the list goes away and comes back: the focus returns to the row it left.
 *
 * @param report the report that is open; '' for none
 * @param scrollTo brings a row into view; always the same function
 */
export function useFocusReturn(report: string, scrollTo: (id: string) => void): void {
  const lastOpen = useRef(report)
  useEffect(() => {
    const left = lastOpen.current
    lastOpen.current = report
    if (report !== '' || left === '' || !isFocusLost()) return undefined
    scrollTo(left)
    // A list that was not shown has no rows until it has been measured.
    let frames = FRAMES_TO_MEASURE
    let frame = 0
    const attempt = (): void => {
      const link = document.querySelector<HTMLElement>(`[data-report="${CSS.escape(left)}"] a`)
      if (link !== null) link.focus()
      else if (frames-- > 0) frame = requestAnimationFrame(attempt)
    }
    attempt()
    return () => cancelAnimationFrame(frame)
  }, [report, scrollTo])
}

import { useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { MAIN_ID } from './main-landmark.tsx'

/** Whether the focus stands on nothing in particular, as after the control that had it went away with its page. */
export function isFocusLost(): boolean {
  const { activeElement } = document
  return (
    activeElement === null ||
    activeElement === document.body ||
    activeElement.id === MAIN_ID ||
    !activeElement.checkVisibility()
  )
}

/** After a navigation that took the focused control away, the focus stands at the beginning of the new page, not of the frame. */
export function useFocusOnNewPage(): void {
  const pathname = useRouterState({ select: (state) => state.resolvedLocation?.pathname })
  const shown = useRef(pathname)
  useEffect(() => {
    const isFirst = shown.current === undefined
    if (shown.current === pathname) return
    shown.current = pathname
    if (!isFirst && isFocusLost()) document.getElementById(MAIN_ID)?.focus({ preventScroll: true })
  }, [pathname])
}

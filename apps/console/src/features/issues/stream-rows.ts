import { useRouter } from '@tanstack/react-router'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'

import { PHONE, useMedia } from '../../lib/use-media.ts'
import type { StreamWork } from './stream-work.ts'

const ROW_HEIGHT = 56
const ROW_HEIGHT_PHONE = 64
/** Rows before the end at which the next page is asked for. */
const LOAD_AHEAD = 12

type Box = RefObject<HTMLDivElement | null>

export type StreamRows = ReturnType<typeof useStreamRows>

/** Which rows are drawn, and where: only those in sight, in a list as high as all of them. */
export function useStreamRows(work: StreamWork, top: Box, table: Box, head: Box) {
  const { currentIndex, issues, order, setCurrent } = work
  const isPhone = useMedia(PHONE)
  const offsets = useOffsets(top, table, head)
  const virtual = useWindowVirtualizer({
    count: issues.length,
    estimateSize: () => (isPhone ? ROW_HEIGHT_PHONE : ROW_HEIGHT),
    getItemKey: (index) => order[index] ?? index,
    overscan: 10,
    scrollMargin: offsets.list,
    scrollPaddingStart: offsets.top,
    scrollPaddingEnd: 72,
  })
  useEffect(() => virtual.measure(), [virtual, isPhone])
  const items = virtual.getVirtualItems()
  const lastDrawn = items.at(-1)?.index ?? -1
  const { hasMore, loadMore } = work.stream
  useEffect(() => {
    if (hasMore && lastDrawn >= issues.length - LOAD_AHEAD) loadMore()
  }, [hasMore, loadMore, lastDrawn, issues.length])

  // Back from an issue, perhaps one further down than the one that was opened, its row is in sight.
  const router = useRouter()
  const [isReturning] = useState(() => /\/issues\/[^/]+$/.test(router.state.resolvedLocation?.pathname ?? ''))
  const hasReturned = useRef(!isReturning)
  useEffect(() => {
    if (hasReturned.current || currentIndex === -1 || offsets.list === 0) return undefined
    hasReturned.current = true
    // The router puts the page to its old place, or to the top, after it has been drawn.
    const frame = requestAnimationFrame(() => virtual.scrollToIndex(currentIndex, { align: 'auto' }))
    return () => cancelAnimationFrame(frame)
  }, [currentIndex, offsets.list, virtual])

  return {
    items,
    offsets,
    height: virtual.getTotalSize(),
    /** The keyboard goes so many rows down. */
    move: (step: number) => {
      const index = Math.min(Math.max(currentIndex + step, 0), issues.length - 1)
      const id = order[index]
      if (id === undefined) return
      setCurrent(id)
      virtual.scrollToIndex(index)
    },
  }
}

/** Where the rows begin in the document, and how much of the window the sticky top covers. */
function useOffsets(top: Box, table: Box, head: Box): { readonly list: number; readonly top: number } {
  const [offsets, setOffsets] = useState({ list: 0, top: 0 })
  useLayoutEffect(() => {
    const measure = () => {
      const start = table.current === null ? 0 : table.current.getBoundingClientRect().top + globalThis.scrollY
      const next = { list: Math.round(start + (head.current?.offsetHeight ?? 0)), top: top.current?.offsetHeight ?? 0 }
      setOffsets((now) => (now.list === next.list && now.top === next.top ? now : next))
    }
    // It calls back once at the beginning, too.
    const observer = new ResizeObserver(measure)
    for (const element of [top.current, head.current, document.body]) {
      if (element !== null) observer.observe(element)
    }
    return () => observer.disconnect()
  }, [top, table, head])
  return offsets
}

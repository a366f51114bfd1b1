import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useLayoutEffect, useState } from 'react'

import { PHONE, useMedia } from '../../../lib/use-media.ts'
import type { ListWork } from './list-work.ts'

const ROW_HEIGHT = 108
const ROW_HEIGHT_PHONE = 104
/** Where what is counted takes two lines. */
const NARROWEST = '(max-width: 360px)'
const ROW_HEIGHT_NARROWEST = 124
/** Pages that are drawn at once; one more is drawn while somebody points at its row. */
const DRAWN_ROWS = 11
/** Rows before the end at which the next page is asked for. */
const LOAD_AHEAD = 12

type Box = RefObject<HTMLDivElement | null>

export type ListRows = ReturnType<typeof useListRows>

/** Which rows are drawn, and where: only those in sight, in a list as high as all of them. */
export function useListRows(work: ListWork, top: Box, head: Box, list: Box) {
  const { currentIndex, order, query, setCurrent } = work
  const { fetchNextPage, hasNextPage, isFetching } = query
  const isPhone = useMedia(PHONE)
  const isNarrowest = useMedia(NARROWEST)
  const rowHeight = isNarrowest ? ROW_HEIGHT_NARROWEST : isPhone ? ROW_HEIGHT_PHONE : ROW_HEIGHT
  const offsets = useOffsets(top, head, list)
  const virtual = useWindowVirtualizer({
    count: order.length,
    estimateSize: () => rowHeight,
    getItemKey: (index) => order[index] ?? index,
    overscan: 10,
    scrollMargin: offsets.list,
    scrollPaddingStart: offsets.top + offsets.head,
    scrollPaddingEnd: 72,
  })
  useEffect(() => virtual.measure(), [virtual, rowHeight])
  const items = virtual.getVirtualItems()
  const lastDrawn = items.at(-1)?.index ?? -1
  useEffect(() => {
    if (hasNextPage && !isFetching && lastDrawn >= order.length - LOAD_AHEAD) void fetchNextPage()
  }, [hasNextPage, isFetching, fetchNextPage, lastDrawn, order.length])
  const { isScrolling, range } = virtual
  const [drawn, setDrawn] = useState({ from: 0, to: -1 })
  const [from, to] = [
    range?.startIndex ?? 0,
    Math.min(range?.endIndex ?? -1, (range?.startIndex ?? 0) + DRAWN_ROWS - 1),
  ]
  // What flies past is not asked for.
  if (!isScrolling && (drawn.from !== from || drawn.to !== to)) setDrawn({ from, to })
  return {
    items,
    /** Whether the page of a row is drawn. */
    isDrawn: (index: number): boolean => index >= drawn.from && index <= drawn.to,
    offsets,
    height: virtual.getTotalSize(),
    /** The keyboard goes so many rows down. */
    move: (step: number) => {
      const index = Math.min(Math.max(currentIndex + step, 0), order.length - 1)
      const key = order[index]
      if (key === undefined) return
      setCurrent(key)
      virtual.scrollToIndex(index)
    },
  }
}

/** Where the rows begin in the document, and how high is what sticks above them. */
function useOffsets(top: Box, head: Box, list: Box) {
  const [offsets, setOffsets] = useState({ list: 0, top: 0, head: 0 })
  useLayoutEffect(() => {
    const measure = (): void => {
      const start = list.current === null ? 0 : list.current.getBoundingClientRect().top + globalThis.scrollY
      const next = {
        list: Math.round(start),
        top: top.current?.offsetHeight ?? 0,
        head: head.current?.offsetHeight ?? 0,
      }
      setOffsets((now) => (now.list === next.list && now.top === next.top && now.head === next.head ? now : next))
    }
    // It calls back once at the beginning, too.
    const observer = new ResizeObserver(measure)
    for (const element of [top.current, head.current, document.body]) {
      if (element !== null) observer.observe(element)
    }
    return () => observer.disconnect()
  }, [top, head, list])
  return offsets
}

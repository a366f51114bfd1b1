import { useEffect, useState } from 'react'

/** In pixels; nothing until it is measured. */
export interface Room {
  readonly width: number
  readonly height: number
}

/** How large an element is. */
export function useRoom(area: { readonly current: HTMLElement | null }): Room {
  const [room, setRoom] = useState<Room>({ width: 0, height: 0 })
  useEffect(() => {
    const element = area.current
    if (element === null) return undefined
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) setRoom({ width: entry.contentRect.width, height: entry.contentRect.height })
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [area])
  return room
}

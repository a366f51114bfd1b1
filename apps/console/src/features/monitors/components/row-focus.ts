import type { RefObject } from 'react'
import { useShortcut } from '../../../ui/index.ts'

const group = 'Monitors'

/** The keys of a list in several parts: they move the focus from row to row, which shows, reads and opens what they are at. */
export function useRowFocus(box: RefObject<HTMLElement | null>): void {
  const move = (step: number): void => {
    const rows = [...(box.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])]
    const at = rows.findIndex((row) => row.contains(document.activeElement))
    const next = at === -1 ? (step > 0 ? 0 : rows.length - 1) : Math.max(0, Math.min(rows.length - 1, at + step))
    rows[next]?.querySelector('a')?.focus()
  }
  const open = (): void => document.activeElement?.closest('[data-row]')?.querySelector('a')?.click()
  useShortcut('j', () => move(1), { label: 'Next', group })
  useShortcut('k', () => move(-1), { label: 'Previous', group })
  useShortcut('o', open, { label: 'Open', group })
}

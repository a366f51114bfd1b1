import { type KeyboardEvent, type PointerEvent, useRef } from 'react'

import { limitStep, roundedLimit, type Scale } from '../model/chart.ts'
import styles from './DryRunChart.module.css'

/** The limit as a line with a handle: dragged, or moved by arrow keys. */
export function LimitHandle({
  scale,
  limit,
  text,
  top,
  isWhole,
  disabled,
  onLimit,
}: {
  readonly scale: Scale
  readonly limit: number
  readonly text: string
  /** Where the handle begins, from the line on. */
  readonly top: number
  /** What is counted has no fractions. */
  readonly isWhole: boolean
  readonly disabled: boolean
  readonly onLimit: (limit: number) => void
}) {
  const line = useRef<HTMLDivElement>(null)
  /** The scale that it was taken hold of at: one that grows with what is dragged would run away from the pointer. */
  const held = useRef<Scale | null>(null)
  const step = limitStep(scale, isWhole)
  const move = (event: PointerEvent): void => {
    if (held.current === null || line.current === null) return
    const box = line.current.parentElement?.getBoundingClientRect()
    if (box === undefined) return
    onLimit(roundedLimit(held.current.valueAt(event.clientY - box.top), held.current, isWhole))
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const steps = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1, PageUp: 5, PageDown: -5 }[event.key]
    if (steps === undefined || disabled) return
    event.preventDefault()
    const next = Math.max(0, roundedLimit(limit + steps * step, scale, isWhole))
    onLimit(scale.hangs ? Math.min(scale.top, next) : next)
  }
  return (
    <div ref={line} className={styles.limit} style={{ top: scale.y(limit) }}>
      <div
        role="slider"
        tabIndex={disabled ? -1 : 0}
        aria-label="Limit"
        aria-orientation="vertical"
        aria-valuemin={0}
        aria-valuemax={Math.max(scale.top, limit)}
        aria-valuenow={limit}
        aria-valuetext={text}
        aria-disabled={disabled}
        className={styles.handle}
        style={{ top }}
        onKeyDown={onKeyDown}
        onPointerDown={(event) => {
          if (disabled) return
          held.current = scale
          event.currentTarget.setPointerCapture(event.pointerId)
        }}
        onPointerMove={move}
        onPointerUp={() => {
          held.current = null
        }}
        onPointerCancel={() => {
          held.current = null
        }}
      >
        {text}
      </div>
    </div>
  )
}

import { useEffect, useRef, useState } from 'react'

import { formatBytes } from '../../../lib/format.ts'
import {
  Button,
  ChevronLeftIcon,
  ChevronRightIcon,
  CloseIcon,
  IconButton,
  MinusIcon,
  PlusIcon,
} from '../../../ui/index.ts'
import { VisibleText, plainVisible } from '../../issues/text/index.ts'
import { type View, fitScale, panBy, zoomAt } from '../model/zoom.ts'
import styles from './PictureViewer.module.css'

export interface ViewedPicture {
  readonly name: string
  readonly address: string
  /** Bytes. */
  readonly size: number
}

const STEP = 1.25
const PAN_PX = 60

/** Pictures over the whole window: zoom by wheel, keys and buttons, move by dragging and arrows, one after the other. */
export function PictureViewer({
  pictures,
  first,
  onClose,
}: {
  readonly pictures: readonly ViewedPicture[]
  readonly first: number
  readonly onClose: () => void
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [stage, setStage] = useState<HTMLDivElement | null>(null)
  const [box, setBox] = useState({ width: 1, height: 1 })
  const [index, setIndex] = useState(first)
  const [natural, setNatural] = useState<{ readonly width: number; readonly height: number } | null>(null)
  /** Null: as large as fits. */
  const [view, setView] = useState<View | null>(null)
  const drag = useRef<{ readonly x: number; readonly y: number } | null>(null)
  const picture = pictures[index]

  useEffect(() => {
    dialog.current?.showModal()
  }, [])

  useEffect(() => {
    if (stage === null) return undefined
    const observer = new ResizeObserver(() => setBox({ width: stage.clientWidth, height: stage.clientHeight }))
    observer.observe(stage)
    return () => observer.disconnect()
  }, [stage])

  const fit = natural === null ? 1 : fitScale(natural, box)
  const shown: View = view ?? { scale: fit, x: 0, y: 0 }
  /** At its fitting size or smaller there is nothing to move: the arrows turn pages. */
  const still = shown.scale <= fit
  const zoom = (factor: number, at = { x: 0, y: 0 }) => setView(zoomAt(shown, factor, at))
  const pan = (x: number, y: number) => natural !== null && !still && setView(panBy(shown, { x, y }, natural, box))
  const go = (step: number) => {
    const next = index + step
    if (next < 0 || next >= pictures.length) return
    setIndex(next)
    setView(null)
    setNatural(null)
  }
  // React listens to the wheel passively, and the page behind must not scroll or zoom.
  const latest = useRef(zoom)
  useEffect(() => {
    latest.current = zoom
  })
  useEffect(() => {
    if (stage === null) return undefined
    const onWheel = (event: WheelEvent) => {
      event.preventDefault()
      const { left, top, width, height } = stage.getBoundingClientRect()
      const at = { x: event.clientX - left - width / 2, y: event.clientY - top - height / 2 }
      latest.current(event.deltaY < 0 ? STEP : 1 / STEP, at)
    }
    stage.addEventListener('wheel', onWheel, { passive: false })
    return () => stage.removeEventListener('wheel', onWheel)
  }, [stage])
  if (picture === undefined) return null

  const keys: Readonly<Record<string, () => void>> = {
    '+': () => zoom(STEP),
    '=': () => zoom(STEP),
    '-': () => zoom(1 / STEP),
    '0': () => setView(null),
    '1': () => setView({ scale: 1, x: 0, y: 0 }),
    ArrowLeft: () => (still ? go(-1) : pan(PAN_PX, 0)),
    ArrowRight: () => (still ? go(1) : pan(-PAN_PX, 0)),
    ArrowUp: () => pan(0, PAN_PX),
    ArrowDown: () => pan(0, -PAN_PX),
    PageUp: () => go(-1),
    PageDown: () => go(1),
  }
  return (
    <dialog
      ref={dialog}
      aria-label={plainVisible(picture.name)}
      className={styles.viewer}
      onClose={onClose}
      onKeyDown={(event) => {
        // The keys of the page behind are silent, Escape among them.
        event.stopPropagation()
        const act = event.ctrlKey || event.metaKey ? undefined : keys[event.key]
        if (act === undefined) return
        event.preventDefault()
        act()
      }}
    >
      <div className={styles.bar}>
        <span className={styles.name}>
          <VisibleText text={picture.name} />
          <span className={styles.facts}>
            {natural === null ? '' : ` ${natural.width} × ${natural.height},`} {formatBytes(picture.size)}
          </span>
        </span>
        {pictures.length === 1 ? null : (
          <span className={styles.steps}>
            <IconButton icon={ChevronLeftIcon} label="Previous picture" disabled={index === 0} onClick={() => go(-1)} />
            <span role="status">
              {index + 1} of {pictures.length}
            </span>
            <IconButton
              icon={ChevronRightIcon}
              label="Next picture"
              disabled={index === pictures.length - 1}
              onClick={() => go(1)}
            />
          </span>
        )}
        <span className={styles.zoom}>
          <IconButton icon={MinusIcon} label="Smaller" kbd="-" onClick={() => zoom(1 / STEP)} />
          <output className={styles.scale}>{Math.round(shown.scale * 100)} %</output>
          <IconButton icon={PlusIcon} label="Larger" kbd="+" onClick={() => zoom(STEP)} />
          <Button size="small" variant="ghost" onClick={() => setView(null)}>
            Fit
          </Button>
          <Button size="small" variant="ghost" onClick={() => setView({ scale: 1, x: 0, y: 0 })}>
            100 %
          </Button>
          <a className={styles.save} href={picture.address} download={picture.name}>
            Download
          </a>
        </span>
        <IconButton icon={CloseIcon} label="Close" kbd="Esc" onClick={() => dialog.current?.close()} />
      </div>
      <div
        ref={setStage}
        className={styles.stage}
        data-zoomed={view !== null}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          drag.current = { x: event.clientX, y: event.clientY }
        }}
        onPointerMove={(event) => {
          if (drag.current === null) return
          const { x, y } = drag.current
          drag.current = { x: event.clientX, y: event.clientY }
          pan(event.clientX - x, event.clientY - y)
        }}
        onPointerUp={() => {
          drag.current = null
        }}
        onPointerCancel={() => {
          drag.current = null
        }}
        onDoubleClick={() => setView(view === null ? { scale: Math.max(1, fit * 2), x: 0, y: 0 } : null)}
      >
        <img
          key={picture.address}
          src={picture.address}
          alt={plainVisible(picture.name)}
          draggable={false}
          className={styles.image}
          style={{
            visibility: natural === null ? 'hidden' : 'visible',
            transform: `translate(-50%, -50%) translate(${shown.x}px, ${shown.y}px) scale(${shown.scale})`,
          }}
          onLoad={({ currentTarget }) =>
            setNatural({ width: currentTarget.naturalWidth, height: currentTarget.naturalHeight })
          }
        />
      </div>
    </dialog>
  )
}

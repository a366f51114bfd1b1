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
  VisibleText,
} from '../../../ui/index.ts'
import { plainVisible } from '../../../lib/visible-text.ts'
import { type Point, type Size, type View, fitScale, panBy, zoomAt } from '../model/zoom.ts'
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
  const [index, setIndex] = useState(first)
  const zoom = useZoom()
  useEffect(() => {
    dialog.current?.showModal()
  }, [])
  const picture = pictures[index]
  if (picture === undefined) return null

  const go = (step: number) => {
    const next = index + step
    if (next < 0 || next >= pictures.length) return
    setIndex(next)
    zoom.startOver()
  }
  const keys = keysOf(zoom, go)
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
            {zoom.natural === null ? '' : ` ${zoom.natural.width} × ${zoom.natural.height},`}{' '}
            {formatBytes(picture.size)}
          </span>
        </span>
        {pictures.length === 1 ? null : <Steps index={index} count={pictures.length} onGo={go} />}
        <ZoomButtons zoom={zoom} picture={picture} />
        <IconButton icon={CloseIcon} label="Close" kbd="Esc" onClick={() => dialog.current?.close()} />
      </div>
      <Stage zoom={zoom} picture={picture} />
    </dialog>
  )
}

type Zoom = ReturnType<typeof useZoom>

/** How large the picture is drawn in its stage, and which part of it is seen. */
function useZoom() {
  const [stage, setStage] = useState<HTMLDivElement | null>(null)
  const box = useSizeOf(stage)
  const [natural, setNatural] = useState<Size | null>(null)
  /** Null: as large as fits. */
  const [view, setView] = useState<View | null>(null)
  const fit = natural === null ? 1 : fitScale(natural, box)
  const shown: View = view ?? { scale: fit, x: 0, y: 0 }
  /** At its fitting size or smaller there is nothing to move: the arrows turn pages. */
  const still = shown.scale <= fit
  const by = (factor: number, at: Point = { x: 0, y: 0 }) => setView(zoomAt(shown, factor, at))
  useWheel(stage, by)
  return {
    setStage,
    /** Size of the picture itself, in its own pixels; null until it is loaded. */
    natural,
    setNatural,
    shown,
    still,
    isZoomed: view !== null,
    by,
    toFit: () => setView(null),
    toFull: () => setView({ scale: 1, x: 0, y: 0 }),
    /** Between the fitting size and twice that, at least the full one. */
    toggle: () => setView(view === null ? { scale: Math.max(1, fit * 2), x: 0, y: 0 } : null),
    pan: (x: number, y: number) => {
      if (natural !== null && !still) setView(panBy(shown, { x, y }, natural, box))
    },
    /** For another picture. */
    startOver: () => {
      setView(null)
      setNatural(null)
    },
  }
}

/** Size of an element's inside, in CSS pixels. */
function useSizeOf(element: HTMLElement | null): Size {
  const [size, setSize] = useState<Size>({ width: 1, height: 1 })
  useEffect(() => {
    if (element === null) return undefined
    const observer = new ResizeObserver(() => setSize({ width: element.clientWidth, height: element.clientHeight }))
    observer.observe(element)
    return () => observer.disconnect()
  }, [element])
  return size
}

/** Turns of the wheel zoom about the pointer. React listens to the wheel passively, and the page behind must not move. */
function useWheel(stage: HTMLElement | null, zoom: (factor: number, at: Point) => void): void {
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
}

function keysOf(zoom: Zoom, go: (step: number) => void): Readonly<Record<string, () => void>> {
  return {
    '+': () => zoom.by(STEP),
    '=': () => zoom.by(STEP),
    '-': () => zoom.by(1 / STEP),
    '0': zoom.toFit,
    '1': zoom.toFull,
    ArrowLeft: () => (zoom.still ? go(-1) : zoom.pan(PAN_PX, 0)),
    ArrowRight: () => (zoom.still ? go(1) : zoom.pan(-PAN_PX, 0)),
    ArrowUp: () => zoom.pan(0, PAN_PX),
    ArrowDown: () => zoom.pan(0, -PAN_PX),
    PageUp: () => go(-1),
    PageDown: () => go(1),
  }
}

function Steps({
  index,
  count,
  onGo,
}: {
  readonly index: number
  readonly count: number
  readonly onGo: (step: number) => void
}) {
  return (
    <span className={styles.steps}>
      <IconButton icon={ChevronLeftIcon} label="Previous picture" disabled={index === 0} onClick={() => onGo(-1)} />
      <span role="status">
        {index + 1} of {count}
      </span>
      <IconButton icon={ChevronRightIcon} label="Next picture" disabled={index === count - 1} onClick={() => onGo(1)} />
    </span>
  )
}

function ZoomButtons({ zoom, picture }: { readonly zoom: Zoom; readonly picture: ViewedPicture }) {
  return (
    <span className={styles.zoom}>
      <IconButton icon={MinusIcon} label="Smaller" kbd="-" onClick={() => zoom.by(1 / STEP)} />
      <output className={styles.scale}>{Math.round(zoom.shown.scale * 100)}%</output>
      <IconButton icon={PlusIcon} label="Larger" kbd="+" onClick={() => zoom.by(STEP)} />
      <Button size="small" variant="ghost" onClick={zoom.toFit}>
        Fit
      </Button>
      <Button size="small" variant="ghost" onClick={zoom.toFull}>
        100%
      </Button>
      <a className={styles.save} href={picture.address} download={picture.name}>
        Download
      </a>
    </span>
  )
}

/** The picture; it follows the pointer while it is dragged. */
function Stage({ zoom, picture }: { readonly zoom: Zoom; readonly picture: ViewedPicture }) {
  const drag = useRef<Point | null>(null)
  const endDrag = () => {
    drag.current = null
  }
  const { isZoomed, natural, pan, setNatural, setStage, shown, toggle } = zoom
  return (
    <div
      ref={setStage}
      className={styles.stage}
      data-zoomed={isZoomed}
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
      onPointerUp={endDrag}
      onPointerCancel={endDrag}
      onDoubleClick={toggle}
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
  )
}

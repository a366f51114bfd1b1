import { fill } from '../editor/dom.ts'
import { captureScreen } from './capture.ts'
import type { Picture, PictureSource } from './contract.ts'
import { canvasOf } from './encode.ts'
import type { Gallery } from './gallery.ts'
import { MAXIMUM_PICTURES } from './limits.ts'
import { readPictureFile } from './upload.ts'

export interface Taking {
  page(): Promise<void>
  capture(): Promise<void>
  files(files: readonly Blob[], source: PictureSource): Promise<void>
}

/** Ways to a picture. One at a time; the buttons wait meanwhile, without losing the focus that is on them. */
export const createTaking = (gallery: Gallery): Taking => {
  let isBusy = false
  const whileFree = async (work: () => Promise<void>): Promise<void> => {
    if (isBusy || gallery.parts.control.disabled) return
    if (gallery.free <= 0) {
      gallery.tell(fill(gallery.host.texts.tooManyPictures, { count: MAXIMUM_PICTURES }))
      return
    }
    isBusy = true
    try {
      await withWaitingButtons(gallery, work)
    } finally {
      isBusy = false
    }
  }
  return {
    page: () => whileFree(() => takePage(gallery)),
    capture: () => whileFree(() => takeCapture(gallery)),
    files: (files, source) => whileFree(() => takeFiles(gallery, files, source)),
  }
}

const withWaitingButtons = async (gallery: Gallery, work: () => Promise<void>): Promise<void> => {
  const { ways, note, control } = gallery.parts
  const hadFocus = ways.element.contains(gallery.host.root.activeElement)
  for (const each of ways.buttons) each.setAttribute('aria-disabled', 'true')
  gallery.tell(gallery.host.texts.working)
  try {
    await nextPaint()
    if (!(await gallery.loadEditor())) return
    note.hidden = true
    await work()
  } finally {
    for (const each of ways.buttons) each.removeAttribute('aria-disabled')
    // The large view has taken the focus already.
    if (hadFocus && gallery.hasCurrent && !gallery.isDestroyed && control.querySelector('dialog[open]') === null)
      control.querySelector<HTMLElement>('.tool')?.focus()
  }
}

const pictureOfPage = async ({ host }: Gallery): Promise<HTMLCanvasElement | null> => {
  try {
    const { picturePage } = await import('./page.ts')
    const canvas = await picturePage(host.root.host, host.options)
    return canvas === null ? null : canvasOf(canvas, canvas)
  } catch {
    return null
  }
}

const takePage = async (gallery: Gallery): Promise<void> => {
  const canvas = await pictureOfPage(gallery)
  if (gallery.isDestroyed) return
  if (canvas !== null) {
    gallery.put(canvas, 'page', true)
    return
  }
  gallery.tell(gallery.host.texts.pageNotAllowed)
  gallery.parts.ways.drop('page')
}

const takeCapture = async (gallery: Gallery): Promise<void> => {
  const { options, hideWidget, texts } = gallery.host
  const result = await captureScreen(options, hideWidget)
  if (gallery.isDestroyed) return
  if (result instanceof HTMLCanvasElement) {
    gallery.put(result, 'capture', true)
    return
  }
  if (result === 'refused') {
    gallery.tell(texts.captureRefused)
    return
  }
  const instead = await pictureOfPage(gallery)
  if (gallery.isDestroyed) return
  if (instead !== null) gallery.put(instead, 'page', true)
  else gallery.tell(texts.captureEnded)
}

const takeFiles = async (gallery: Gallery, files: readonly Blob[], source: PictureSource): Promise<void> => {
  const taken = files.slice(0, gallery.free)
  for (const each of taken) {
    const result = await readPictureFile(each)
    if (gallery.isDestroyed) return
    if (typeof result === 'string') gallery.tell(gallery.host.texts[result])
    else gallery.put(result, source, each === taken.at(-1))
  }
}

/** Pictures of a draft. One that can no longer be read is left out. */
export const restorePictures = async (gallery: Gallery, pictures: readonly Picture[]): Promise<void> => {
  if (!(await gallery.loadEditor())) return
  for (const { blob, source, id } of pictures.slice(0, gallery.free)) {
    const result = await readPictureFile(blob)
    if (gallery.isDestroyed) return
    if (typeof result !== 'string') gallery.put(result, source, false, id)
  }
}

const MAXIMUM_PAINT_WAIT_MS = 100

/** So that "Taking the picture…" is on the screen before the work starts. A hidden tab paints nothing, so time counts as well. */
const nextPaint = (): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, MAXIMUM_PAINT_WAIT_MS)
    requestAnimationFrame(() =>
      setTimeout(() => {
        clearTimeout(timer)
        resolve()
      }),
    )
  })

/**
 * Pictures of a report: taken of the page (`page.ts`, `mask.ts`, `fonts.ts`), by screen capture (`capture.ts`) or from files
 * (`upload.ts`, `sniff.ts`), kept and shown in the form (`gallery.ts`, `parts.ts`, `ways.ts`), encoded small (`encode.ts`).
 */
import type { PictureControl, PictureHost, PictureSource } from './contract.ts'
import { Gallery } from './gallery.ts'
import { STYLES } from './styles.ts'
import { createTaking, restorePictures, type Taking } from './taking.ts'

export { pictureTexts } from '../text/picture.en.ts'
export type { Picture, PictureControl, PictureHost, PictureOptions, PictureSource } from './contract.ts'

/**
 * Takes pictures (of the page, by screen capture, from a file, by paste or drop), edits them and keeps their bytes ready.
 * Everything it shows stands in `element`; nothing of the page is changed.
 */
export const createPictureControl = (host: PictureHost): PictureControl => {
  const { root } = host
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(STYLES)
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet]

  const gallery: Gallery = new Gallery(host, {
    takePage: () => void taking.page(),
    takeCapture: () => void taking.capture(),
  })
  const taking: Taking = createTaking(gallery)
  const { control } = gallery.parts
  const stopListening = listenToFiles(gallery, (files, source) => void taking.files(files, source))

  return {
    element: control,
    pictures: () => gallery.pictures(),
    ready: () => gallery.ready(),
    restore: (pictures) => void restorePictures(gallery, pictures),
    setDisabled: (on) => {
      control.disabled = on
    },
    handleEscape: () => gallery.handleEscape(),
    destroy: () => {
      stopListening()
      root.adoptedStyleSheets = root.adoptedStyleSheets.filter((each) => each !== sheet)
      gallery.destroy()
    },
  }
}

/** Chosen, pasted and dropped files. Returns what stops it. */
const listenToFiles = (
  { host: { root }, parts: { control, file } }: Gallery,
  take: (files: readonly File[], source: PictureSource) => void,
): (() => void) => {
  file.addEventListener('change', () => {
    const files = [...(file.files ?? [])]
    file.value = ''
    if (files.length > 0) take(files, 'upload')
  })

  const onPaste = (event: Event): void => {
    const data = (event as ClipboardEvent).clipboardData
    const files = [...(data?.files ?? [])].filter(({ type }) => type.startsWith('image/'))
    // Text with a picture of itself (spreadsheets, word processors) is meant as text.
    if (files.length === 0 || data?.types.includes('text/plain') === true || control.disabled) return
    event.preventDefault()
    take(files, 'paste')
  }
  root.addEventListener('paste', onPaste)

  const hasFiles = (event: DragEvent): boolean =>
    event.dataTransfer?.types.includes('Files') === true && !control.disabled
  control.addEventListener('dragover', (event) => {
    if (!hasFiles(event)) return
    event.preventDefault()
    control.classList.add('over')
  })
  control.addEventListener('dragleave', () => control.classList.remove('over'))
  control.addEventListener('drop', (event) => {
    control.classList.remove('over')
    if (!hasFiles(event)) return
    event.preventDefault()
    take([...(event.dataTransfer?.files ?? [])], 'upload')
  })
  return () => root.removeEventListener('paste', onPaste)
}

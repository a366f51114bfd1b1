import { button, element, fill, icon, ICONS } from '../editor/dom.ts'
import type { Editor } from '../editor/index.ts'
import type { Edit, History } from '../editor/edit.ts'
import { canCapture, captureScreen } from './capture.ts'
import type { Picture, PictureControl, PictureHost, PictureSource } from './contract.ts'
import { canvasEncoder, canvasOf, encodeWithin, newCanvas } from './encode.ts'
import { MAXIMUM_PICTURES } from './limits.ts'
import { sniffImage } from './sniff.ts'
import { STYLES } from './styles.ts'
import { readPictureFile } from './upload.ts'

export type { Picture, PictureControl, PictureHost, PictureOptions, PictureSource } from './contract.ts'

/** A picture in work. `sent` is what the last finished encoding made; `isDirty` says that the edit went on since. */
interface Item {
  readonly id: string
  readonly source: PictureSource
  readonly original: HTMLCanvasElement
  readonly history: History<Edit>
  readonly thumbnail: HTMLCanvasElement
  sent: Picture | null
  isDirty: boolean
  work: Promise<void>
}

/** A chunk of its own: most reports have no picture. */
const loadEditor = () => import('../editor/index.ts')
type EditorModule = Awaited<ReturnType<typeof loadEditor>>

const ACCEPTED = 'image/png,image/jpeg,image/webp,image/gif,image/avif,image/bmp'
const THUMBNAIL = { width: 128, height: 88 }

/**
 * Takes pictures (of the page, by screen capture, from a file, by paste or drop), edits them and keeps their bytes ready.
 * Everything it shows stands in `element`; nothing of the page is changed.
 */
export const createPictureControl = (host: PictureHost): PictureControl => {
  const { root, texts, options } = host
  const items: Item[] = []
  let current: Item | null = null
  let editor: Editor | null = null
  let tools: EditorModule | null = null
  let isBusy = false
  let isAdding = false
  let isDestroyed = false

  const sheet = new CSSStyleSheet()
  sheet.replaceSync(STYLES)
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet]

  const file = element('input', { type: 'file', accept: ACCEPTED, multiple: true, hidden: true, tabindex: '-1' })
  const page = button({ 'data-action': 'page' }, texts.addScreenshotButtonLabel, () => void takePage())
  page.prepend(icon(ICONS.page))
  const capture = button({ 'data-action': 'capture' }, texts.captureScreen, () => void takeCapture())
  capture.prepend(icon(ICONS.capture))
  capture.hidden = !canCapture()
  const upload = button({ 'data-action': 'upload' }, texts.uploadImage, () => file.click())
  upload.prepend(icon(ICONS.upload))
  const add = element('div', { class: 'add' }, page, capture, upload, file)
  const hint = element('p', { class: 'hint' }, texts.dropHint)
  const note = element('p', { class: 'note', hidden: true })
  const stage = element('div')
  const strip = element('ul', { class: 'strip', 'aria-label': texts.pictures })
  const control = element(
    'fieldset',
    { class: 'fh-pictures', 'aria-label': texts.pictures },
    stage,
    strip,
    add,
    hint,
    note,
  )

  const tell = (text: string): void => {
    note.textContent = text
    note.hidden = false
    host.announce(text)
  }

  const draw = (): void => {
    const isEmpty = items.length === 0
    strip.hidden = isEmpty
    add.hidden = !isEmpty && !isAdding
    hint.hidden = !isEmpty && !isAdding
    const isFull = items.length >= MAXIMUM_PICTURES
    const another = button({ class: 'another', 'aria-expanded': String(isAdding) }, texts.addAnother, () => {
      isAdding = !isAdding
      draw()
      if (isAdding) page.focus()
      else strip.querySelector<HTMLElement>('.another')?.focus()
    })
    another.prepend(icon(ICONS.plus))
    // With one picture the stage shows it already.
    const thumbs = items.length > 1 ? items.map(thumbOf) : []
    strip.replaceChildren(...thumbs, ...(isFull ? [] : [element('li', {}, another)]))
    if (isFull) add.hidden = hint.hidden = true
  }

  const thumbOf = (item: Item, index: number): HTMLLIElement => {
    const label = fill(texts.picture, {
      number: index + 1,
      width: item.sent?.width ?? item.original.width,
      height: item.sent?.height ?? item.original.height,
    })
    const show = button(
      { class: 'thumb', 'aria-label': label, 'aria-current': String(item === current) },
      item.thumbnail,
      () => {
        open(item, false)
        strip.querySelector<HTMLElement>('.thumb[aria-current=true]')?.focus()
      },
    )
    const drop = button(
      { class: 'drop', 'aria-label': `${texts.removeScreenshotButtonLabel} ${index + 1}` },
      icon(ICONS.close),
      () => remove(item),
    )
    return element('li', {}, show, drop)
  }

  const open = (item: Item | null, startWithCrop: boolean): void => {
    editor?.destroy()
    editor = null
    current = item
    if (item !== null && tools !== null) {
      editor = tools.createEditor({
        texts,
        source: item.original,
        history: item.history,
        number: items.indexOf(item) + 1,
        startWithCrop,
        announce: host.announce,
        onChange: () => encode(item),
        onRemove: () => remove(item),
      })
      stage.replaceChildren(editor.element)
    }
    draw()
  }

  const remove = (item: Item): void => {
    const index = items.indexOf(item)
    if (index === -1) return
    items.splice(index, 1)
    if (item === current) open(items[Math.min(index, items.length - 1)] ?? null, false)
    else draw()
    const next = items.length === 0 ? page : strip.querySelector<HTMLElement>('.thumb[aria-current=true], .another')
    next?.focus()
    host.announce(texts.pictureRemoved)
    host.onChange()
  }

  /** Encodings of one picture follow one another, and the last edit wins. */
  const encode = (item: Item): void => {
    if (item.isDirty) return
    item.isDirty = true
    item.work = item.work.then(async () => {
      item.isDirty = false
      const { renderEdit } = tools ?? (await loadEditor())
      const canvas = renderEdit(item.original, item.history.now)
      drawThumbnail(item.thumbnail, canvas)
      try {
        const blob = await encodeWithin(canvasEncoder(canvas))
        const { width, height } = await sizeOf(blob, canvas)
        item.sent = { id: item.id, blob, filename: '', type: blob.type, width, height, source: item.source }
      } catch {
        // An older encoding would still show what has been hidden since.
        item.sent = null
        tell(texts.broken)
      }
      if (!isDestroyed && items.includes(item)) {
        if (items.length > 1) refreshLabels()
        host.onChange()
      }
    })
  }

  const refreshLabels = (): void => {
    for (const [index, thumb] of [...strip.querySelectorAll('.thumb')].entries()) {
      const { width, height } = items[index]?.sent ?? items[index]?.original ?? THUMBNAIL
      thumb.setAttribute('aria-label', fill(texts.picture, { number: index + 1, width, height }))
    }
  }

  const put = (original: HTMLCanvasElement, source: PictureSource, startWithCrop: boolean, id = newId()): void => {
    if (tools === null) return
    const item: Item = {
      id,
      source,
      original,
      history: tools.newHistory(original),
      thumbnail: newCanvas(THUMBNAIL).canvas,
      sent: null,
      isDirty: false,
      work: Promise.resolve(),
    }
    item.thumbnail.setAttribute('aria-hidden', 'true')
    items.push(item)
    isAdding = false
    note.hidden = true
    open(item, startWithCrop)
    encode(item)
    host.announce(fill(texts.pictureAdded, { width: original.width, height: original.height }))
  }

  /** One picture at a time; the buttons wait meanwhile, without losing the focus that is on them. */
  const whileBusy = async (work: () => Promise<void>): Promise<void> => {
    if (isBusy || control.disabled) return
    if (items.length >= MAXIMUM_PICTURES) {
      tell(fill(texts.tooManyPictures, { count: MAXIMUM_PICTURES }))
      return
    }
    isBusy = true
    const hadFocus = add.contains(root.activeElement)
    for (const each of [page, capture, upload]) each.setAttribute('aria-disabled', 'true')
    tell(texts.working)
    try {
      await nextPaint()
      if (!(await haveTools())) return
      note.hidden = true
      await work()
    } finally {
      isBusy = false
      for (const each of [page, capture, upload]) each.removeAttribute('aria-disabled')
      if (hadFocus && current !== null && !isDestroyed) control.querySelector<HTMLElement>('.tool')?.focus()
    }
  }

  const haveTools = async (): Promise<boolean> => {
    try {
      tools ??= await loadEditor()
    } catch {
      tell(texts.toolsNotLoaded)
    }
    return tools !== null
  }

  const pictureOfPage = async (): Promise<HTMLCanvasElement | null> => {
    try {
      const { picturePage } = await import('./page.ts')
      const canvas = await picturePage(root.host, options)
      return canvas === null ? null : canvasOf(canvas, canvas)
    } catch {
      return null
    }
  }

  const takePage = (): Promise<void> =>
    whileBusy(async () => {
      const canvas = await pictureOfPage()
      if (isDestroyed) return
      if (canvas !== null) {
        put(canvas, 'page', true)
        return
      }
      page.hidden = true
      tell(texts.pageNotAllowed)
      ;(capture.hidden ? upload : capture).focus()
    })

  const takeCapture = (): Promise<void> =>
    whileBusy(async () => {
      const result = await captureScreen(options, host.hideWidget)
      if (isDestroyed) return
      if (result instanceof HTMLCanvasElement) {
        put(result, 'capture', true)
        return
      }
      if (result === 'refused') {
        tell(texts.captureRefused)
        return
      }
      const instead = await pictureOfPage()
      if (isDestroyed) return
      if (instead !== null) put(instead, 'page', true)
      else tell(texts.captureEnded)
    })

  const takeFiles = (files: readonly Blob[], source: PictureSource): Promise<void> =>
    whileBusy(async () => {
      for (const each of files.slice(0, MAXIMUM_PICTURES - items.length)) {
        const result = await readPictureFile(each)
        if (isDestroyed) return
        if (typeof result === 'string') tell(texts[result])
        else put(result, source, false)
      }
    })

  file.addEventListener('change', () => {
    const files = [...(file.files ?? [])]
    file.value = ''
    if (files.length > 0) void takeFiles(files, 'upload')
  })

  const onPaste = (event: Event): void => {
    const data = (event as ClipboardEvent).clipboardData
    const files = [...(data?.files ?? [])].filter(({ type }) => type.startsWith('image/'))
    // Text with a picture of itself (spreadsheets, word processors) is meant as text.
    if (files.length === 0 || data?.types.includes('text/plain') === true || control.disabled) return
    event.preventDefault()
    void takeFiles(files, 'paste')
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
    void takeFiles([...(event.dataTransfer?.files ?? [])], 'upload')
  })

  draw()

  return {
    element: control,
    pictures: () =>
      items
        .map(({ sent }) => sent)
        .filter((picture) => picture !== null)
        .map((picture, index) => ({ ...picture, filename: filenameOf(picture.type, index) })),
    ready: async () => {
      while (items.some(({ isDirty }) => isDirty)) await Promise.all(items.map(({ work }) => work))
      await Promise.all(items.map(({ work }) => work))
    },
    restore: (pictures) => {
      void (async () => {
        if (!(await haveTools())) return
        for (const { blob, source, id } of pictures.slice(0, MAXIMUM_PICTURES - items.length)) {
          const result = await readPictureFile(blob)
          if (isDestroyed) return
          if (typeof result !== 'string') put(result, source, false, id)
        }
      })()
    },
    setDisabled: (on) => {
      control.disabled = on
    },
    handleEscape: () => editor?.handleEscape() ?? false,
    destroy: () => {
      isDestroyed = true
      editor?.destroy()
      root.removeEventListener('paste', onPaste)
      root.adoptedStyleSheets = root.adoptedStyleSheets.filter((each) => each !== sheet)
      control.remove()
    },
  }
}

const newId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, '0')).join('')

const filenameOf = (type: string, index: number): string => {
  const end = type === 'image/webp' ? 'webp' : type === 'image/jpeg' ? 'jpg' : 'png'
  return `screenshot${index === 0 ? '' : `-${index + 1}`}.${end}`
}

/** The encoder may have had to make the picture smaller to keep it under the limit of bytes. */
const sizeOf = async (blob: Blob, canvas: HTMLCanvasElement): Promise<{ width: number; height: number }> => {
  return sniffImage(new Uint8Array(await blob.arrayBuffer())) ?? canvas
}

const drawThumbnail = (thumbnail: HTMLCanvasElement, canvas: HTMLCanvasElement): void => {
  const context = thumbnail.getContext('2d')
  if (context === null) return
  const scale = Math.max(thumbnail.width / canvas.width, thumbnail.height / canvas.height)
  const width = canvas.width * scale
  const height = canvas.height * scale
  context.imageSmoothingQuality = 'high'
  context.drawImage(canvas, (thumbnail.width - width) / 2, (thumbnail.height - height) / 2, width, height)
}

/** So that "Taking the picture…" is on the screen before the work starts. A hidden tab paints nothing, so time counts as well. */
const nextPaint = (): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, 100)
    requestAnimationFrame(() =>
      setTimeout(() => {
        clearTimeout(timer)
        resolve()
      }),
    )
  })

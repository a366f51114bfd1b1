import { createServer, type IncomingMessage } from 'node:http'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { Page } from 'playwright-core'
import type { PictureControl } from '../../packages/feedback/src/screenshot/contract.ts'

const CONTROL = fileURLToPath(new URL('../../packages/feedback/src/screenshot/index.ts', import.meta.url))
const TEXTS = fileURLToPath(new URL('../../packages/feedback/src/text/', import.meta.url))

/** The picture control alone, in a bare shadow root, on a page of the test's own making. */
const APPLICATION = `
  import { createPictureControl } from ${JSON.stringify(CONTROL)}
  const params = new URLSearchParams(location.search)
  const load = { en: () => import(${JSON.stringify(`${TEXTS}picture.en.ts`)}), ar: () => import(${JSON.stringify(`${TEXTS}picture.ar.ts`)}) }
  const { pictureTexts } = await load[params.get('lang') ?? 'en']()
  const widget = document.createElement('fh-widget')
  const root = widget.attachShadow({ mode: 'open' })
  document.documentElement.append(widget)
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(':host { all: initial; position: fixed; inset-block-end: 12px; inset-inline-end: 12px; inline-size: min(420px, calc(100vw - 24px)); box-sizing: border-box; padding: 16px; background: light-dark(#fff, #1a1a18); border-radius: 14px; box-shadow: 0 8px 40px rgb(0 0 0 / .2); font: 13px/20px Inter, system-ui, sans-serif; color-scheme: light dark; max-height: calc(100vh - 24px); overflow: auto; z-index: 99; }')
  root.adoptedStyleSheets = [sheet]
  if (params.get('lang') === 'ar') widget.dir = 'rtl'
  const said = []
  const state = { said, changes: 0, hidden: 0 }
  const control = createPictureControl({
    root,
    texts: pictureTexts,
    options: JSON.parse(params.get('options') ?? '{}'),
    announce: (text) => said.push(text),
    onChange: () => { state.changes += 1 },
    hideWidget: () => { state.hidden += 1; widget.style.visibility = 'hidden'; return () => { widget.style.visibility = '' } },
  })
  root.append(control.element)
  /** The pixels of a sent picture: [r, g, b, a] at a point, or all of them. */
  const decode = async (index) => {
    const bitmap = await createImageBitmap(control.pictures()[index].blob)
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
    const context = canvas.getContext('2d')
    context.drawImage(bitmap, 0, 0)
    return context.getImageData(0, 0, bitmap.width, bitmap.height)
  }
  window.widget = { control, state, root, decode }
`

export interface WidgetWindow {
  readonly widget: {
    readonly control: PictureControl
    readonly state: { readonly said: string[]; readonly changes: number; readonly hidden: number }
    readonly root: ShadowRoot
    decode(index: number): Promise<ImageData>
  }
}

export interface PictureSite {
  readonly url: string
  /** Paths that were asked for, in order. */
  readonly asked: string[]
  /** What the next load of a page shows. */
  show(html: string, headers?: Readonly<Record<string, string>>): void
  close(): Promise<void>
}

/** Serves the built control, and one page whose body and headers the test sets. Images by `image(path, bytes)`. */
export const servePictures = async (
  files: Readonly<Record<string, { type: string; body: Buffer | string }>> = {},
): Promise<PictureSite> => {
  const built = await build({
    stdin: {
      contents: APPLICATION,
      resolveDir: fileURLToPath(new URL('../../packages/feedback/src', import.meta.url)),
      loader: 'js',
    },
    bundle: true,
    write: false,
    format: 'esm',
    splitting: true,
    outdir: '/',
    entryNames: 'app',
    platform: 'browser',
    conditions: ['production'],
    logLevel: 'silent',
  })
  const scripts = new Map(built.outputFiles.map(({ path, text }) => [path, text]))
  const asked: string[] = []
  let html = ''
  let headers: Readonly<Record<string, string>> = {}
  const server = createServer((request: IncomingMessage, response) => {
    const path = new URL(request.url ?? '/', 'http://local').pathname
    asked.push(path)
    const script =
      scripts.get(path === '/app.js' ? '/app.js' : path) ?? (path === '/app.js' ? scripts.get('/stdin.js') : undefined)
    const file = files[path]
    if (script !== undefined) {
      response.setHeader('content-type', 'text/javascript')
      response.end(script)
    } else if (file !== undefined) {
      response.setHeader('content-type', file.type)
      response.end(file.body)
    } else if (path === '/') {
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
      response.setHeader('content-type', 'text/html; charset=utf-8')
      response.end(html)
    } else {
      response.statusCode = 404
      response.end()
    }
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the site has no port')
  return {
    url: `http://127.0.0.1:${address.port}/`,
    asked,
    show: (body, extra = {}) => {
      html = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><link rel="icon" href="/icon"><title>A shop</title><body>${body}<script type="module" src="/app.js"></script></body></html>`
      headers = extra
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

/** Waits until the control stands and every edit is in the bytes. */
export const settled = async (page: Page): Promise<void> => {
  await page.waitForFunction(() => 'widget' in window)
  await page.evaluate(() => (window as unknown as WidgetWindow).widget.control.ready())
}

/** Waits for so many pictures with their bytes. */
export const havePictures = async (page: Page, count: number): Promise<void> => {
  await page.waitForFunction(
    (wanted) => (window as unknown as WidgetWindow).widget.control.pictures().length === wanted,
    count,
    { timeout: 60_000 },
  )
  await settled(page)
}

export interface SentPicture {
  readonly type: string
  readonly width: number
  readonly height: number
  readonly size: number
  readonly filename: string
  readonly source: string
}

export const sentPictures = (page: Page): Promise<SentPicture[]> =>
  page.evaluate(() =>
    (window as unknown as WidgetWindow).widget.control
      .pictures()
      .map(({ blob, type, width, height, filename, source }) => ({
        type,
        width,
        height,
        size: blob.size,
        filename,
        source,
      })),
  )

/** Red, green, blue, alpha of one pixel of a sent picture. */
export const pixelOf = (page: Page, x: number, y: number, index = 0): Promise<number[]> =>
  page.evaluate(
    async ([atX, atY, which]) => {
      const { data, width } = await (window as unknown as WidgetWindow).widget.decode(which)
      return Array.from(data.subarray((atY * width + atX) * 4, (atY * width + atX) * 4 + 4))
    },
    [x, y, index] as const,
  )

/** What screen readers were told: by the form's live region, and last by that of the large view, where it is open. */
export const said = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const { state, root } = (window as unknown as WidgetWindow).widget
    const text = root.querySelector('dialog[open] [role=status]')?.textContent ?? ''
    return text === '' ? state.said : [...state.said, text]
  })

/** Leaves the large view, in which a picture opens that was added. */
export const backToForm = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Back to the form' }).click()
  await page.locator('fh-widget dialog[open]').waitFor({ state: 'detached' })
}

/** An image file made by the browser itself: two halves of red and blue, lines in green. */
export const imageFile = async (
  page: Page,
  width: number,
  height: number,
  type = 'image/png',
): Promise<{ name: string; mimeType: string; buffer: Buffer }> => {
  const bytes = await page.evaluate(
    async ([w, h, mime]) => {
      const canvas = new OffscreenCanvas(w, h)
      const context = canvas.getContext('2d')
      if (context === null) return []
      context.fillStyle = '#ff0000'
      context.fillRect(0, 0, w / 2, h)
      context.fillStyle = '#0000ff'
      context.fillRect(w / 2, 0, w / 2, h)
      context.fillStyle = '#00ff00'
      context.fillRect(0, 0, w, Math.max(1, h / 50))
      return [...new Uint8Array(await (await canvas.convertToBlob({ type: mime })).arrayBuffer())]
    },
    [width, height, type] as const,
  )
  return { name: 'image.bin', mimeType: type, buffer: Buffer.from(bytes) }
}

export const uploadFile = (page: Page, file: { name: string; mimeType: string; buffer: Buffer }): Promise<void> =>
  page.setInputFiles('fh-widget input[type=file]', file)

import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { axeViolations } from '../lib/axe.ts'
import { openPage } from '../lib/browser.ts'
import { eventually } from '../lib/eventually.ts'
import { closePages, joinBrowser } from '../lib/shared.ts'
import {
  backToForm,
  havePictures,
  imageFile,
  type PictureSite,
  pixelOf,
  said,
  sentPictures,
  servePictures,
  settled,
  uploadFile,
  type WidgetWindow,
} from './picture-site.ts'

const frameSize = async (page: Page): Promise<{ width: number; height: number; x: number; y: number }> => {
  const box = await page.locator('fh-widget .frame').boundingBox()
  if (box === null) throw new Error('no crop frame')
  return box
}

/** Width and height, to a tenth of a pixel. */
const rounded = ({ width, height }: { readonly width: number; readonly height: number }): number[] =>
  [width, height].map((side) => Math.round(side * 10) / 10)

const centre = async (page: Page, selector: string): Promise<{ x: number; y: number }> => {
  const box = await page.locator(selector).boundingBox()
  if (box === null) throw new Error(`${selector} is not shown`)
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

const drag = async (page: Page, from: { x: number; y: number }, to: { x: number; y: number }): Promise<void> => {
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2)
  await page.mouse.move(to.x, to.y)
  await page.mouse.up()
  await settled(page)
}

/** Touch or pen, as the browser would say it. */
const dragAs = (
  page: Page,
  pointerType: 'touch' | 'pen',
  selector: string,
  to: { x: number; y: number },
): Promise<void> =>
  page.evaluate(
    ([kind, where, end]) => {
      const { root } = (window as unknown as WidgetWindow).widget
      const target = root.querySelector(where)
      const stage = root.querySelector('.stage')
      if (target === null || stage === null) throw new Error('nothing to drag')
      // Only real pointers can be captured.
      stage.setPointerCapture = () => undefined
      const box = target.getBoundingClientRect()
      const fire = (on: Element, type: string, x: number, y: number): boolean =>
        on.dispatchEvent(
          new PointerEvent(type, {
            pointerId: 7,
            pointerType: kind,
            isPrimary: true,
            button: 0,
            clientX: x,
            clientY: y,
            bubbles: true,
            composed: true,
            cancelable: true,
          }),
        )
      fire(target, 'pointerdown', box.x + box.width / 2, box.y + box.height / 2)
      fire(stage, 'pointermove', end.x, end.y)
      fire(stage, 'pointerup', end.x, end.y)
    },
    [pointerType, selector, to] as const,
  )

const CORNERS = ['topLeft', 'topRight', 'bottomLeft', 'bottomRight'] as const
const opposite = {
  topLeft: 'bottomRight',
  topRight: 'bottomLeft',
  bottomLeft: 'topRight',
  bottomRight: 'topLeft',
} as const

describe('the picture editor', () => {
  let site: PictureSite
  let browser: Browser
  beforeAll(async () => {
    ;[site, browser] = await Promise.all([servePictures(), joinBrowser()])
    site.show('<h1>Lamps for long evenings</h1>')
  })
  afterAll(async () => {
    await closePages(browser)
    await site.close()
  })

  const withPicture = async (width = 800, height = 500, options = {}) => {
    const { page, close, complaints } = await openPage(browser, options, [/404/])
    await page.goto(site.url)
    await settled(page)
    await uploadFile(page, await imageFile(page, width, height))
    await havePictures(page, 1)
    return { page, close, complaints }
  }
  const crop = async (page: Page): Promise<void> => {
    await page.click('fh-widget .tool[data-tool=crop]')
    const frame = page.locator('fh-widget .frame')
    await frame.waitFor()
    await (await frame.elementHandle())?.waitForElementState('stable')
  }

  it('widget 20: a picture of the page opens large, with Highlight chosen: a drag marks at once', async () => {
    const { page, close } = await openPage(browser, {}, [/404/])
    await page.goto(site.url)
    await settled(page)
    await page.click('fh-widget [data-action=page]')
    await havePictures(page, 1)
    const focused = () =>
      page.evaluate(() => (window as unknown as WidgetWindow).widget.root.activeElement?.getAttribute('aria-label'))
    const highlight = page.getByRole('button', { name: 'Highlight', exact: true })
    await eventually(() => highlight.getAttribute('aria-pressed')).toBe('true')
    await eventually(() => highlight.evaluate((button) => button.matches(':focus'))).toBe(true)
    await eventually(async () => (await said(page)).at(-1)).toBe('Picture added, 1440 × 900 pixels.')
    const large = await page.locator('fh-widget dialog[open]').boundingBox()
    expect([large?.width, large?.height]).toEqual([1440 - 24, 900 - 24])
    const stage = await page.locator('fh-widget .stage').boundingBox()
    expect(stage?.width).toBeGreaterThan(1200)
    const at = { x: (stage?.x ?? 0) + 100, y: (stage?.y ?? 0) + 100 }
    await drag(page, at, { x: at.x + 200, y: at.y + 100 })
    await eventually(focused).toMatch(/^Highlight 1, /)
    await backToForm(page)
    await eventually(focused).toBe('Enlarge')
    await eventually(() => highlight.getAttribute('aria-pressed')).toBe('false')
    expect((await sentPictures(page))[0]).toMatchObject({
      source: 'page',
      type: 'image/webp',
      width: 1440,
      height: 900,
    })
    await close()
  })

  it.each(CORNERS)('widget 21: the %s corner, dragged past the opposite one, stops at 33 × 33', async (corner) => {
    const { page, close } = await withPicture()
    await crop(page)
    const end = await centre(page, `fh-widget .frame [data-corner=${opposite[corner]}]`)
    const start = await centre(page, `fh-widget .frame [data-corner=${corner}]`)
    await drag(page, start, { x: end.x + (end.x - start.x) * 2, y: end.y + (end.y - start.y) * 2 })
    await eventually(async () => rounded(await frameSize(page))).toEqual([33, 33])
    const [picture] = await sentPictures(page)
    expect(picture?.width).toBeGreaterThanOrEqual(33)
    expect(picture?.height).toBeGreaterThanOrEqual(33)
    await close()
  })

  it.each(['touch', 'pen'] as const)('widget 22: the smallest selection holds for %s', async (kind) => {
    const { page, close } = await withPicture()
    await crop(page)
    await dragAs(page, kind, '.frame [data-corner=bottomRight]', { x: -500, y: -500 })
    await eventually(async () => rounded(await frameSize(page))).toEqual([33, 33])
    await close()
  })

  it('widget 22: the smallest selection holds for keys', async () => {
    const { page, close } = await withPicture(400, 250)
    await crop(page)
    await page.locator('fh-widget .frame [data-corner=bottomRight]').focus()
    for (let press = 0; press < 45; press++) {
      await page.keyboard.press('Shift+ArrowLeft')
      await page.keyboard.press('Shift+ArrowUp')
    }
    await eventually(async () => rounded(await frameSize(page))).toEqual([33, 33])
    await close()
  })

  it('widget 23: the selection never leaves the picture; a low picture is kept whole in height', async () => {
    const { page, close } = await withPicture(400, 20)
    await crop(page)
    const stage = await page.locator('fh-widget .stage').boundingBox()
    await drag(page, await centre(page, 'fh-widget .frame [data-corner=topLeft]'), { x: 5000, y: 5000 })
    const box = await frameSize(page)
    expect(box.height).toBeCloseTo(stage?.height ?? 0, 1)
    expect(box.width).toBeCloseTo(33, 1)
    await drag(page, { x: box.x + 16, y: box.y + box.height / 2 }, { x: -3000, y: -3000 })
    const moved = await frameSize(page)
    expect(moved.x).toBeGreaterThanOrEqual((stage?.x ?? 0) - 0.5)
    expect(moved.width).toBeCloseTo(33, 1)
    expect((await sentPictures(page))[0]?.height).toBe(20)
    await close()
  })

  it.each([false, true])('widget 24: the bytes sent equal the preview (annotated: %s)', async (annotated) => {
    const { page, close } = await withPicture(600, 400)
    if (annotated) {
      for (const tool of ['highlight', 'hide', 'draw']) {
        await page.locator(`fh-widget .tool[data-tool=${tool}]`).focus()
        await page.keyboard.press('Enter')
        for (let press = 0; press < 6; press++) await page.keyboard.press(tool === 'hide' ? 'ArrowLeft' : 'ArrowDown')
      }
    }
    await settled(page)
    const difference = () =>
      page.evaluate(async () => {
        const { widget } = window as unknown as WidgetWindow
        const sent = await widget.decode(0)
        const preview = widget.root.querySelector<HTMLCanvasElement>('.clip canvas')
        const seen = preview?.getContext('2d')?.getImageData(0, 0, preview.width, preview.height)
        if (seen === undefined || seen.width !== sent.width || seen.height !== sent.height) return 'another size'
        let far = 0
        for (let at = 0; at < seen.data.length; at++)
          if (Math.abs((seen.data[at] ?? 0) - (sent.data[at] ?? 0)) > 60) far += 1
        return far / seen.data.length < 0.01 ? 'equal' : `${far} values differ`
      })
    await eventually(difference).toBe('equal')
    const pixels = await page.evaluate(async () =>
      [...(await (window as unknown as WidgetWindow).widget.decode(0)).data]
        .filter((_, at) => at % 4 === 3)
        .every((alpha) => alpha === 255),
    )
    expect(pixels).toBe(true)
    await close()
  })

  it('widget 32: Escape in crop mode leaves crop mode only, and takes the change back', async () => {
    const { page, close } = await withPicture()
    await crop(page)
    await drag(
      page,
      await centre(page, 'fh-widget .frame [data-corner=topLeft]'),
      await centre(page, 'fh-widget .stage'),
    )
    expect((await sentPictures(page))[0]?.width).toBeLessThan(500)
    await page.evaluate(() => {
      const open = window as unknown as { escaped: number }
      open.escaped = 0
      window.addEventListener('keydown', () => (open.escaped += 1))
    })
    await page.keyboard.press('Escape')
    await settled(page)
    await eventually(() => page.locator('fh-widget .frame').isVisible()).toBe(false)
    expect((await sentPictures(page))[0]?.width).toBe(800)
    expect(await page.evaluate(() => (window as unknown as { escaped: number }).escaped)).toBe(0)
    // The next one ends the large view, the one after that is not for the editor.
    const escape = () => page.evaluate(() => (window as unknown as WidgetWindow).widget.control.handleEscape())
    expect([await escape(), await escape()]).toEqual([true, false])
    await close()
  })

  it.each(['light', 'dark'] as const)('widget 33: axe finds nothing in the editor (%s)', async (colorScheme) => {
    const { page, close } = await withPicture(800, 500, { colorScheme })
    await page.locator('fh-widget .tool[data-tool=hide]').focus()
    await page.keyboard.press('Enter')
    const check = async () =>
      (await axeViolations(page, { within: 'fh-widget' })).map(
        ({ id, nodes }) => `${id} ${nodes.map(({ html }) => html).join(' ')}`,
      )
    expect(await check()).toEqual([])
    await crop(page)
    expect(await check()).toEqual([])
    await close()
  })

  it('widget 37: crop by keys alone: open, move, resize, apply, undo, cancel; the size is announced', async () => {
    const { page, close } = await withPicture()
    await page.locator('fh-widget .tool[data-tool=crop]').focus()
    await page.keyboard.press('Enter')
    for (let press = 0; press < 8; press++) await page.keyboard.press('Shift+ArrowRight')
    await settled(page)
    const width = (await sentPictures(page))[0]?.width ?? 0
    expect(width).toBeLessThan(800)
    expect((await said(page)).at(-1)).toBe(`${width} × 500 pixels`)
    await page.locator('fh-widget .mover').focus()
    await page.keyboard.press('Shift+ArrowLeft')
    await page.keyboard.press('Enter')
    await settled(page)
    await eventually(() => page.locator('fh-widget .frame').isVisible()).toBe(false)
    expect((await said(page)).at(-1)).toBe(`Cropped to ${width} × 500 pixels.`)
    await page.keyboard.press('Control+z')
    await page.keyboard.press('Control+z')
    await settled(page)
    expect((await sentPictures(page))[0]?.width).toBe(800)
    await page.keyboard.press('Control+Shift+z')
    await settled(page)
    expect((await sentPictures(page))[0]?.width).toBe(width)
    await crop(page)
    await page.locator('fh-widget [data-action=cancel]').click()
    await eventually(async () => (await said(page)).at(-1)).toBe('Crop cancelled.')
    await close()
  })

  it.each(['highlight', 'hide', 'draw', 'arrow'])(
    'widget 38: %s is made, moved, resized and deleted by keys',
    async (tool) => {
      const { page, close } = await withPicture()
      await page.locator(`fh-widget .tool[data-tool=${tool}]`).focus()
      await page.keyboard.press('Enter')
      const mark = page.locator('fh-widget .mark')
      const before = await mark.boundingBox()
      await page.keyboard.press('ArrowRight')
      await page.keyboard.press('Shift+ArrowDown')
      await eventually(async () => ((await mark.boundingBox())?.x ?? 0) - (before?.x ?? 0)).toBeCloseTo(4, 0)
      await eventually(async () => ((await mark.boundingBox())?.height ?? 0) - (before?.height ?? 0)).toBeCloseTo(4, 0)
      await eventually(async () => (await said(page)).at(-1)).toMatch(/^\d+ × \d+ pixels$/)
      await page.keyboard.press('Delete')
      await eventually(() => mark.count()).toBe(0)
      await page.keyboard.press('Control+z')
      await eventually(() => mark.count()).toBe(1)
      await close()
    },
  )

  it('widget 39: targets are at least 24 × 24 at 320 px, and nothing overflows', async () => {
    const { page, close } = await withPicture(800, 500, { viewport: { width: 320, height: 568 } })
    await crop(page)
    const small = await page.evaluate(() =>
      [...(window as unknown as WidgetWindow).widget.root.querySelectorAll('button')]
        .map((each) => ({
          name: each.getAttribute('aria-label') ?? each.textContent,
          box: each.getBoundingClientRect(),
        }))
        .filter(({ box }) => box.width > 0 && (box.width < 24 || box.height < 24 || box.right > 320 || box.left < 0))
        .map(({ name }) => name),
    )
    expect(small).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
    await close()
  })

  it('widget 46: marks drawn by pointer have keys for everything a drag does', async () => {
    const { page, close } = await withPicture()
    await page.click('fh-widget .tool[data-tool=hide]')
    const stage = await page.locator('fh-widget .stage').boundingBox()
    const at = { x: (stage?.x ?? 0) + 40, y: (stage?.y ?? 0) + 40 }
    await drag(page, at, { x: at.x + 60, y: at.y + 40 })
    await eventually(() =>
      page.evaluate(() => (window as unknown as WidgetWindow).widget.root.activeElement?.getAttribute('aria-label')),
    ).toMatch(/^Hide 1, /)
    await page.keyboard.press('Delete')
    await eventually(() => page.locator('fh-widget .mark').count()).toBe(0)
    await close()
  })

  it.each(['#000000', '#1c1b19', '#ffffff'])(
    'widget 88: on %s a hidden part is seen, and covers all that it lies on',
    async (ground) => {
      const { page, close } = await openPage(browser, {}, [/404/])
      await page.goto(site.url)
      await settled(page)
      const bytes = await page.evaluate(async (color) => {
        const canvas = new OffscreenCanvas(400, 300)
        const context = canvas.getContext('2d')
        if (context === null) return []
        context.fillStyle = color
        context.fillRect(0, 0, 400, 300)
        context.fillStyle = '#ff00ff'
        context.fillRect(100, 100, 200, 100)
        return [...new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer())]
      }, ground)
      await uploadFile(page, { name: 'secret.png', mimeType: 'image/png', buffer: Buffer.from(bytes) })
      await havePictures(page, 1)
      await page.click('fh-widget .tool[data-tool=hide]')
      const stage = await page.locator('fh-widget .stage').boundingBox()
      const at = (part: number) => ({ x: (stage?.x ?? 0) + 400 * part, y: (stage?.y ?? 0) + 300 * part })
      expect(stage?.width).toBe(400)
      await drag(page, at(0.2), at(0.8))
      const told = await page.evaluate(async () => {
        const { data, width } = await (window as unknown as WidgetWindow).widget.decode(0)
        const luminance = (x: number, y: number): number => {
          const [red = 0, green = 0, blue = 0] = [...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 3)].map(
            (value) => ((value / 255 + 0.055) / 1.055) ** 2.4,
          )
          return 0.2126 * red + 0.7152 * green + 0.0722 * blue
        }
        let secrets = 0
        let clear = 0
        for (let index = 0; index < data.length; index += 4) {
          const [red = 0, green = 0, blue = 0, alpha = 0] = data.subarray(index, index + 4)
          if (red > green + 60 && blue > green + 60) secrets += 1
          if (alpha !== 255) clear += 1
        }
        // Across the left edge, half way down.
        const across = Array.from({ length: 40 }, (_, step) => luminance(60 + step, 150))
        return { secrets, clear, contrast: (Math.max(...across) + 0.05) / (Math.min(...across) + 0.05) }
      })
      expect(told).toMatchObject({ secrets: 0, clear: 0 })
      expect(told.contrast).toBeGreaterThan(3)
      await close()
    },
  )

  it('widget 88: what is hidden is opaque in the bytes, and ready() waits for it', async () => {
    const { page, close } = await withPicture(400, 300)
    await page.locator('fh-widget .tool[data-tool=hide]').focus()
    await page.keyboard.press('Enter')
    await settled(page)
    const [red, green, blue, alpha] = await pixelOf(page, 200, 150)
    expect(Math.max(red ?? 255, green ?? 255, blue ?? 255)).toBeLessThan(45)
    expect(alpha).toBe(255)
    await page.locator('fh-widget .tool[data-tool=highlight]').focus()
    await page.keyboard.press('Enter')
    await settled(page)
    // A highlight shows the original again, but never what is hidden.
    expect(Math.max(...(await pixelOf(page, 180, 150)).slice(0, 3))).toBeLessThan(45)
    await close()
  })
})

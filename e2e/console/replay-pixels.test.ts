import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import { inflateSync } from 'node:zlib'
import { parseEnvelope } from '@firsthand/protocol'
import type { Browser, CDPSession, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAxis } from '../../apps/console/src/features/replays/model/axis.ts'
import { originOf, type SignedIn, signIn } from '../lib/account.ts'
import { apiOf } from '../lib/api.ts'
import { openPage } from '../lib/browser.ts'
import { eventually } from '../lib/eventually.ts'
import { ingestUrl } from '../lib/send.ts'
import { closePages, joinBrowser, joinServer, type SharedServer } from '../lib/shared.ts'
import { bundle } from '../lib/site.ts'
import { until } from '../lib/until.ts'

const ORGANIZATION = 'replay-pixels'
const RECORDERS = ['7', '8', '9', '10', '11', 'firsthand'] as const
type Recorder = (typeof RECORDERS)[number]
const MAJORS = RECORDERS.filter((name) => name !== 'firsthand')
const VIEWPORT = { width: 800, height: 600 }
const AREA = { x: 0, y: 0, ...VIEWPORT, scale: 1 }

/** Nothing is masked; `window.recorders` are the integrations. */
const START = `
  const options = {
    stickySession: false,
    minReplayDuration: 0,
    useCompression: false,
    maskAllText: false,
    maskAllInputs: false,
    blockAllMedia: false,
  }
  window.recorders = {}
  const start = (name, sdk, replay, more = []) => {
    const { dsn } = window
    sdk.init({ dsn, tunnel: '/sent/' + name, replaysSessionSampleRate: 1, integrations: [replay, ...more] })
    window.recorders[name] = replay
  }
`

/** Sentry's recorders bear each other on one page. */
const SENTRYS = MAJORS.map(
  (major) => `
    import * as sentry${major} from 'sentry-browser-${major}'
    const canvas${major} = sentry${major}.replayCanvasIntegration({ quality: 'high' })
    start('${major}', sentry${major}, sentry${major}.replayIntegration(options), [canvas${major}])
  `,
)

const OURS = `
  import * as firsthand from '@firsthand/browser'
  import { replayIntegration } from '@firsthand/replay'
  start('firsthand', firsthand, replayIntegration({ ...options, canvas: { quality: 'high' } }))
`

/**
 * The dialog stands in sight: one that is not would be scrolled to when it opens. Of what scrolls in one document within a
 * tenth of a second Sentry's recorders note the first two, so one of the boxes that scroll next would be missing.
 */
const PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><link rel="icon" href="data:,"><title>A shop</title>
<style id="sheet">
  body { margin: 0; font: 16px/1.4 sans-serif; height: 1400px; background: #f4f1ea }
  main { display: grid; grid-template-columns: 1fr 1fr; gap: 12px; padding: 12px }
  .box { height: 130px; overflow: auto; background: white; border: 2px solid #444 }
  .long { height: 900px; background: linear-gradient(white, navy) }
  #large { width: 380px; display: block } #small { display: block }
  iframe { width: 100%; height: 100%; border: 0 }
  dialog { position: fixed; top: 200px; width: 400px; height: 200px; background: gold }
  dialog::backdrop { background: #0008 } #font { margin: 0; font-size: 60px }
</style></head><body><main>
  <div class="box" id="host"></div>
  <div class="box"><iframe id="frame"></iframe></div>
  <div class="box" id="tiles"><p class="tile">Tiles</p><p id="font">Brass lamps</p></div>
  <div class="box" id="scrolled"><div class="box"><div class="long"></div></div><div class="long"></div></div>
  <form class="box">
    <input id="text"> <input id="secret" type="password"><br>
    <label><input type="checkbox" id="check"> gift</label> <input type="radio" id="radio">
    <select id="select"><option>red</option><option>blue</option></select><br><textarea id="area"></textarea>
  </form>
  <div class="box" id="list"></div>
  <canvas id="large" width="2560" height="1440"></canvas><canvas id="small" width="300" height="200"></canvas>
</main><dialog id="dialog">Are you sure?</dialog><script src="/app.js"></script></body></html>`

/**
 * What recorders note some time after it happened: changes of what kind, and of how many nodes; a font belongs to none.
 * Of scrolling, how far down: other boxes may scroll as well, when a field in them is filled.
 */
interface Late {
  readonly source: number
  readonly nodes: number
  readonly to?: readonly number[]
}

type Step = readonly [name: string, step: (page: Page, recorders: readonly Recorder[]) => Promise<unknown>, late?: Late]

/** What the page does from one given second to the next. Each changes more of its picture than may differ in the end. */
const STEPS: readonly Step[] = [
  [
    'shadow DOM with adopted sheets',
    (page) =>
      page.evaluate(() => {
        const root = document.querySelector('#host')?.attachShadow({ mode: 'open' })
        const sheet = new CSSStyleSheet()
        sheet.replaceSync('p { margin: 0; height: 100px; background: teal; color: white }')
        if (root === undefined) return
        root.innerHTML = '<p>In the shadow <slot></slot></p>'
        root.adoptedStyleSheets = [sheet]
        Reflect.set(window, 'adopted', sheet)
      }),
    { source: 15, nodes: 1 },
  ],
  [
    'iframe',
    (page) =>
      page.evaluate(() => {
        const inner = document.querySelector<HTMLIFrameElement>('#frame')?.contentDocument?.body
        if (inner == null) return
        inner.style.background = 'crimson'
        inner.innerHTML =
          '<h1>In a frame</h1><div style="height: 800px; background: linear-gradient(pink, black)"></div>'
      }),
  ],
  [
    'rules and adopted sheets that scripts change',
    (page) =>
      page.evaluate(() => {
        document
          .querySelector<HTMLStyleElement>('#sheet')
          ?.sheet?.insertRule('.tile { background: orange; height: 30px; margin: 0 }', 3)
        const adopted = Reflect.get(window, 'adopted') as CSSStyleSheet
        adopted.replaceSync('p { margin: 0; height: 100px; background: purple; color: yellow }')
        adopted.insertRule('p { padding-left: 40px }')
      }),
  ],
  [
    'font of a script',
    (page) =>
      page.evaluate(async (bytes) => {
        const font = new FontFace('Shop', Uint8Array.from(atob(bytes), (sign) => sign.charCodeAt(0)).buffer)
        await font.load()
        document.fonts.add(font)
        const text = document.querySelector<HTMLElement>('#font')
        if (text !== null) text.style.font = '900 60px Shop'
      }, FONT),
    { source: 10, nodes: 1 },
  ],
  [
    'input, select, checkbox',
    async (page) => {
      await page.fill('#text', 'Ada')
      await page.fill('#secret', 'hush hush')
      await page.fill('#area', 'Three lamps, please')
      await page.check('#check')
      await page.check('#radio')
      await page.selectOption('#select', 'blue')
      await page.evaluate(() => {
        ;(document.activeElement as HTMLElement | null)?.blur()
        document.querySelector<HTMLElement>('form')?.style.setProperty('background', 'lightgreen')
      })
    },
  ],
  [
    'dialog',
    (page, recorders) =>
      page.evaluate((isModal) => {
        const dialog = document.querySelector<HTMLDialogElement>('dialog')
        // Sentry's recorders do not say which of both it was.
        if (isModal) dialog?.showModal()
        else dialog?.show()
      }, recorders.includes('firsthand')),
  ],
  [
    'scroll in nested boxes and in a frame',
    (page) =>
      page.evaluate(() => {
        document.querySelector<HTMLDialogElement>('dialog')?.close()
        document.querySelector('#scrolled')?.scrollTo(0, 40)
        document.querySelector('#scrolled .box')?.scrollTo(0, 600)
        document.querySelector<HTMLIFrameElement>('#frame')?.contentWindow?.scrollTo(0, 300)
      }),
    { source: 3, nodes: 3, to: [40, 300, 600] },
  ],
  ['canvas larger than 1280 × 1280', (page) => paint(page, 'red', 'green'), { source: 9, nodes: 2 }],
  ['canvas again', (page) => paint(page, 'blue', 'orange'), { source: 9, nodes: 2 }],
  [
    'many changes and scroll of the page',
    (page) =>
      page.evaluate(() => {
        const list = document.querySelector('#list')
        for (let row = 0; row < 40; row++)
          list?.append(Object.assign(document.createElement('b'), { textContent: `row ${row} ` }))
        for (const row of [...(list?.children ?? [])].slice(0, 10)) row.remove()
        list?.classList.add('tile')
        scrollTo(0, 130)
      }),
    { source: 3, nodes: 1, to: [130] },
  ],
]

const FONT = readFileSync(
  createRequire(import.meta.url).resolve('@fontsource-variable/inter/files/inter-latin-standard-normal.woff2'),
).toString('base64')

const paint = (page: Page, ...colors: readonly string[]): Promise<void> =>
  page.evaluate((given) => {
    for (const [index, id] of ['#large', '#small'].entries()) {
      const canvas = document.querySelector<HTMLCanvasElement>(id)
      const context = canvas?.getContext('2d')
      if (canvas === null || context == null) return
      const { width, height } = canvas
      context.fillStyle = given[index] ?? ''
      context.fillRect(0, 0, width, height)
      context.fillStyle = 'white'
      context.fillRect(width / 4, height / 4, width / 2, height / 8)
    }
  }, colors)

interface Recorded {
  readonly type: number
  readonly timestamp: number
  readonly data: { readonly source?: number; readonly id?: number; readonly y?: number }
}

/** What one recorder sent. */
interface Sent {
  replayId: string
  segments: number
  readonly events: Recorded[]
}

const readSegment = (body: Uint8Array, sent: Sent): void => {
  const parsed = parseEnvelope(body)
  if (!parsed.ok) throw new Error(`an envelope that nobody can read: ${parsed.error.message}`)
  for (const { header, payload } of parsed.value.items) {
    if (header.type !== 'replay_recording') continue
    sent.replayId = String(parsed.value.header.eventId)
    sent.segments += 1
    const recording = payload.subarray(payload.indexOf(0x0a) + 1)
    const text = recording[0] === 0x78 ? inflateSync(recording) : Buffer.from(recording)
    sent.events.push(...(JSON.parse(text.toString()) as Recorded[]))
  }
}

/** A site whose recorders send to it; it hands on to the server what they send, byte for byte. */
const serveShop = async (dsn: string, script: string, sent: Readonly<Record<string, Sent>>) => {
  const takeIn = async (name: string, body: Uint8Array<ArrayBuffer>): Promise<number> => {
    const headers = { 'content-type': 'text/plain' }
    const answer = await fetch(ingestUrl(dsn), { method: 'POST', headers, body })
    const of = sent[name]
    if (of !== undefined && answer.ok) readSegment(body, of)
    return answer.status
  }
  const server: Server = createServer((request, response) => {
    const url = request.url ?? ''
    if (request.method === 'POST') {
      const parts: Buffer[] = []
      request.on('data', (part: Buffer) => parts.push(part))
      request.on('end', () => {
        takeIn(url.replace('/sent/', ''), new Uint8Array(Buffer.concat(parts))).then(
          (status) => response.writeHead(status).end(),
          (error: unknown) => response.destroy(error instanceof Error ? error : undefined),
        )
      })
      return
    }
    const isScript = url === '/app.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html; charset=utf-8')
    response.end(isScript ? script : PAGE)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the shop has no port')
  return {
    url: `http://127.0.0.1:${address.port}/`,
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

/** What stands on the screen, as far as the recorded page is large. */
const take = async (session: CDPSession, clip?: typeof AREA): Promise<string> =>
  (await session.send('Page.captureScreenshot', { format: 'png', ...(clip === undefined ? {} : { clip }) })).data

/** A pixel differs when one of its colours does by more than codecs and smoothed edges make of it. */
const TOLERANCE = 32
/** Share of the pixels. */
const MOST_DIFFERING = 0.01

/** @returns the share of pixels that differ */
const difference = (page: Page, one: string, other: string): Promise<number> =>
  page.evaluate(
    async ([pictures, { width, height }, tolerance]) => {
      const pixelsOf = async (base64: string): Promise<Uint8ClampedArray> => {
        const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))
        const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
        const context = new OffscreenCanvas(width, height).getContext('2d')
        context?.drawImage(bitmap, 0, 0)
        return context?.getImageData(0, 0, width, height).data ?? new Uint8ClampedArray()
      }
      const [first = new Uint8ClampedArray(), second = []] = await Promise.all(pictures.map(pixelsOf))
      let differing = 0
      for (let pixel = 0; pixel < first.length; pixel += 4) {
        const isOther = [0, 1, 2].some(
          (color) => Math.abs((first[pixel + color] ?? 0) - (second[pixel + color] ?? 0)) > tolerance,
        )
        if (isOther) differing += 1
      }
      return differing / (width * height)
    },
    [[one, other], VIEWPORT, TOLERANCE] as const,
  )

interface Playback {
  readonly startedAt: number
  readonly finishedAt: number
  readonly idle: readonly (readonly [number, number])[]
}

/** A moment of the page: what it showed, and when. */
interface Moment {
  readonly name: string
  readonly from: number
  readonly to: number
  readonly picture: string
}

/** Lays the recorded page over everything else, in its own size and without the pointer, to be compared. */
const bringForward = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const frame = document.querySelector<HTMLIFrameElement>('iframe[title="Recorded page"]')
    if (frame === null) throw new Error('there is no recorded page')
    frame.popover = 'manual'
    frame.style.transform = 'none'
    frame.style.inset = '0'
    frame.style.margin = '0'
    frame.style.padding = '0'
    frame.style.border = '0'
    frame.showPopover()
    const style = frame.contentDocument?.createElement('style')
    if (style === undefined) return
    style.textContent = '.replayer-mouse, .replayer-mouse-tail { display: none !important }'
    frame.contentDocument?.head.append(style)
  })

describe('what is played', () => {
  let server: SharedServer
  let browser: Browser
  let signedIn: SignedIn
  const sent = Object.fromEntries(
    RECORDERS.map((name): [string, Sent] => [name, { replayId: '', segments: 0, events: [] }]),
  ) as Record<Recorder, Sent>
  let moments: Readonly<Record<'sentry' | 'firsthand', readonly Moment[]>>

  const flush = (page: Page): Promise<unknown> =>
    page.evaluate(() => {
      const recorders = Reflect.get(window, 'recorders') as Record<string, { flush(): Promise<void> }>
      return Promise.all(Object.values(recorders).map((recorder) => recorder.flush()))
    })

  /** Sends what was recorded until each of them has sent this. */
  const noted = (
    page: Page,
    recorders: readonly Recorder[],
    what: string,
    isIt: (events: readonly Recorded[]) => boolean,
  ): Promise<unknown> =>
    until(
      () => `${what} by ${recorders.filter((name) => !isIt(sent[name].events)).join(', ')}`,
      async () => {
        await flush(page)
        return recorders.every((name) => isIt(sent[name].events)) ? true : null
      },
    )

  /** Does everything on a page of its own. @returns what it showed */
  const visit = async (script: string, recorders: readonly Recorder[]): Promise<readonly Moment[]> => {
    const shop = await serveShop(server.account.dsn, await bundle(script), sent)
    const { page, close } = await openPage(browser, { viewport: VIEWPORT })
    await page.addInitScript(`window.dsn = ${JSON.stringify(server.account.dsn)}`)
    await page.goto(shop.url)
    const session = await page.context().newCDPSession(page)
    const seen: Moment[] = []
    const see = async (name: string): Promise<void> => {
      // Where nothing is: before and after each moment the visitor does something, so that it is in no idle stretch.
      await page.mouse.click(1, 1)
      const from = Date.now()
      const picture = await take(session)
      seen.push({ name, from, to: Date.now(), picture })
    }
    await noted(page, recorders, 'the page', (events) => events.some(({ type }) => type === 2))
    await see('page')
    for (const [name, step, late] of STEPS) {
      const since = Date.now()
      await step(page, recorders)
      if (late !== undefined) {
        const isOfIt = ({ data, timestamp }: Recorded): boolean =>
          data.source === late.source && timestamp >= since && (late.to?.includes(data.y ?? 0) ?? true)
        const nodes = (events: readonly Recorded[]) => events.filter(isOfIt).map(({ data }) => data.id)
        await noted(page, recorders, name, (events) => new Set(nodes(events)).size === late.nodes)
      }
      await see(name)
    }
    const ended = Date.now()
    await page.mouse.click(1, 1)
    await noted(page, recorders, 'the end', (events) => events.some(({ timestamp }) => timestamp >= ended))
    await close()
    await shop.close()
    return seen
  }

  beforeAll(async () => {
    ;[server, browser] = await Promise.all([joinServer(ORGANIZATION), joinBrowser()])
    signedIn = await signIn(server)
    const [sentry, firsthand] = await Promise.all([
      visit([START, ...SENTRYS].join('\n'), MAJORS),
      visit(`${START}${OURS}`, ['firsthand']),
    ])
    moments = { sentry, firsthand }
  })
  afterAll(async () => {
    await closePages(browser)
  })

  it('R45: each given second of the page differs from the one before', async () => {
    const { page, close } = await openPage(browser)
    const alike: string[] = []
    for (const seen of Object.values(moments)) {
      for (const [index, { name, picture }] of seen.entries()) {
        const before = seen[index - 1]
        if (before !== undefined && (await difference(page, before.picture, picture)) <= MOST_DIFFERING)
          alike.push(name)
      }
    }
    expect(alike).toEqual([])
    await close()
  })

  for (const name of RECORDERS) {
    const title = name === 'firsthand' ? 'our recorder' : `Sentry's SDK ${name}`
    it(`R1, R45, R48, R49: what ${title} recorded is shown as the page was, after seeks forward and back`, async () => {
      const { events, replayId, segments } = sent[name]
      expect(JSON.stringify(events)).not.toContain('hush hush')
      const path = `/organizations/${ORGANIZATION}/replays/${replayId}`
      const { startedAt, finishedAt, idle } = await until(`${segments} segments of replay ${replayId}`, async () => {
        const { data } = await apiOf(server).get<{ data: readonly { count_segments: number }[] }>(
          `/organizations/${ORGANIZATION}/replays/?query=id%3A${replayId}`,
        )
        if (data[0]?.count_segments !== segments) return null
        return apiOf(server).get<Playback>(`${path}/playback/`)
      })
      const axis = createAxis(startedAt, finishedAt, idle)
      const { page, complaints, close } = await openPage(browser, signedIn)
      await page.goto(`${originOf(server)}${path}`)
      const score = page.getByRole('slider', { name: 'Time in the replay' })
      await page.frameLocator('iframe[title="Recorded page"]').frameLocator('iframe').locator('main').waitFor()
      const session = await page.context().newCDPSession(page)
      await bringForward(page)
      const seek = (at: number): Promise<void> =>
        score.evaluate((track, share) => {
          const { left, top, width } = track.getBoundingClientRect()
          const place = { bubbles: true, button: 0, pointerId: 1, clientX: left + width * share, clientY: top + 4 }
          track.dispatchEvent(new PointerEvent('pointerdown', place))
          track.dispatchEvent(new PointerEvent('pointerup', place))
          // Mostly it is drawn by the next frame: looking too early takes longer than that.
          return new Promise<void>((resolve) => {
            requestAnimationFrame(() => requestAnimationFrame(() => resolve()))
          })
        }, axis.placeOf(at))
      // Every third, then the others: forward over several, and back.
      const seen = moments[name === 'firsthand' ? name : 'sentry']
      const order = [0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8].flatMap((index) => seen[index] ?? [])
      expect(order).toHaveLength(seen.length)
      for (const moment of order) {
        await seek((moment.from + moment.to) / 2)
        await eventually(
          async () => (await difference(page, moment.picture, await take(session, AREA))) <= MOST_DIFFERING,
          `${moment.name}, as ${title} recorded it`,
        ).toBe(true)
      }
      expect(complaints.list).toEqual([])
      await close()
    })
  }
})

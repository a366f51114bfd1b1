import type { Browser, Page } from 'playwright-core'
import { readEvents, rewriteEvents } from '@firsthand/recording'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readIndex } from '../../apps/server/src/replays/read/read-index.ts'
import { openPage } from '../lib/browser.ts'
import { type Collector, startCollector } from '../lib/collector.ts'
import { eventually } from '../lib/eventually.ts'
import { closePages, joinBrowser } from '../lib/shared.ts'
import { bundle, serveSite } from '../lib/site.ts'

/** A page of a site that records itself; `window.replay` is the integration. */
const RECORDED = `
  import * as Firsthand from '@firsthand/browser'
  import { replayIntegration } from '@firsthand/replay'
  const said = JSON.parse(decodeURIComponent(location.hash.slice(1)) || '{}')
  window.Firsthand = Firsthand
  window.replay = replayIntegration({ minReplayDuration: 0, ...said.options })
  Firsthand.init({
    dsn: window.dsn,
    release: 'shop@1',
    replaysSessionSampleRate: 1,
    ...said.init,
    integrations: [window.replay],
  })
`

/** The same with the recorder that Sentry's SDK has. */
const RECORDED_BY_SENTRY = `
  import * as Sentry from 'sentry-browser-10'
  const said = JSON.parse(decodeURIComponent(location.hash.slice(1)) || '{}')
  window.replay = Sentry.replayIntegration({ minReplayDuration: 0, ...said.options })
  Sentry.init({ dsn: window.dsn, replaysSessionSampleRate: 1, integrations: [window.replay] })
`

/** rrweb's player, and Sentry's, which was made of an older one. */
const PLAYERS = ['@rrweb/replay', '@sentry-internal/rrweb'] as const

/** Plays what was recorded as anybody's player would, and says what it shows. */
const playerOf = (name: string): string => `
  import { Replayer } from '${name}'
  window.warnings = []
  window.play = (events) => {
    const replayer = new Replayer(events, {
      root: document.body,
      liveMode: false,
      mouseTail: false,
      logger: { log: () => {}, warn: (...said) => window.warnings.push(said.map(String).join(' ')) },
    })
    replayer.pause(replayer.getMetaData().totalTime + 1000)
    window.shown = replayer.iframe.contentDocument
  }
`

/** Everything is recorded as it is. */
const OPEN = { maskAllText: false, maskAllInputs: false, blockAllMedia: false }

/** What a page shows, with what is in shadow roots and frames: words and values, in order. */
const wordsIn = (page: Page, isReplayed: boolean): Promise<string[]> =>
  page.evaluate((replayed) => {
    const words: string[] = []
    const visit = (node: Node): void => {
      if (['SCRIPT', 'STYLE', 'NOSCRIPT', 'TITLE'].includes(node.nodeName)) return
      if (node.nodeType === Node.TEXT_NODE && node.textContent?.trim()) words.push(node.textContent.trim())
      if (node instanceof Element || node.nodeType === Node.ELEMENT_NODE) {
        const element = node as HTMLInputElement & HTMLIFrameElement
        if (['INPUT', 'TEXTAREA', 'SELECT'].includes(element.nodeName)) {
          words.push(`${element.nodeName} ${element.value}`)
          return
        }
        if (element.shadowRoot) visit(element.shadowRoot)
        if (element.nodeName === 'IFRAME' && element.contentDocument) visit(element.contentDocument)
      }
      node.childNodes.forEach(visit)
    }
    const shown = replayed ? (Reflect.get(window, 'shown') as Document) : document
    visit(shown.body)
    return words
  }, isReplayed)

/** Requests, a word on the console, and another address. */
const workInShop = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const headers = { 'X-Tea': 'green', Authorization: 'Bearer hush' }
    await fetch('/open?', { method: 'POST', body: '{"tea":"green"}', headers }).then((answer) => answer.text())
    await fetch('/closed', { method: 'POST', body: 'hush', headers })
    await new Promise((resolve) => {
      const xhr = new XMLHttpRequest()
      xhr.open('GET', '/open')
      for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value)
      xhr.addEventListener('loadend', resolve)
      xhr.send()
    })
    // Said by the page, which has a console like any other.
    Reflect.get(window, 'console').warn('the tea is', { cold: true })
    history.pushState(null, '', '?second')
  })

/** What was noted beside the picture, by its category or by how its op begins. */
const notesOf = (collector: Collector) => {
  const payloads = (tag: string) =>
    collector.events().flatMap(({ data }) => (data['tag'] === tag ? [data['payload'] as Record<string, unknown>] : []))
  return {
    crumbs: (category: string) => payloads('breadcrumb').filter((one) => one['category'] === category),
    spans: (op: string) => payloads('performanceSpan').filter((one) => String(one['op']).startsWith(op)),
  }
}

/** Counts from now on what a page listens to, observes and waits for, and says which functions are not the browser's own. */
const countPatches = (): void => {
  const live = new Set<string>()
  const ids = new Map<unknown, number>()
  const idOf = (thing: unknown): number => ids.get(thing) ?? (ids.set(thing, ids.size), ids.size - 1)
  const frames = [...document.querySelectorAll('iframe')].map(
    (frame) => frame.contentWindow as Window & typeof globalThis,
  )
  const realms = [window, ...frames]
  const said = (target: unknown, [type, listener, options]: readonly unknown[]): string => {
    const isCapture =
      typeof options === 'object' && options !== null ? Reflect.get(options, 'capture') === true : options === true
    return `${Object.prototype.toString.call(target)} ${idOf(target)} ${String(type)} ${idOf(listener)} ${isCapture}`
  }
  for (const realm of realms) {
    for (const [name, isAdded] of [
      ['addEventListener', true],
      ['removeEventListener', false],
    ] as const) {
      const original = realm.EventTarget.prototype[name] as (...given: unknown[]) => void
      Reflect.set(realm.EventTarget.prototype, name, function (this: unknown, ...given: unknown[]) {
        if (isAdded) live.add(said(this, given))
        else live.delete(said(this, given))
        return original.apply(this, given)
      })
    }
    for (const name of ['MutationObserver', 'IntersectionObserver', 'PerformanceObserver'] as const) {
      const prototype = realm[name].prototype as unknown as Record<string, (...given: unknown[]) => unknown>
      const { observe, disconnect } = prototype
      prototype['observe'] = function (this: unknown, ...given: unknown[]) {
        live.add(`${name} ${idOf(this)}`)
        return observe?.apply(this, given)
      }
      prototype['disconnect'] = function (this: unknown) {
        live.delete(`${name} ${idOf(this)}`)
        return disconnect?.call(this)
      }
    }
  }
  const functions = (): string[] =>
    realms.flatMap((realm, number) =>
      Object.getOwnPropertyNames(realm).flatMap((name) => {
        const holder: unknown = Reflect.get(realm, name)
        const prototype =
          typeof holder === 'function' ? (Reflect.get(holder, 'prototype') as object | undefined) : undefined
        const holders = prototype && /^[A-Z]/.test(name) ? [prototype] : []
        const own = typeof holder === 'function' ? [`${number} ${name} ${idOf(holder)}`] : []
        return [
          ...own,
          ...holders.flatMap((one) =>
            Object.entries(Object.getOwnPropertyDescriptors(one)).map(
              ([key, { value, get, set }]) => `${number} ${name}.${key} ${[value, get, set].map(idOf).join(' ')}`,
            ),
          ),
        ]
      }),
    )
  const own = (): string[] =>
    realms.flatMap(({ document: page }) => [
      ...Object.getOwnPropertyNames(page),
      String(page.fonts.add === FontFaceSet.prototype.add || page !== document),
    ])
  Reflect.set(window, 'counted', () => ({
    live: [...live].sort(),
    functions: functions().sort(),
    own: own(),
  }))
}

describe('the recorder', () => {
  let browser: Browser
  let players: readonly string[] = []
  beforeAll(async () => {
    ;[browser, players] = await Promise.all([joinBrowser(), Promise.all(PLAYERS.map((name) => bundle(playerOf(name))))])
  })
  afterAll(async () => {
    await closePages(browser)
  })

  interface Visit {
    readonly page: Page
    readonly collector: Collector
    readonly complaints: readonly string[]
    readonly url: string
    flush(): Promise<void>
  }

  /** Visits a page that records itself, with what its sender got. */
  const visit = async (
    html: string,
    said: { readonly options?: object; readonly init?: object },
    work: (visit: Visit) => Promise<void>,
    headers: Readonly<Record<string, string>> = {},
    script = RECORDED,
  ): Promise<void> => {
    const collector = await startCollector()
    const site = await serveSite(`window.dsn = ${JSON.stringify(collector.dsn)};${script}`, html, headers)
    const { page, complaints, close } = await openPage(browser, { viewport: { width: 800, height: 600 } })
    const url = `${site.url}#${encodeURIComponent(JSON.stringify(said))}`
    try {
      await page.goto(url)
      await work({
        page,
        collector,
        complaints: complaints.list,
        url,
        flush: () => page.evaluate(() => (Reflect.get(window, 'replay') as { flush(): Promise<void> }).flush()),
      })
    } finally {
      await close()
      await site.close()
      await collector.close()
    }
  }

  const SECRET = 'hush'
  const PICTURE = `data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'%3E%3Ctext%3E${SECRET}%3C/text%3E%3C/svg%3E`
  const PRIVATE = `
    <style>h1::before { content: "${SECRET} before" } h1 { background: url("${PICTURE}") } :root { --word: "${SECRET}" }
      h1::after { content: "a; {${SECRET}} b" } li { list-style-type: "${SECRET} " } q { quotes: "${SECRET}" "x" } h2::after { content: attr(data-tip) } h2::before { content: attr(data-state) attr(lettered) } h3[data-when="now"], [data-theme~=dark] { color: red }
      @counter-style signs { system: cyclic; symbols: "${SECRET}" "${SECRET}" }</style>
    <h2 data-original-title="${SECRET}" data-tip="${SECRET}" data-bs-content="${SECRET}" data-placeholder="${SECRET}"></h2>
    <h2 data-state="${SECRET}" lettered="${SECRET}" data-initials="${SECRET}" data-user-name="${SECRET}" data-cart='{"a":"${SECRET}"}'></h2>
    <h3 data-theme="dark" data-testid="greeting" data-count="3" lang="en" data-mounted="true" data-when="now" data-where="now"></h3><user-chip id="chip" name="${SECRET} Lee" data-testid="${SECRET} Lee" style="background:url(/a.png?v=4&sig=${SECRET})">chip</user-chip><math alttext="${SECRET}"></math>
    <shop-card class="wide blue" message="${SECRET}" name="${SECRET}" user="${SECRET}" variant="round" href="/c?q=${SECRET}"></shop-card>
    <a href="/find?q=${SECRET}&page=2#/u/${SECRET}">find</a><form action="/f?q=${SECRET}"><button formaction="/g?${SECRET}" type="button"></button></form>
    <iframe src="about:blank?q=${SECRET}"></iframe><link rel="prefetch" href="/x.css?v=3&token=${SECRET}">
    <h1 title="${SECRET}">${SECRET} heading</h1>
    <p aria-label="${SECRET}" id="told">${SECRET} words</p>
    <input id="name" value="${SECRET}" placeholder="${SECRET}"><input type="password" id="pass" value="${SECRET}">
    <input type="radio" name="kind" value="${SECRET}" id="radio"><input type="submit" value="${SECRET}">
    <textarea id="long">${SECRET}</textarea>
    <select id="choice"><option>one</option><option value="${SECRET}" label="${SECRET}">${SECRET} option</option></select>
    <img alt="${SECRET}" src="${PICTURE}"><svg><text>${SECRET}</text></svg>
    <a href="mailto:${SECRET}@example.com">write</a><a href="whatsapp://send?text=${SECRET}">send</a><a href="https://wa.me/1?a=b&text=${SECRET}">send</a>
    <shop-card text="${SECRET}" heading="${SECRET}" data-balloon="${SECRET}" aria-braillelabel="${SECRET}"></shop-card>
    <time datetime="${SECRET}">then</time><a download="${SECRET}" href="/file">file</a><div id="later"></div><div id="host"></div>
    <iframe id="frame" srcdoc="<p>${SECRET} in a frame</p>"></iframe>`

  it('R93, R94: nothing that people can read leaves the page, also of what comes later', async () => {
    await visit(PRIVATE, {}, async ({ page, collector, flush }) => {
      await eventually(async () => {
        await flush()
        return collector.events().filter(({ data }) => data['isAttachIframe']).length
      }).toBeGreaterThan(0)
      await page.evaluate((secret) => {
        const at = (id: string) => document.getElementById(id) as HTMLInputElement
        const root = at('host').attachShadow({ mode: 'open' })
        root.append(`${secret} in a shadow`)
        at('later').innerHTML = `<b title="${secret}">${secret} added</b>`
        at('told').setAttribute('aria-label', `${secret} again`)
        at('told').style.setProperty('content', `"${secret}"`)
        at('pass').type = 'text'
        document.styleSheets[0]?.insertRule(`b::after { content: "${secret}" }`)
        const sheet = new CSSStyleSheet()
        sheet.replaceSync(`i::after { content: '${secret}' }`)
        document.adoptedStyleSheets = [sheet]
      }, SECRET)
      await page.click('#chip')
      await page.fill('#pass', `${SECRET} typed`)
      await page.fill('#name', `${SECRET} typed`)
      await page.fill('#long', `${SECRET} typed`)
      await page.check('#radio')
      await page.selectOption('#choice', { index: 1 })
      await page.evaluate((secret) => {
        const { shadowRoot } = document.getElementById('host') as HTMLElement
        const texts = [shadowRoot?.firstChild, document.querySelector('#later b')?.firstChild]
        for (const text of texts) if (text) text.textContent = `${secret} changed`
      }, SECRET)
      await flush()
      const recorded = collector.segments.map(({ text }) => text).join('\n')
      // What stands there is told in stars, and that it was there.
      for (const sign of ['**** heading'.replace('heading', '*******'), '"tagName":"textarea"', '**** *******'])
        expect(recorded).toContain(sign)
      // What sheets go by is there.
      for (const sign of ['"data-theme":"dark"', '"data-testid":"greeting"', '"data-count":"3"', '"variant":"round"'])
        expect(recorded).toContain(sign)
      for (const sign of ['"class":"wide blue"', 'find?q=%5BFiltered%5D&page=%5BFiltered%5D#', '/x.css?v=3&token='])
        expect(recorded).toContain(sign)
      for (const sign of ['"data-mounted":"true"', '"data-when":"now"', '"data-where":"***"', '/a.png?v=4&sig='])
        expect(recorded).toContain(sign)
      expect(notesOf(collector).crumbs('ui.click')[0]).toMatchObject({ message: 'body > user-chip#chip' })
      const told = collector.segments.flatMap(({ text }) => text.match(new RegExp(`.{60}${SECRET}.{40}`, 'g')) ?? [])
      expect(told).toEqual([])
      expect(collector.events().filter(({ type }) => type > 5)).toEqual([])
      expect(collector.segments.every(({ isPacked }) => isPacked)).toBe(true)
    })
  })

  /** Both players come to show the same words, and warn of nothing. */
  const playsAs = async (words: readonly string[], collector: Collector): Promise<void> => {
    for (const player of players) {
      const { page: watcher, complaints: watched, close } = await openPage(browser, {}, [/sandboxed/])
      await watcher.setContent('<!doctype html><body></body>')
      await watcher.addScriptTag({ content: player })
      await watcher.evaluate((events) => {
        ;(Reflect.get(window, 'play') as (events: unknown) => void)(events)
      }, collector.events() as unknown[])
      await eventually(() => wordsIn(watcher, true)).toEqual(words)
      expect(await watcher.evaluate(() => Reflect.get(window, 'warnings') as string[])).toEqual([])
      expect(watched.list).toEqual([])
      await close()
    }
  }

  it('R89: rrweb’s player and Sentry’s say the same as the page, and errors carry the id of their replay', async () => {
    const html = `<h1>A shop</h1><p id="told">tea</p><input id="name"><select id="choice"><option>one</option><option>two</option></select>
      <div id="host"></div><iframe srcdoc="<p>a frame</p>"></iframe><ul id="list"></ul>`
    await visit(html, { options: OPEN }, async ({ page, collector, complaints, flush }) => {
      await page.evaluate(() => {
        const root = (document.getElementById('host') as HTMLElement).attachShadow({ mode: 'open' })
        root.innerHTML = '<b>in a shadow</b>'
        const list = document.getElementById('list') as HTMLElement
        for (let item = 0; item < 50; item += 1)
          list.append(Object.assign(document.createElement('li'), { textContent: `item ${item}` }))
        list.children[7]?.remove()
        ;(document.getElementById('told') as HTMLElement).textContent = 'coffee'
      })
      await page.fill('#name', 'Ann')
      await page.selectOption('#choice', 'two')
      await page.evaluate(() => {
        const { captureException } = Reflect.get(window, 'Firsthand') as { captureException(error: unknown): void }
        captureException(new Error('the tea is cold'))
      })
      await eventually(() => collector.items('event').length).toBe(1)
      await eventually(async () => {
        await flush()
        // The frame's page, not the empty one before it, and not the attribute that it is made of.
        return collector.segments.some(({ text }) => text.includes('"textContent":"a frame"'))
      }).toBe(true)
      const page1 = await wordsIn(page, false)
      expect(collector.events().filter(({ type }) => type > 6)).toEqual([])
      await playsAs(page1, collector)
      const [first] = collector.segments
      const [error] = collector.items('event')
      const id = first?.event['replay_id']
      expect(error?.['contexts']).toMatchObject({ replay: { replay_id: id } })
      expect(collector.segments.flatMap(({ event }) => event['error_ids'])).toEqual([error?.['event_id']])
      expect(first?.event).toMatchObject({
        type: 'replay_event',
        segment_id: 0,
        replay_type: 'session',
        release: 'shop@1',
      })
      expect(collector.segments.map(({ event }) => event['segment_id'])).toEqual(collector.segments.map((_, at) => at))
      expect(complaints).toEqual([])
    })
  })

  it('R89: a page in the page is shown also where it was recorded before anything of it was there', async () => {
    await visit('<h1>A shop</h1>', { options: OPEN }, async ({ page, collector, complaints, flush }) => {
      await eventually(async () => {
        await flush()
        return collector.events().some(({ type }) => type === 2)
      }).toBe(true)
      await page.evaluate(async () => {
        const frame = document.createElement('iframe')
        document.body.append(frame)
        // The recorder learns of the frame, and looks into it with its next timer: as where `srcdoc` begins to be read.
        await Promise.resolve()
        const inner = frame.contentDocument as Document
        inner.open()
        for (let timer = 0; timer < 2; timer += 1)
          await new Promise((resolve) => {
            setTimeout(resolve)
          })
        inner.write('<!doctype html><p>a frame</p>')
        inner.close()
      })
      await eventually(async () => {
        await flush()
        return collector.segments.some(({ text }) => text.includes('"textContent":"a frame"'))
      }).toBe(true)
      await playsAs(['A shop', 'a frame'], collector)
      // That was told when it had loaded, and needed no picture of the whole page.
      expect(collector.events().filter(({ type }) => type === 2)).toHaveLength(1)
      expect(complaints).toEqual([])
    })
  })

  it.each([
    ['a page in the page', 'frame'],
    ['the page', 'page'],
  ])('R89: %s that is written anew is shown as it is then', async (_, which) => {
    const html = '<h1>A shop</h1><iframe id="frame" srcdoc="<p>a frame</p>"></iframe>'
    await visit(html, { options: OPEN }, async ({ page, collector, complaints, flush }) => {
      const told = (words: string) =>
        eventually(async () => {
          await flush()
          return collector.segments.some(({ text }) => text.includes(`"textContent":"${words}"`))
        }).toBe(true)
      await told('a frame')
      await page.evaluate((what) => {
        const inner = (document.getElementById('frame') as HTMLIFrameElement).contentDocument as Document
        if (what === 'frame') {
          inner.open()
          inner.write('<p>another</p>')
          inner.close()
        } else {
          const root = document.createElement('html')
          root.innerHTML = '<body><p>another</p></body>'
          document.documentElement.replaceWith(root)
        }
      }, which)
      // A picture of all of it comes a little later.
      await eventually(async () => {
        await flush()
        return collector.events().filter(({ type }) => type === 2).length
      }).toBe(2)
      await told('another')
      await playsAs(which === 'frame' ? ['A shop', 'another'] : ['another'], collector)
      expect(complaints).toEqual([])
    })
  })

  it('R97 What is noted beside the picture is what servers index, and of requests no more than was allowed', async () => {
    const html = `<main class="shop"><button id="dead" data-testid="pay" aria-label="Pay now"><b>Pay</b></button>
      <button id="lively" onclick="document.getElementById('told').textContent='done'">Do</button>
      <input id="name"><p id="told">tea</p></main>`
    const options = {
      slowClickTimeout: 500,
      networkDetailAllowUrls: ['/open'],
      networkRequestHeaders: ['x-tea', 'authorization', 'cookie'],
    }
    await visit(html, { options }, async ({ page, collector, complaints, flush }) => {
      const { crumbs, spans } = notesOf(collector)
      await page.click('#dead')
      await eventually(async () => {
        await flush()
        return crumbs('ui.slowClickDetected').length
      }).toBeGreaterThan(0)
      await page.click('#lively')
      await eventually(() => page.textContent('#told')).toBe('done')
      await page.fill('#name', 'Ann')
      await page.press('#lively', 'Escape')
      await workInShop(page)
      await eventually(async () => {
        await flush()
        return [spans('web-vital').length > 0, spans('resource.').length > 3]
      }).toEqual([true, true])

      const element = {
        tagName: 'button',
        textContent: '',
        attributes: { id: 'dead', testId: 'pay', 'aria-label': '*** ***' },
      }
      const data = { nodeId: expect.any(Number) as number, node: element }
      expect(crumbs('ui.click').map((one) => one['message'])).toEqual([
        'body > main.shop > button#dead',
        'body > main.shop > button#lively',
      ])
      expect(crumbs('ui.click')[0]).toMatchObject({ type: 'default', data })
      const inVain = { timeAfterClickMs: 500, endReason: 'timeout', url: expect.stringContaining('http') as string }
      expect(crumbs('ui.slowClickDetected')[0]).toMatchObject({
        message: 'body > main.shop > button#dead',
        data: { ...data, ...inVain },
      })
      expect(crumbs('ui.input')[0]).toMatchObject({
        message: 'body > main.shop > input#name',
        data: { node: { tagName: 'input' } },
      })
      expect(crumbs('ui.keyDown')[0]).toMatchObject({ data: { key: 'Escape', ctrlKey: false } })
      expect(crumbs('navigation')[0]).toMatchObject({ data: { to: expect.stringContaining('?second') as string } })
      expect(crumbs('console').at(-1)).toMatchObject({
        level: 'warning',
        data: { arguments: ['the tea is', { cold: true }] },
      })
      expect(spans('navigation.push')[0]).toMatchObject({ description: expect.stringContaining('?second') as string })
      expect(spans('memory')[0]).toMatchObject({ data: { memory: { usedJSHeapSize: expect.any(Number) as number } } })
      expect(spans('web-vital')[0]).toMatchObject({ data: { value: expect.any(Number) as number } })

      const [open, closed] = spans('resource.fetch')
      expect(open).toMatchObject({
        description: '/open?',
        data: {
          method: 'POST',
          statusCode: 404,
          request: { headers: { 'x-tea': 'green' }, size: 15, body: { tea: 'green' } },
        },
      })
      expect(closed?.['data']).toMatchObject({
        request: { headers: {}, size: 4, _meta: { warnings: ['URL_SKIPPED'] } },
      })
      expect(spans('resource.xhr')[0]?.['data']).toMatchObject({
        method: 'GET',
        request: { headers: { 'x-tea': 'green' } },
      })
      expect(collector.segments.map((one) => one.text).join('\n')).not.toContain('hush')
      const { marks } = readIndex(collector.events())
      const kinds = new Set(marks.map(({ kind }) => kind))
      for (const kind of [
        'click',
        'input',
        'key',
        'navigation',
        'console',
        'request',
        'vital',
        'memory',
        'page',
      ] as const)
        expect(kinds).toContain(kind)
      expect(marks.find(({ kind }) => kind === 'click')?.element).toMatchObject({
        tag: 'button',
        id: 'dead',
        testid: 'pay',
      })
      expect(complaints.filter((one) => !one.includes('404') && !one.includes('the tea is'))).toEqual([])
    })
  })

  it('R95, R96: what the page hides, shows or ignores counts from when it says so, and boxes have a size, a class and nothing else', async () => {
    const html = `<p id="plain">plain words</p><div data-fh-unmask id="open">open words<b data-sentry-mask>masked words</b></div>
      <div data-fh-block class="card" id="box" style="width:120px;height:40px" title="box title"><i>boxed words</i></div>
      <p id="later">later words</p><div id="later-box"><i>words before</i></div><ul id="list" class="sentry-unmask"></ul>
      <input id="ignored" data-fh-ignore><input id="seen" data-sentry-unmask><div id="ignored-later"><input id="child"></div>`
    await visit(html, {}, async ({ page, collector, flush }) => {
      const recorded = () => collector.segments.map((one) => one.text).join('\n')
      await eventually(async () => {
        await flush()
        return recorded()
      }).toContain('open words')
      await page.evaluate(() => {
        const at = (id: string) => document.getElementById(id) as HTMLElement
        at('later').setAttribute('data-fh-unmask', '')
        at('later-box').setAttribute('data-sentry-block', '')
        at('ignored-later').setAttribute('data-sentry-ignore', '')
      })
      // A change of what was hidden is a new picture, which comes in a turn of its own.
      const pictures = () => collector.events().filter(({ type }) => type === 2)
      await eventually(async () => {
        await flush()
        return pictures().length
      }).toBeGreaterThan(1)
      await page.evaluate(() => {
        const at = (id: string) => document.getElementById(id) as HTMLElement
        at('later').textContent = 'shown later'
        at('later-box').append('boxed later')
        at('box').append('boxed later')
        at('list').innerHTML = '<li>added and shown<b data-fh-mask>added and masked</b></li>'
        at('open').append('shown as well')
      })
      await page.fill('#ignored', 'ignored value')
      await page.fill('#child', 'ignored value')
      await page.fill('#seen', 'seen value')
      await page.click('#box')
      await eventually(async () => {
        await flush()
        return recorded()
      }).toContain('seen value')
      for (const shown of ['open words', 'shown later', 'added and shown', 'shown as well'])
        expect(recorded()).toContain(shown)
      for (const hidden of [
        'plain words',
        'masked words',
        'boxed words',
        'boxed later',
        'box title',
        'added and masked',
        'ignored value',
      ])
        expect(recorded()).not.toContain(hidden)
      const last = JSON.stringify(pictures().at(-1))
      expect(last).not.toContain('words before')
      const box = /\{[^{}]*"attributes":(\{[^{}]*"rr_width":"120px"[^{}]*\}),"childNodes":\[\]/.exec(last)?.[1]
      expect(JSON.parse(box ?? 'null')).toEqual({ class: 'card', rr_width: '120px', rr_height: '40px' })
    })
  })

  /** What is hidden and takes no room. */
  const HIDDEN = `<svg style="display:none"><symbol id="sign"></symbol></svg>
    <svg style="position:absolute;width:0;height:0"></svg><svg class="sprite"></svg>
    <iframe style="display:none" data-sentry-block></iframe><iframe class="sprite" data-sentry-block></iframe>`
  /** Its images are black, and so are their boxes: the whole picture says how it is laid out. One has not come yet. */
  const LAID_OUT = `<style>
      body { margin: 0; font: 20px/1.5 monospace } img { background: black; filter: brightness(0) } header, main > i { background: navy; height: 40px }
      header { position: relative; width: 400px } .badge { position: absolute; right: 8px; top: 4px; width: 24px; height: 24px }
      main { display: grid; grid-template-columns: 1fr 1fr; gap: 10px; width: 400px; background: gold; margin-top: 10px }
      .wide { grid-column: span 2; width: 100%; height: 60px } .left { float: left; width: 90px; height: 50px; margin: 0 10px 10px 0 }
      .cover { display: block; width: 300px; height: 30px } .later { display: none } .card { display: grid; grid-template-columns: 64px 1fr 60px; width: 400px; background: pink } .inset { position: fixed; inset: auto 0 0 auto; width: 40px; height: 40px }
      .sprite { position: absolute; width: 0; height: 0; border: 0 }
      b { display: block; background: crimson; width: 30px; height: 30px } hr { margin: 0; border: 0; height: 4px; background: olive } section { width: 400px; margin-top: 10px; background: teal; display: flow-root }
    </style>
    ${HIDDEN}
    <header><img class="badge" src="IMAGE" alt="Ann"></header>
    <main><img class="wide" src="IMAGE" alt=""><i></i><i></i></main>
    <section><img class="left" src="IMAGE"><b></b><b></b></section>
    <section><img class="cover" src="IMAGE"><b></b></section>
    <section><img class="later" src="IMAGE"><b></b></section>
    <section><svg class="later" width="20" height="20"></svg><b></b></section>
    <div class="card"><img><b></b><b></b></div>
    <hr><img class="inset" src="IMAGE">`
  const UNDRAWN = `<section><img style="display: none" src="IMAGE"></section>`
  const NO_COLOUR = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'

  /** Plays what a visit recorded, as it is written for a player, and hands it over to be looked at. */
  const watch = async (recorded: readonly unknown[], work: (watcher: Page) => Promise<void>): Promise<void> => {
    const { events } = rewriteEvents(readEvents(recorded).events)
    const { page: watcher, close } = await openPage(browser, { viewport: { width: 800, height: 600 } }, [/sandboxed/])
    await watcher.setContent('<!doctype html><style>body { margin: 0 } iframe { border: 0 }</style><body></body>')
    await watcher.addScriptTag({ content: players[0] ?? '' })
    await watcher.evaluate((given) => {
      ;(Reflect.get(window, 'play') as (events: unknown) => void)(given)
    }, events as unknown[])
    await work(watcher)
    await close()
  }

  it.each([
    ['ours', RECORDED, `${LAID_OUT}${UNDRAWN}`],
    // Of an image that is not drawn it tells no more than of one that has not come yet.
    ['Sentry’s', RECORDED_BY_SENTRY, LAID_OUT],
  ])(
    'R95, R96: a page whose images are placed by their classes plays as it was laid out, although no image was recorded: %s',
    async (_name, script, laidOut) => {
      const record = async ({ page, collector, flush }: Visit): Promise<void> => {
        await eventually(async () => {
          await flush()
          return collector.events().some(({ type }) => type === 2)
        }).toBe(true)
        expect(JSON.stringify(collector.events())).not.toContain('base64')
        const seen = await page.screenshot()
        await watch(collector.events(), async (watcher) => {
          await eventually(async () => Buffer.compare(await watcher.screenshot(), seen)).toBe(0)
        })
      }
      await visit(laidOut.replaceAll('IMAGE', NO_COLOUR), {}, record, {}, script)
    },
  )

  /** Words of the page stand in boxes already, so that it looks as it is played. */
  const IN_LINES = `<style>
      body { margin: 0; font: 20px/1.5 monospace } b, a, user-chip { font-weight: normal; color: transparent; background: #e5e3dd }
      .vip::before { content: "VIPWORDS"; color: crimson } .block { display: block; width: 200px; height: 40px } hr { margin: 0; border: 0; height: 4px; background: olive }
    </style>
    <p>Dear <b class="vip" data-sentry-block>Annabelle Montgomery</b>, come</p><hr>
    <p>and <user-chip data-sentry-block>see</user-chip> us <a class="block" href="/" data-sentry-block>here</a></p><hr>`

  it.each([
    ['ours', RECORDED],
    ['Sentry’s', RECORDED_BY_SENTRY],
  ])(
    'R95, R96: what is blocked in a line keeps its room there, and nothing is read of it: %s',
    async (_name, script) => {
      const record = async ({ page, collector, flush }: Visit): Promise<void> => {
        await eventually(async () => {
          await flush()
          return collector.events().some(({ type }) => type === 2)
        }).toBe(true)
        const recorded = JSON.stringify(collector.events())
        expect(recorded).toContain('Dear')
        expect(recorded).not.toContain('Annabelle')
        // Words of sheets are such of the page: it is to look as if there were none.
        await page.addStyleTag({ content: '.vip::before { color: transparent !important }' })
        const seen = await page.screenshot()
        await watch(collector.events(), async (watcher) => {
          await eventually(async () => Buffer.compare(await watcher.screenshot(), seen)).toBe(0)
        })
      }
      await visit(IN_LINES, { options: { maskAllText: false } }, record, {}, script)
    },
  )

  it('R93, R95: a page that stands in an attribute of its frame is recorded as a page alone, without what it blocks and masks', async () => {
    const pageOf = (word: string): string =>
      `<p>open ${word}</p><div data-fh-block>frame secret</div><p data-fh-mask>frame secret</p><input type='password' value='frame secret'>`
    const html = `<iframe id="frame" srcdoc="${pageOf('at first')}"></iframe>`
    const options = { maskAllText: false, maskAllInputs: false }
    await visit(html, { options }, async ({ page, collector, flush }) => {
      const recorded = () => collector.segments.map((one) => one.text).join('\n')
      const shows = (word: string) =>
        eventually(async () => {
          await flush()
          return recorded()
        }).toContain(`open ${word}`)
      await shows('at first')
      await page.evaluate((changed) => {
        ;(document.getElementById('frame') as HTMLIFrameElement).srcdoc = changed
      }, pageOf('later'))
      await shows('later')
      expect(recorded()).not.toContain('frame secret')
      expect(JSON.stringify([...collector.items('replay_event'), ...collector.items('event')])).not.toContain('secret')
    })
  })

  it('R91 Who stops takes every listener, observer and wrapper away, also of frames, after several pictures', async () => {
    const html = `<div id="host"></div><canvas width="20" height="20"></canvas><iframe id="frame" srcdoc="<p>a frame</p>"></iframe>`
    // Other parts of the SDK begin to listen when they like.
    const init = { replaysSessionSampleRate: 0, defaultIntegrations: false }
    await visit(
      html,
      { init, options: { canvas: true, networkDetailAllowUrls: ['/'] } },
      async ({ page, collector, complaints, flush }) => {
        await eventually(() => page.frames()[1]?.textContent('p') ?? '').toBe('a frame')
        await page.evaluate(countPatches)
        const counted = () => page.evaluate(() => (Reflect.get(window, 'counted') as () => unknown)())
        const before = await counted()
        const say = (name: 'start' | 'stop') =>
          page.evaluate((method) => (Reflect.get(window, 'replay') as Record<string, () => unknown>)[method]?.(), name)
        const attached = () => collector.events().filter(({ data }) => data['isAttachIframe']).length
        for (let round = 1; round <= 2; round += 1) {
          await say('start')
          await page.evaluate(() => {
            const host = document.getElementById('host') as HTMLElement
            if (!host.shadowRoot) host.attachShadow({ mode: 'open' }).innerHTML = '<b>in a shadow</b>'
            host.toggleAttribute('data-fh-block')
            const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: 'data:text/css,b{}' })
            document.head.append(link)
          })
          await eventually(async () => {
            await flush()
            return attached()
          }).toBeGreaterThanOrEqual(round)
          await say('stop')
          await eventually(counted).toEqual(before)
        }
        // A frame that loads again is nobody's any more.
        const told = collector.events().length
        await page.evaluate(() =>
          (document.getElementById('frame') as HTMLIFrameElement).contentWindow?.location.reload(),
        )
        await eventually(() => page.frames()[1]?.textContent('p') ?? '').toBe('a frame')
        await flush()
        expect(collector.events().length).toBe(told)
        expect(complaints).toEqual([])
      },
    )
  })

  it('R85 Over the limit of changes there is a note first, then nothing, and the page keeps its own errors and its work', async () => {
    await visit(
      '<ul id="list"></ul><style id="style">b{}</style>',
      {},
      async ({ page, collector, complaints, flush }) => {
        const change = (times: number) =>
          page.evaluate((count) => {
            const list = document.getElementById('list') as HTMLElement
            for (let one = 0; one < count; one += 1) list.append(document.createElement('li'))
          }, times)
        const notes = () =>
          collector.events().flatMap(({ data }) => {
            const payload = data['payload'] as { category?: string; data?: object } | undefined
            return payload?.category === 'replay.mutations' ? [payload.data] : []
          })
        await change(800)
        await eventually(async () => {
          await flush()
          return notes()
        }).toEqual([{ count: 800, limit: false }])
        const thrown = await page.evaluate(() => {
          const { sheet } = document.getElementById('style') as HTMLStyleElement
          const { setProperty } = document.body.style
          const attempts: (() => unknown)[] = [
            () => sheet?.insertRule('not a rule'),
            () => (sheet as unknown as { insertRule(): void }).insertRule(),
            () => setProperty.call(undefined as unknown as CSSStyleDeclaration, 'color', 'red'),
            () =>
              sheet?.insertRule({
                toString: () => {
                  throw new RangeError('mine')
                },
              } as unknown as string),
            () => sheet?.deleteRule(99),
          ]
          const names = attempts.map((attempt) => {
            try {
              return String(attempt())
            } catch (error) {
              return (error as Error).name
            }
          })
          return [...names, sheet?.insertRule('i{}'), sheet?.cssRules.length]
        })
        expect(thrown).toEqual(['SyntaxError', 'TypeError', 'TypeError', 'RangeError', 'IndexSizeError', 0, 2])
        await change(10_001)
        await eventually(() => notes().at(-1)).toEqual({ count: 10_001, limit: true })
        const last = collector.events().length
        await change(1)
        await flush()
        expect([collector.events().length, await page.locator('#list li').count()]).toEqual([last, 10_802])
        expect(complaints).toEqual([])
      },
    )
  })

  it('R84 Of 250 000 elements that come at once there is a note instead of a picture, and none of them is copied', async () => {
    await visit('<div id="many"></div>', {}, async ({ page, collector, complaints, flush }) => {
      const categories = () =>
        collector.events().map(({ data }) => (data['payload'] as { category?: string } | undefined)?.category)
      await eventually(async () => {
        await flush()
        return collector.events().filter(({ type }) => type === 2).length
      }).toBe(1)
      const looked = await page.evaluate(async () => {
        /** How often a property is read of elements. */
        const count = (holder: object, name: string): (() => number) => {
          const known = Object.getOwnPropertyDescriptor(holder, name)
          let times = 0
          Object.defineProperty(holder, name, {
            ...known,
            get(this: unknown) {
              times += 1
              return known?.get?.call(this) as unknown
            },
          })
          return () => times
        }
        const children = count(Element.prototype, 'firstElementChild')
        const copying = [count(Node.prototype, 'nodeType'), count(Element.prototype, 'attributes')]
        const many = document.getElementById('many') as HTMLElement
        many.hidden = true
        // Parsing them is the page's own work: what follows it in the same turn is ours.
        many.innerHTML = '<i>tea</i>'.repeat(250_000)
        await Promise.resolve()
        return { children: children(), copying: copying.reduce((sum, times) => sum + times(), 0) }
      })
      // Each once, to know how many came.
      expect(looked.children).toBeGreaterThan(0)
      expect(looked.children).toBeLessThanOrEqual(250_001)
      expect(looked.copying).toBeLessThan(1000)
      await eventually(async () => {
        await flush()
        return categories()
      }).toContain('replay.page-too-large')
      // Its clicks and requests are noted all the same.
      await page.evaluate(() => history.pushState(null, '', '?later'))
      await eventually(async () => {
        await flush()
        return categories()
      }).toContain('navigation')
      expect(complaints.filter((one) => !one.includes('too large to be recorded'))).toEqual([])
    })
  })

  it('R71, R75, R76, R77, R78: canvas recording at most 1280 × 1280: a canvas of 2560 × 1440 is recorded as 1280 × 720, as the page drew it', async () => {
    const html = `<canvas id="flat" width="2560" height="1440" style="width:320px;height:180px"></canvas>
      <canvas id="gl" width="200" height="100"></canvas><canvas id="tainted" width="20" height="20"></canvas>
      <canvas id="hidden" width="20" height="20" style="visibility:hidden"></canvas>
      <canvas id="off" width="30" height="30"></canvas><canvas id="blocked" data-fh-block width="20" height="20"></canvas>
      <script>
        const context = (id) => document.getElementById(id).getContext('2d')
        const fill = (id, colour, ...area) => { const c = context(id); c.fillStyle = colour; c.fillRect(...area) }
        fill('flat', '#ff0000', 0, 0, 1280, 720); fill('flat', '#00ff00', 1280, 0, 1280, 720)
        fill('flat', '#0000ff', 0, 720, 1280, 720)
        fill('hidden', '#ff00ff', 0, 0, 20, 20); fill('blocked', '#ff00ff', 0, 0, 20, 20)
        const off = document.getElementById('off').transferControlToOffscreen().getContext('2d')
        const beat = () => { off.fillStyle = '#ffff00'; off.fillRect(0, 0, 30, 30); requestAnimationFrame(beat) }
        beat()
        const gl = document.getElementById('gl').getContext('webgl')
        const draw = () => { gl.clearColor(0, 1, 1, 1); gl.clear(gl.COLOR_BUFFER_BIT); requestAnimationFrame(draw) }
        if (gl) draw()
      </script>`
    const options = { canvas: { quality: 'high', maxCanvasSize: [4000, 4000] }, minReplayDuration: 0 }
    await visit(html, { options }, async ({ page, collector, complaints, flush }) => {
      const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>'
      await page.route('**/picture.svg', (route) => route.fulfill({ contentType: 'image/svg+xml', body: svg }))
      await page.evaluate(async (from) => {
        const image = Object.assign(new Image(), { src: `${from}/picture.svg` })
        await image.decode()
        ;(document.getElementById('tainted') as HTMLCanvasElement).getContext('2d')?.drawImage(image, 0, 0)
      }, collector.origin)
      interface Draw {
        readonly id: number
        readonly commands: readonly { readonly args: readonly unknown[] }[]
      }
      const draws = () =>
        collector.events().flatMap(({ data }) => (data['source'] === 9 ? [data as unknown as Draw] : []))
      const hasWebGl = await page.evaluate(
        () => (document.getElementById('gl') as HTMLCanvasElement).getContext('webgl') !== null,
      )
      await eventually(async () => {
        await flush()
        return new Set(draws().map(({ id }) => id)).size
      }).toBe(hasWebGl ? 3 : 2)
      const seen = await page.evaluate(async (all) => {
        const results: { size: number[]; named: unknown[]; pixels: number[][] }[] = []
        for (const { commands } of all) {
          const [image, ...named] = commands[1]?.args ?? []
          const [{ data, type }] = (image as { args: [{ data: [{ base64: string }]; type: string }] }).args
          const picture = await createImageBitmap(await (await fetch(`data:${type};base64,${data[0].base64}`)).blob())
          const { width, height } = picture
          const context = new OffscreenCanvas(width, height).getContext('2d') as OffscreenCanvasRenderingContext2D
          context.drawImage(picture, 0, 0)
          const at = (x: number, y: number) => [...context.getImageData(x * width, y * height, 1, 1).data]
          results.push({
            size: [width, height],
            named,
            pixels: [at(0.25, 0.25), at(0.75, 0.25), at(0.25, 0.75), at(0.75, 0.75)],
          })
        }
        return results
      }, draws())
      const flat = seen.find(({ size }) => size[0] === 1280)
      expect([flat?.size, flat?.named]).toEqual([
        [1280, 720],
        [0, 0, 2560, 1440],
      ])
      const near = (pixels: number[][] | undefined) =>
        pixels?.map((pixel) => pixel.map((part) => Math.round(part / 255)))
      expect(near(flat?.pixels)).toEqual([
        [1, 0, 0, 1],
        [0, 1, 0, 1],
        [0, 0, 1, 1],
        [0, 0, 0, 0],
      ])
      const off = seen.find(({ size }) => size[0] === 30)
      expect(near(off?.pixels)).toEqual(Array.from({ length: 4 }, () => [1, 1, 0, 1]))
      if (hasWebGl) {
        const gl = seen.find(({ size }) => size[0] === 200)
        expect(near(gl?.pixels)).toEqual(Array.from({ length: 4 }, () => [0, 1, 1, 1]))
        const keeps = await page.evaluate(() =>
          (document.getElementById('gl') as HTMLCanvasElement).getContext('webgl')?.getContextAttributes(),
        )
        expect(keeps?.preserveDrawingBuffer).toBe(false)
      }
      await eventually(async () => {
        await flush()
        return notesOf(collector)
          .crumbs('replay.canvas-not-recorded')
          .map(({ data }) => (data as { reason: string }).reason)
      }).toEqual(['SecurityError'])
      expect(complaints).toEqual([])
    })
  })
})

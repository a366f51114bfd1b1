import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { originOf, type SignedIn, signIn } from '../lib/account.ts'
import { openPage } from '../lib/browser.ts'
import { eventually } from '../lib/eventually.ts'
import { closePages, joinBrowser, joinServer, type SharedServer } from '../lib/shared.ts'
import { sendEvents, sendItems } from '../lib/send.ts'
import { newTraceId, sendTransaction } from '../lib/transactions.ts'
import { until } from '../lib/until.ts'

const ORGANIZATION = 'explore'

describe('explore', () => {
  let server: SharedServer
  let browser: Browser
  let signedIn: SignedIn
  beforeAll(async () => {
    ;[server, browser] = await Promise.all([joinServer(ORGANIZATION), joinBrowser()])
    signedIn = await signIn(server)
    const startMs = Date.now() - 60_000
    for (const [name, took] of [
      ['GET /cart', 20],
      ['GET /cart', 40],
      ['POST /api/orders', 900],
    ] as const)
      await sendTransaction(server.account.dsn, {
        traceId: newTraceId(),
        startMs,
        root: {
          op: 'http.server',
          name,
          from: 0,
          to: took,
          children: [{ op: 'db.sql.query', name: 'SELECT carts', from: 1, to: took / 2 }],
        },
      })
  })
  afterAll(() => closePages(browser))

  const rows = (page: Page, table: string) =>
    page.getByRole('table', { name: table, exact: true }).locator('tbody tr').allTextContents()

  it('groups, narrows, shows single rows and opens the trace of one, all of it in the address', async () => {
    const { page, complaints, close } = await openPage(browser, signedIn)
    const address = `${originOf(server)}/organizations/${ORGANIZATION}/explore?visualise=count()&group=transaction`
    await until('two transactions', async () => {
      await page.goto(address)
      await page
        .getByText(/^(No spans in this time|POST \/api\/orders)$/)
        .first()
        .waitFor()
      return (await rows(page, 'Groups')).length === 2 ? true : null
    })
    await eventually(() => rows(page, 'Groups')).toEqual([
      expect.stringMatching(/^GET \/cart.*4/),
      expect.stringMatching(/^POST \/api\/orders.*2/),
    ])
    // What a step holds stands over the chart: nothing below moves when it is read.
    const chart = page.getByRole('slider', { name: 'count() over time' })
    // A chart that is drawn only now would forget what is read.
    await chart.locator('canvas').waitFor()
    await chart.press('End')
    await chart.getByText('POST /api/orders').waitFor()
    await chart.press('Escape')
    await chart.getByText('POST /api/orders').waitFor({ state: 'detached' })

    // An equation is of the functions on screen, and stays so when one of them becomes another.
    await page.getByRole('button', { name: 'equation', exact: true }).click()
    await page.getByLabel('Equation B').fill('A / D')
    await page.getByLabel('Equation B').press('Enter')
    await page.getByText('There is no function D.').waitFor()
    await page.getByLabel('Equation B').fill('A / 8')
    await page.getByLabel('Equation B').press('Enter')
    await eventually(async () => (await rows(page, 'Groups'))[0]).toContain('0.50')

    await page.getByRole('combobox', { name: 'Function A: count' }).click()
    await page.getByRole('option', { name: /^max/ }).click()
    await eventually(() => rows(page, 'Groups')).toEqual([
      expect.stringMatching(/^POST \/api\/orders.*900 ms/),
      expect.stringMatching(/^GET \/cart.*40 ms/),
    ])
    await eventually(() => new URL(page.url()).searchParams.getAll('visualise')).toEqual([
      'max(span.duration)',
      'equation|max(span.duration) / 8',
    ])
    await eventually(() => page.getByLabel('Equation B').inputValue()).toBe('A / 8')

    await page.getByRole('radio', { name: 'With before' }).click()
    await eventually(() => new URL(page.url()).searchParams.get('form')).toBe('compared')
    await page.getByText('GET /cart, before').first().waitFor()
    await page.getByRole('radio', { name: 'Lines' }).click()
    await page.getByText('GET /cart, before').first().waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'GET /cart', exact: true }).click()
    await eventually(async () => (await rows(page, 'Groups')).length).toBe(1)
    await page.getByRole('button', { name: 'Samples of GET /cart' }).click()
    await eventually(async () => (await rows(page, 'Single spans')).length).toBe(4)
    await page.getByRole('button', { name: 'span.duration', exact: true }).click()
    await eventually(async () => (await rows(page, 'Single spans'))[0]).toContain('40 ms')

    // Somebody else with the address sees the same.
    const other = await openPage(browser, signedIn)
    await other.page.goto(page.url())
    await eventually(async () => (await rows(other.page, 'Single spans'))[0]).toContain('40 ms')
    await other.page.keyboard.press('t')
    const tree = other.page.getByRole('treegrid', { name: 'Spans' })
    await eventually(() => tree.locator('[aria-selected=true]').textContent()).toContain('GET /cart')
    // Of nothing there is no scale.
    await other.page.goto(`${address}&query=nothing.like.this&form=compared`)
    await other.page.getByText('No spans match').waitFor()
    await other.page.getByRole('slider', { name: 'count() over time' }).getByText('No values in this time').waitFor()
    // Of one time alone it is one sentence, not one in each panel.
    await other.page.goto(`${address}&query=nothing.like.this`)
    await other.page.getByText('No spans match').waitFor()
    await eventually(() => other.page.getByText(/^No values in this time$|^None of the spans/).count()).toBe(0)
    await other.page.goto(`${originOf(server)}/organizations/${ORGANIZATION}/explore?dataset=profiles`)
    await other.page.getByText('There is no dataset profiles', { exact: true }).waitFor()
    await other.page.getByRole('link', { name: 'Logs', exact: true }).last().click()
    await eventually(() => other.page.getByRole('radio', { name: 'Logs' }).isChecked()).toBe(true)
    expect([...complaints.list, ...other.complaints.list]).toEqual([])
    await other.close()
    await close()
  })

  it('T50 T51 a question is kept under a name and shared, and its table is saved as a file', async () => {
    const { page, complaints, close } = await openPage(browser, signedIn)
    await page.goto(`${originOf(server)}/organizations/${ORGANIZATION}/explore?visualise=count()&group=span.op`)
    await page.getByRole('button', { name: 'db.sql.query', exact: true }).waitFor()
    // By keyboard: a menu that is just opening takes no click, lest the one that opens it also chooses.
    await page.getByRole('button', { name: 'Saved' }).press('Enter')
    await page.getByRole('menuitem', { name: 'Save it under a name …' }).press('Enter')
    await page.getByLabel('Name').fill('How many of what')
    await page.getByRole('checkbox', { name: 'For everybody' }).click()
    await page.getByRole('button', { name: 'Save question' }).click()
    await page.getByRole('button', { name: 'How many of what' }).waitFor()

    await page.getByRole('button', { name: 'Export' }).press('Enter')
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'CSV' }).press('Enter'),
    ])
    const lines = readFileSync(await file.path(), 'utf8')
      .trim()
      .split('\r\n')
    expect(lines.toSorted()).toEqual(['db.sql.query,3', 'http.server,3', 'span.op,count()'])

    // Elsewhere it is in the menu, and asks the same again.
    await page.goto(`${originOf(server)}/organizations/${ORGANIZATION}/explore`)
    await page.getByRole('button', { name: 'Saved' }).press('Enter')
    await page.getByRole('menuitemradio', { name: 'How many of what' }).press('Enter')
    await eventually(() => new URL(page.url()).searchParams.getAll('visualise')).toEqual(['count()'])
    await page.getByRole('button', { name: 'How many of what' }).waitFor()
    expect(complaints.list).toEqual([])
    await close()
  })

  it('errors are grouped by any tag that they came with, and a press on a value asks for it alone', async () => {
    await sendEvents(
      server.account.dsn,
      ['gold', 'gold', 'basic'].map((tier, place) => ({
        message: `checkout ${place}`,
        level: 'error',
        server_name: `node-${place}`,
        tags: { 'shop.tier': tier, 'cart.size': 10 * (place + 1) },
      })),
    )
    const { page, complaints, close } = await openPage(browser, signedIn)
    const address = `${originOf(server)}/organizations/${ORGANIZATION}/explore?dataset=errors&group=server_name`
    await until('three errors', async () => {
      await page.goto(address)
      await page
        .getByText(/^(No errors in this time|node-\d)$/)
        .first()
        .waitFor()
      return (await rows(page, 'Groups')).length === 3 ? true : null
    })
    await page.getByRole('combobox', { name: 'Group by: server_name' }).click()
    await page.getByRole('option', { name: /^shop\.tier/ }).click()
    await eventually(() => new URL(page.url()).searchParams.getAll('group')).toEqual(['server_name', 'shop.tier'])
    await page.keyboard.press('Escape')
    await eventually(async () => (await rows(page, 'Groups')).toSorted()).toEqual([
      expect.stringMatching(/^node-0.*gold/),
      expect.stringMatching(/^node-1.*gold/),
      expect.stringMatching(/^node-2.*basic/),
    ])
    // A press on a value asks for those alone.
    await page.getByRole('button', { name: 'basic', exact: true }).click()
    await eventually(() => rows(page, 'Groups')).toEqual([expect.stringMatching(/^node-2.*basic.*1/)])
    expect(complaints.list).toEqual([])
    await close()
  })

  it('T50 errors answer functions of numbers in their tags, with a heat map, and each leads to its event', async () => {
    const { page, complaints, close } = await openPage(browser, signedIn)
    const asked = 'dataset=errors&visualise=max(cart.size)&visualise=count()&group=shop.tier'
    await page.goto(`${originOf(server)}/organizations/${ORGANIZATION}/explore?${asked}`)
    await eventually(() => rows(page, 'Groups')).toEqual([
      expect.stringMatching(/basic.*30/),
      expect.stringMatching(/gold.*20/),
    ])
    await page.getByRole('slider', { name: /^3 values of tags\[cart.size,number\]/ }).waitFor()
    await page.getByRole('radio', { name: 'Samples' }).click()
    const samples = page.getByRole('table', { name: 'Single errors' })
    await samples
      .getByRole('link', { name: /^[A-Z-]+-\w+$/ })
      .first()
      .waitFor()
    await page.keyboard.press('o')
    await eventually(() => new URL(page.url()).pathname).toMatch(/\/issues\/[A-Z-]+-\w+$/)
    expect(new URL(page.url()).searchParams.get('event')).toMatch(/^[0-9a-f]{32}$/)
    expect(complaints.list).toEqual([])
    await close()
  })

  it('answers what is different in a box that is drawn on the heat map', async () => {
    const startMs = Date.now() - 60_000
    const task = (took: number, queue: string) => ({
      traceId: newTraceId(),
      startMs,
      root: { op: 'queue.task', name: 'pack', from: 0, to: took, data: { 'queue.name': queue } },
    })
    for (const [count, took, queue] of [
      [4, 4000, 'warehouse'],
      [8, 50, 'shop'],
    ] as const) {
      await Promise.all(Array.from({ length: count }, () => sendTransaction(server.account.dsn, task(took, queue))))
    }
    const { page, complaints, close } = await openPage(browser, signedIn)
    const address = `${originOf(server)}/organizations/${ORGANIZATION}/explore?query=span.op:queue.task`
    const map = page.getByRole('slider', { name: /^12 values of span.duration/ })
    await until('all spans on the map', async () => {
      await page.goto(address)
      await page
        .getByText(/^(No spans in this time|Groups)$/)
        .first()
        .waitFor()
      return map.waitFor({ timeout: 2000 }).then(
        () => true,
        () => null,
      )
    })
    await map.press('ArrowUp')
    const answer = page.getByRole('region', { name: 'What is different in the box' })
    await eventually(() => answer.textContent()).toContain('4 spans in it, 8 outside')
    await eventually(() => answer.getByRole('listitem').allTextContents()).toContain(
      'queue.namewarehouse100% in the box0% outside',
    )
    // By pointer: the lower half, from corner to corner.
    await map.scrollIntoViewIfNeeded()
    // What loads above it moves it.
    let place = ''
    const standsStill = async () => {
      const before = place
      place = JSON.stringify(await map.boundingBox())
      return place === before
    }
    await eventually(standsStill).toBe(true)
    const { x = 0, y = 0, width = 0, height = 0 } = (await map.boundingBox()) ?? {}
    await page.mouse.move(x + 1, y + height - 1)
    await page.mouse.down()
    await page.mouse.move(x + width - 1, y + height / 2)
    await page.mouse.up()
    await eventually(() => answer.textContent()).toContain('8 spans in it, 4 outside')
    // The box is a part of the address: it is there again after a reload, and for whoever gets the link.
    await page.reload()
    await eventually(() => answer.textContent()).toContain('8 spans in it, 4 outside')
    await answer.getByRole('button', { name: 'shop', exact: true }).click()
    await eventually(() => new URL(page.url()).searchParams.get('query')).toBe('span.op:queue.task queue.name:shop')
    await page.getByRole('slider', { name: /^8 values of span.duration/ }).waitFor()
    expect(complaints.list).toEqual([])
    await close()
  })

  it('T12 a metric is chosen, asked by group, and one of its values leads to its trace', async () => {
    const traceId = newTraceId()
    const { dsn } = server.account
    await sendTransaction(dsn, {
      traceId,
      startMs: Date.now() - 60_000,
      root: { op: 'http.server', name: 'POST /pay', from: 0, to: 50 },
    })
    const items = [
      ...[1, 2, 3].map((value) => ({
        name: 'checkout.time',
        type: 'distribution',
        unit: 'second',
        value,
        plan: 'pro',
      })),
      { name: 'checkout.time', type: 'distribution', unit: 'second', value: 9, plan: 'free' },
      { name: 'orders', type: 'counter', value: 5, plan: 'pro' },
    ].map(({ plan, ...metric }) => ({
      ...metric,
      timestamp: Date.now() / 1000 - 30,
      trace_id: traceId,
      attributes: { plan: { type: 'string', value: plan } },
    }))
    const { page, complaints, close } = await openPage(browser, signedIn)
    const address = `${originOf(server)}/organizations/${ORGANIZATION}/explore?dataset=tracemetrics`
    await page.goto(address)
    await page.getByText('Sentry.metrics.count(').waitFor()
    await page.getByText('OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE=delta').waitFor()
    await sendItems(dsn, [{ type: 'trace_metric', payload: { version: 2, items } }])
    await until('two metrics', async () => {
      await page.goto(address)
      await page
        .getByText(/^(No values in this time|checkout\.time)$/)
        .first()
        .waitFor()
      return (await rows(page, 'Metrics')).length === 2 ? true : null
    })
    expect(await rows(page, 'Metrics')).toEqual([
      expect.stringMatching(/^checkout\.time.*distribution.*second.*4/),
      expect.stringMatching(/^orders.*counter.*1/),
    ])

    await page.getByRole('link', { name: 'checkout.time', exact: true }).click()
    await page.getByRole('slider', { name: 'p95(checkout.time) over time' }).waitFor()
    await page.getByRole('combobox', { name: 'Function A: p95' }).click()
    await page.getByRole('option', { name: /^max/ }).click()
    await eventually(() => rows(page, 'Groups')).toEqual([expect.stringMatching(/9\.00? s.*4/)])
    await page.getByRole('combobox', { name: 'Group by: nothing' }).click()
    await page.getByRole('option', { name: 'plan', exact: true }).click()
    await page.keyboard.press('Escape')
    await eventually(() => rows(page, 'Groups')).toEqual([
      expect.stringMatching(/^free.*9\.00? s/),
      expect.stringMatching(/^pro.*3\.00? s/),
    ])

    await page.getByRole('button', { name: 'Samples of free' }).click()
    await eventually(async () => (await rows(page, 'Single values')).length).toBe(1)
    expect((await rows(page, 'Single values'))[0]).toMatch(/checkout\.time.*9\.00? s/)
    await page.getByRole('table', { name: 'Single values' }).getByRole('link').click()
    await page.getByText('POST /pay').first().waitFor()
    expect(page.url()).toContain(traceId)
    expect(complaints.list).toEqual([])
    await close()
  })
})

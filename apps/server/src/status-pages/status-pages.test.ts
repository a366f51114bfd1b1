import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAccountStore } from '../accounts/ledger/account-store.ts'
import { LEDGER_WAYS, seedOrganization, silentLogger, type OpenedLedger } from '../storage/conformance/engines.ts'
import { createIncidents } from './ledger/incidents.ts'
import { createPages, type PageRow } from './ledger/pages.ts'
import { LIMITS } from './limits.ts'
import { createPageFiles } from './page-files.ts'
import { createPublish, type Publish } from './publish.ts'
import { renderAtom, renderHistory, renderHtml } from './render.ts'
import { createStatusPages } from './serve-page.ts'
import { barOf, phaseOf, uptimeOf } from './status.ts'
import type { PageView } from './view.ts'

const AT = Date.UTC(2026, 10, 27, 10)
const HOUR = 3_600_000
const TODAY = Math.floor(AT / 86_400_000)

describe.each(LEDGER_WAYS)('a status page on $name', ({ open }) => {
  let opened: OpenedLedger
  let folder: string
  let now: number
  let publish: Publish

  const pagesOf = () => createPages({ ...opened, organizations: createAccountStore(opened.ledger) })

  beforeEach(async () => {
    opened = await open()
    await seedOrganization(opened.ledger)
    folder = mkdtempSync(join(tmpdir(), 'firsthand-status-'))
    now = AT
    publish = createPublish({
      pages: pagesOf(),
      incidents: createIncidents(opened),
      files: createPageFiles(folder),
      key: new Uint8Array(32),
      logger: silentLogger,
      now: () => now,
      publicUrl: 'https://errors.example',
    })
  })
  afterEach(async () => {
    rmSync(folder, { recursive: true })
    await opened.close()
  })

  const save = async (more: Partial<PageRow> = {}): Promise<PageRow> => {
    await pagesOf().save(1, {
      slug: 'acme',
      title: 'Acme <status>',
      is_on: 1,
      is_public: 1,
      components: '[{"name":"Shop","source":"uptime","id":"guid"}]',
      link_version: 0,
      ...more,
    })
    const row = await pagesOf().of(1)
    if (row === null) throw new Error('no page')
    await publish.changed(1)
    return row
  }
  const ask = async (address: string): Promise<Response> => {
    const pages = createStatusPages(createPageFiles(folder))
    const { pathname } = new URL(address)
    const form = ['/history', '/feed.atom', '/status.json'].findIndex((end) => pathname.endsWith(end)) + 1
    const answer = await pages[form]?.handle(new Request(address))
    if (answer === undefined) throw new Error('no answer')
    return answer
  }
  const read = async (address = 'https://errors.example/status/acme'): Promise<string> => (await ask(address)).text()
  const say = (more: object = {}): Promise<number | null> =>
    createIncidents(opened).add(
      1,
      {
        kind: 'incident',
        title: 'Payments fail',
        impact: 'major',
        status: 'investigating',
        components: '["Shop"]',
        starts_at: now,
        ends_at: null,
        is_published: 0,
        ...more,
      },
      { text: 'We look into it.', userId: null, at: now },
    )
  const again = async (): Promise<void> => {
    await publish.all()
  }

  it('A87: has no script, and is served when the database is gone', async () => {
    await save()
    await opened.close()
    const answer = await ask('https://errors.example/status/acme')
    const html = await answer.text()
    expect(answer.status).toBe(200)
    expect(html).toContain('Acme &lt;status&gt;')
    expect(html).not.toMatch(/<script|javascript:|\son\w+=/i)
    expect(answer.headers.get('content-security-policy')).toMatch(/default-src 'none'; style-src 'sha256-/)
    opened = await open()
  })

  it('A88: words of people are public when they are published, and not before', async () => {
    await save()
    const id = await say()
    await again()
    expect(await read()).not.toContain('Payments fail')
    expect(await read()).toContain('How systems are is unknown')
    await createIncidents(opened).change(1, id ?? 0, { is_published: 1 }, now)
    await again()
    expect(await read()).toContain('Payments fail')
    expect(await read()).toContain('Some systems are down')
    expect(await read('https://errors.example/status/acme/feed.atom')).toContain('We look into it.')
    await createIncidents(opened).update(1, id ?? 0, {
      status: 'resolved',
      text: 'It works again.',
      userId: null,
      at: now + 1,
    })
    await again()
    expect(await read()).toMatch(/<h2>Before<\/h2>.*Payments fail/)
    expect(await read()).not.toContain('Some systems are down')
  })

  it('A88: what went on for long is shown from when it ended, and not from when it began', async () => {
    await save()
    const began = now - 2 * LIMITS.STATUS_HISTORY_DAYS * 24 * HOUR
    const id = await say({ is_published: 1, starts_at: began })
    for (let other = 0; other < LIMITS.STATUS_SHOWN_BEFORE; other += 1) {
      await say({ is_published: 1, status: 'resolved', title: 'Something short', starts_at: began + HOUR })
    }
    now += HOUR
    const words = { status: 'resolved', text: 'It works again.', userId: null, at: now }
    await createIncidents(opened).update(1, id ?? 0, words)
    await again()
    expect(await read()).toMatch(/<h2>Before<\/h2>.*?Payments fail/)
    expect(await read('https://errors.example/status/acme/feed.atom')).toContain('It works again.')
    const json = JSON.parse(await read('https://errors.example/status/acme/status.json')) as { incidents: object[] }
    expect(json.incidents).toHaveLength(LIMITS.STATUS_SHOWN_BEFORE)
    now += LIMITS.STATUS_HISTORY_DAYS * 24 * HOUR
    await again()
    expect(await read()).not.toContain('Payments fail')
  })

  it('A88: maintenance is shown ahead, is under way when its time has come, and ends by itself', async () => {
    await save()
    const title = 'New database'
    await say({ kind: 'maintenance', title, is_published: 1, starts_at: AT + HOUR, ends_at: AT + 2 * HOUR })
    await again()
    expect(await read()).toMatch(/<h2>Maintenance ahead<\/h2>.*New database/)
    now = AT + 1.5 * HOUR
    await again()
    expect(await read()).toContain('Maintenance is under way')
    expect(JSON.parse(await read('https://errors.example/status/acme/status.json'))).toMatchObject({
      status: 'maintenance',
      components: [{ name: 'Shop', state: 'maintenance' }],
    })
    now = AT + 2 * HOUR
    await again()
    expect(await read()).not.toContain('Maintenance is under way')
    expect(await read()).toMatch(/<h2>Before<\/h2>.*New database/)
  })

  it('A89: a private page needs its link, and a renewed link ends the older one', async () => {
    const link = publish.linkOf(await save({ is_public: 0 }))
    expect(link).toMatch(/\?token=[\w-]{32}$/)
    for (const address of [
      'https://errors.example/status/acme',
      `${link}x`,
      'https://errors.example/status/acme/status.json',
    ]) {
      expect((await ask(address)).status).toBe(404)
    }
    const answer = await ask(link)
    expect([answer.status, answer.headers.get('cache-control'), answer.headers.get('x-robots-tag')]).toEqual([
      200,
      'private, no-store',
      'noindex',
    ])
    const renewed = publish.linkOf(await save({ is_public: 0, link_version: 1 }))
    expect([(await ask(link)).status, (await ask(renewed)).status]).toEqual([404, 200])
  })

  it('is not there when it is off, and no address leads out of its folder', async () => {
    await save()
    await save({ is_on: 0 })
    expect(readdirSync(join(folder, 'status-pages'))).toEqual([])
    for (const slug of ['..', '%2e%2e', 'acme%2f..', '.meta', 'a'.repeat(60)]) {
      expect((await ask(`https://errors.example/status/x/${slug}`)).status).toBe(404)
      expect(await createPageFiles(folder).read(slug, 'html', '')).toBeNull()
    }
  })

  it('has one address at a time, whoever writes at once', async () => {
    const pages = pagesOf()
    const row = await save()
    const { id: _, organization_id: __, ...page } = row
    const changes: Promise<void>[] = []
    for (let count = 0; count < 20; count += 1) {
      await pages.save(1, { ...page, slug: `acme-${count}`, is_public: count % 2 === 0 ? 1 : 0 })
      changes.push(publish.changed(1), publish.all())
    }
    await Promise.all(changes)
    expect(readdirSync(join(folder, 'status-pages')).toSorted()).toEqual(
      ['atom', 'history', 'html', 'json', 'meta.json'].map((form) => `acme-19.${form}`),
    )
    // The last one is private, and none of those that were written before is shown in its place.
    expect((await ask('https://errors.example/status/acme-19')).status).toBe(404)
  })

  it('has no address that is the name of another organisation', async () => {
    await opened.ledger.db
      .insertInto('organizations')
      .values({ slug: 'zeta', name: 'Zeta', retention_days: 90, settings: '{}', created_at: AT })
      .execute()
    const { id: _, organization_id: __, ...page } = await save()
    expect(await pagesOf().save(1, { ...page, slug: 'zeta' })).toBe(false)
    expect(await pagesOf().save(2, { ...page, slug: 'zeta' })).toBe(true)
  })

  it('shows all of its incidents, and an update too many changes nothing', async () => {
    await save()
    for (let count = 0; count <= LIMITS.STATUS_UPDATES; count += 1) await say({ title: `Incident ${count}` })
    const incidents = createIncidents(opened)
    expect(await incidents.heads(1, false)).toHaveLength(LIMITS.STATUS_UPDATES + 1)
    const update = { status: 'monitoring', text: 'Still at it.', userId: null, at: now }
    for (let count = 1; count < LIMITS.STATUS_UPDATES; count += 1) {
      expect(await incidents.update(1, 1, update)).toBe('done')
    }
    expect(await incidents.update(1, 1, { ...update, status: 'resolved' })).toBe('full')
    expect((await incidents.one(1, 1))?.status).toBe('monitoring')
    expect(await incidents.update(2, 1, update)).toBe('gone')
  })

  it('is bounded whatever people wrote: the newest words, the number of the rest, and a history of one line each', async () => {
    await save()
    const many = LIMITS.STATUS_SHOWN_NOW + 15
    for (const [phase, status] of [
      ['under way', 'investigating'],
      ['over', 'resolved'],
    ]) {
      for (let count = 0; count < many; count += 1) {
        const ago = count * HOUR
        const id = await say({ title: `${phase} ${count}.`, status, is_published: 1, starts_at: AT - ago })
        const updates = Array.from({ length: LIMITS.STATUS_UPDATES - 1 }, (_, nth) => ({
          incident_id: id ?? 0,
          user_id: null,
          status: 'monitoring',
          text: `${nth} ${'w'.repeat(3990)}`,
          at: AT - ago + nth,
        }))
        await opened.ledger.db.insertInto('status_updates').values(updates).execute()
      }
    }
    await say({
      kind: 'maintenance',
      title: 'Old work',
      status: 'completed',
      is_published: 1,
      starts_at: AT - 9000 * HOUR,
    })
    await again()
    const html = await read()
    expect(html.match(/class="update"/g)).toHaveLength(LIMITS.STATUS_PAGE_UPDATES)
    expect(html.length).toBeLessThan(LIMITS.STATUS_PAGE_UPDATES * 4000 + 100_000)
    expect(html).toContain('<strong>Monitoring</strong> 98 w')
    expect(html).toContain('And 15 more, which this page has no room for.')
    expect(html).toContain('80 earlier updates not shown')
    expect([html.includes('under way 0.'), html.includes(`under way ${LIMITS.STATUS_SHOWN_NOW}.`)]).toEqual([
      true,
      false,
    ])
    expect((await read('https://errors.example/status/acme/status.json')).length).toBeLessThan(html.length + 100_000)
    expect((await read('https://errors.example/status/acme/feed.atom')).length).toBeLessThan(html.length + 100_000)
    const history = await read('https://errors.example/status/acme/history')
    expect(history.match(/<article/g)).toHaveLength(many + 1)
    expect(history).toMatch(/<h2>November 2026<\/h2>.*over 0\..*98 w{297}…/)
    expect(history).toMatch(/<h2>November 2025<\/h2>.*Old work/)
    expect(history.length).toBeLessThan((many + 1) * 1000 + 5000)
    const listed = await createIncidents(opened).list(1, { offset: 0, limit: LIMITS.STATUS_LISTED_INCIDENTS }, AT)
    expect(listed).toHaveLength(LIMITS.STATUS_LISTED_INCIDENTS + 1)
    expect(listed[0]?.updates.map(({ text }) => text.slice(0, 2))).toEqual(
      Array.from({ length: LIMITS.STATUS_LISTED_UPDATES }, (_, nth) => String(98 - nth)),
    )
    expect(listed[0]?.updateCount).toBe(LIMITS.STATUS_UPDATES)
  })

  it('is listed for its writers as what goes on, then what is announced, then what is over, each the newest first', async () => {
    const work = { kind: 'maintenance', status: 'scheduled' }
    await say({ title: 'goes on', starts_at: AT - 50 * HOUR })
    await say({ title: 'is fixed', status: 'resolved', starts_at: AT - HOUR })
    await say({ ...work, title: 'comes', starts_at: AT + 40 * HOUR, ends_at: AT + 41 * HOUR })
    await say({ ...work, title: 'comes sooner', starts_at: AT + HOUR, ends_at: AT + 2 * HOUR })
    await say({ ...work, title: 'ended by itself', starts_at: AT - 3 * HOUR, ends_at: AT - 2 * HOUR })
    await say({ ...work, title: 'is under way', starts_at: AT - HOUR, ends_at: AT + HOUR })
    const listed = await createIncidents(opened).list(1, { offset: 0, limit: 10 }, AT)
    expect(listed.map(({ title }) => title)).toEqual([
      'is under way',
      'goes on',
      'comes',
      'comes sooner',
      'is fixed',
      'ended by itself',
    ])
    const phases = listed.map((one) => phaseOf(one, AT))
    expect(phases).toEqual(['now', 'now', 'ahead', 'ahead', 'over', 'over'])
  })

  it('leads from a private page to its history by the link alone, and the files do not have its token', async () => {
    const link = publish.linkOf(await save({ is_public: 0 }))
    await say({ status: 'resolved', is_published: 1 })
    await again()
    const onward = /<a href="(\/status\/acme\/history\?token=[\w-]{32})">/.exec(await read(link))?.[1]
    const history = await ask(`https://errors.example${onward}`)
    expect(history.status).toBe(200)
    const back = /<a href="(\/status\/acme\?token=[\w-]{32})">/.exec(await history.text())?.[1]
    expect(`https://errors.example${back}`).toBe(link)
    expect((await ask('https://errors.example/status/acme/history')).status).toBe(404)
    for (const name of readdirSync(join(folder, 'status-pages'))) {
      expect(readFileSync(join(folder, 'status-pages', name), 'utf8')).not.toContain(new URL(link).search.slice(7))
    }
  })

  it('shows how its components stand, of its own organisation alone', async () => {
    await opened.ledger.db
      .insertInto('uptime_checks')
      .values({
        guid: 'guid',
        organization_id: 1,
        project_id: 1,
        name: 'shop',
        environment: 'production',
        asked: '{}',
        interval_seconds: 60,
        failures_needed: 3,
        oks_needed: 1,
        is_disabled: 0,
        is_muted: 0,
        status: 'down',
        failures_in_row: 3,
        oks_in_row: 0,
        incident_since: AT,
        has_issue: 1,
        last_failure: '',
        last_asked_at: AT,
        next_at: null,
        certificate_ends_at: null,
        certificate_step: null,
        created_at: AT,
        deleted_at: null,
      })
      .execute()
    await opened.ledger.db
      .insertInto('uptime_days')
      .values({ check_id: 1, day: TODAY, up: 999, down: 1, unknown: 5 })
      .execute()
    await save()
    expect(await read()).toContain('<span class="state major">down</span>')
    expect(await read()).toContain('99.9% up today')
    // Nobody knows how it was before: the share says since when it is one, and those days are empty frames.
    await opened.ledger.db
      .insertInto('uptime_days')
      .values({ check_id: 1, day: TODAY - 2, up: 1000, down: 0, unknown: 0 })
      .execute()
    await save()
    const since = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })
    expect(await read()).toContain(`99.95% up since ${since.format((TODAY - 2) * 86_400_000)}`)
    expect((await read()).match(/<rect class="unknown" x="\d+" y="0.5"/g)).toHaveLength(LIMITS.STATUS_BARS_DAYS - 2)
    await opened.ledger.db
      .insertInto('uptime_days')
      .values({ check_id: 1, day: TODAY - LIMITS.STATUS_BARS_DAYS + 1, up: 1000, down: 0, unknown: 0 })
      .execute()
    await save()
    expect(await read()).toContain(`up in ${LIMITS.STATUS_BARS_DAYS} days`)
    await opened.ledger.db.updateTable('uptime_checks').set({ is_disabled: 1 }).execute()
    await again()
    expect(await read()).toContain('<span class="state unknown">unknown</span>')
    expect(await pagesOf().standing(2, { name: 'x', source: 'uptime', id: 'guid' }, 0)).toBeNull()
  })
})

const HEAD = {
  id: 1,
  kind: 'incident',
  title: '',
  impact: 'minor',
  status: 'monitoring',
  components: [],
  startsAt: AT,
  endsAt: null,
  lastSaidAt: AT,
} as const

describe('what a page says', () => {
  it('bars are grey where nothing is known, and that is no part of the share', () => {
    expect(barOf(undefined)).toBe('unknown')
    expect(barOf({ day: 1, good: 0, bad: 0 })).toBe('unknown')
    expect(barOf({ day: 1, good: 10, bad: 0 })).toBe('good')
    expect(barOf({ day: 1, good: 1000, bad: 1 })).toBe('some')
    expect(barOf({ day: 1, good: 9, bad: 1 })).toBe('bad')
    expect(uptimeOf([])).toBeNull()
    expect(uptimeOf([{ day: 1, good: 999_999, bad: 1 }])).toBe(99.999)
  })

  it('an incident lasts until somebody says that it is over', () => {
    expect(phaseOf(HEAD, AT + 1e12)).toBe('now')
    expect(phaseOf({ ...HEAD, status: 'resolved' }, AT)).toBe('over')
  })

  it('nothing that people write is mark-up, in HTML and in the feed', () => {
    const hostile = '</title><script>alert(1)</script>"\'&\u0000'
    const view: PageView = {
      title: hostile,
      path: '/status/acme',
      publicUrl: 'https://errors.example',
      isPublic: true,
      components: [{ name: hostile, state: 'operational', days: [] }],
      incidents: [
        {
          id: 1,
          kind: 'incident',
          title: hostile,
          impact: 'minor',
          status: 'investigating',
          components: [hostile],
          startsAt: AT,
          endsAt: null,
          lastSaidAt: AT,
          updates: [{ status: 'investigating', text: hostile, at: AT }],
          updateCount: 1,
        },
      ],
      heads: [{ ...HEAD, status: 'resolved', title: hostile }],
      lastWords: new Map([[1, hostile]]),
      at: AT,
    }
    expect(renderHtml(view)).not.toMatch(/<script|\u0000/)
    expect(renderHistory(view)).not.toMatch(/<script|\u0000/)
    expect(renderHistory(view)).toContain('&lt;script&gt;')
    expect(renderAtom(view)).not.toMatch(/<script|\u0000/)
    expect(renderAtom(view)).toContain('&lt;script&gt;')
  })
})

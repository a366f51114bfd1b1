import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS } from '../lib/durations.ts'
import { LEDGER_ENGINES, type OpenedLedger } from '../storage/conformance/engines.ts'
import { LIMITS } from './limits.ts'
import { snoozePath } from './snooze-link.ts'
import { createSnoozePage } from './snooze-page.ts'
import { createAlertWorld, type AlertWorld } from './test/alert-world.ts'

const KEY = Buffer.alloc(32, 3)

describe.each(LEDGER_ENGINES)('the page on which an alert is snoozed on $name', ({ open }) => {
  let opened: OpenedLedger
  let world: AlertWorld
  let ruleId = 0
  beforeEach(async () => {
    opened = await open()
    world = await createAlertWorld(opened)
    ruleId = (await world.add({ name: '<b>Broken</b> & "new"' })).id
  })
  afterEach(() => opened.close())

  const ask = async (path: string, form?: string): Promise<{ readonly status: number; readonly text: string }> => {
    const page = createSnoozePage({ rules: world.rules, clock: opened.clock, key: KEY })
    const method = form === undefined ? 'GET' : 'POST'
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const request = new Request(`https://firsthand.example${path}`, {
      method,
      ...(form === undefined ? {} : { headers, body: form }),
    })
    const answer = await page.handle(request)
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
    return { status: answer.status, text: await answer.text() }
  }
  const link = (organizationId = 1, key: Uint8Array = KEY): string =>
    snoozePath(key, ruleId, organizationId, opened.clock.now())
  const mutedUntil = async (): Promise<number | null> => (await world.rules.find(1, ruleId))?.mutedUntil ?? null

  it('A16: changes nothing for whoever only looks, and silences the alert for whoever sends the form', async () => {
    const path = link()
    const looked = await ask(path)
    expect(looked.status).toBe(200)
    expect(looked.text).toContain('Snooze “&lt;b&gt;Broken&lt;/b&gt; &amp; &quot;new&quot;”?')
    expect(looked.text).toContain('<form method="post">')
    expect(await mutedUntil()).toBeNull()
    // A form that says nothing known is a look as well.
    await ask(path, 'minutes=61')
    await ask(path, '')
    expect(await mutedUntil()).toBeNull()
    const sent = await ask(path, 'minutes=60')
    expect(sent.text).toContain('is silent for 1 hour')
    expect(await mutedUntil()).toBe(opened.clock.now() + HOUR_MS)
    await world.arrive([{ seed: 'a', kind: 'while it is silent' }])
    expect(world.messages()).toEqual([])
    const before = /name="before" value="([^"]+)"/.exec(sent.text)?.[1] ?? ''
    await ask(path, `minutes=0&before=${before}`)
    expect(await mutedUntil()).toBeNull()
    await world.arrive([{ seed: 'b', kind: 'when it speaks again' }])
    expect(world.messages()).toHaveLength(1)
  })

  it('A16: Undo sets what was before, and ends nothing that somebody else decided', async () => {
    const path = link()
    const anna = await world.join('anna')
    const until = opened.clock.now() + HOUR_MS / 2
    await world.rules.mute({ ...world.actor(), userId: anna }, ruleId, until)
    const undoOf = ({ text }: { readonly text: string }): string => {
      const before = /name="before" value="([^"]+)"/.exec(text)?.[1] ?? ''
      return `minutes=0&before=${encodeURIComponent(before)}`
    }
    const undo = undoOf(await ask(path, `minutes=${24 * 60}`))
    expect(await mutedUntil()).toBe(opened.clock.now() + DAY_MS)
    for (const forged of ['minutes=0', undo.replace(/before=\d+/, `before=${ruleId + 1}`), `${undo}x`]) {
      await ask(path, forged)
      expect(await mutedUntil()).toBe(opened.clock.now() + DAY_MS)
    }
    await ask(path, undo)
    expect(await world.rules.find(1, ruleId)).toMatchObject({ mutedUntil: until, mutedBy: anna })
    const again = undoOf(await ask(path, 'minutes=60'))
    await world.rules.mute({ ...world.actor(), userId: anna }, ruleId, until + 1)
    await ask(path, again)
    expect(await mutedUntil()).toBe(until + 1)
  })

  it('A16: does not shorten what somebody silenced for longer', async () => {
    const path = link()
    await ask(path, `minutes=${7 * 24 * 60}`)
    const until = await mutedUntil()
    const again = await ask(path, 'minutes=60')
    expect(again.text).toContain('is silent for longer already')
    expect(again.text).not.toContain('Undo')
    expect(await mutedUntil()).toBe(until)
    expect(until).toBe(opened.clock.now() + 7 * DAY_MS)
  })

  it('A16: is there for nobody whose link is changed, too old, of another organisation or another server, nor for an alert that is gone', async () => {
    const path = link()
    const changed = path.replace(/\.\d+\./, `.${ruleId + 1}.`)
    const renewed = path.replace(/\.(\d{13})\./, (_, until: string) => `.${Number(until) + DAY_MS}.`)
    const foreign = [changed, renewed, path.slice(0, -1), link(2), link(1, Buffer.alloc(32, 4)), '/a/', '/a/1.1.1.x']
    for (const one of foreign) {
      const { status, text } = await ask(one, 'minutes=60')
      expect([one, status]).toEqual([one, 404])
      expect(text).not.toContain('Broken')
    }
    expect(await mutedUntil()).toBeNull()
    opened.clock.set(opened.clock.now() + LIMITS.ALERT_SNOOZE_LINK_DAYS * DAY_MS)
    expect((await ask(path)).status).toBe(200)
    opened.clock.set(opened.clock.now() + 1)
    expect((await ask(path, 'minutes=60')).status).toBe(404)
    expect(await mutedUntil()).toBeNull()
    const fresh = link()
    await world.rules.remove(world.actor(), ruleId)
    expect((await ask(fresh, 'minutes=60')).status).toBe(404)
  })
})

import type { AlertRuleJson } from '@firsthand/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LEDGER_ENGINES } from '../../storage/conformance/engines.ts'
import { createOlderAlertApp } from '../test/older-app.ts'

const ENGINES_START_MS = 240_000
const RULES = '/organizations/acme/alert-rules/'

const SENT = {
  name: 'Errors',
  aggregate: 'count()',
  dataset: 'events',
  timeWindow: 10,
  thresholdType: 0,
  projects: ['web'],
  triggers: [{ label: 'critical', alertThreshold: 200 }],
}

describe.each(LEDGER_ENGINES)('metric alerts at Sentry’s older address on $name', (engine) => {
  let app: Awaited<ReturnType<typeof createOlderAlertApp>>
  const made: AlertRuleJson[] = []
  beforeAll(async () => {
    app = await createOlderAlertApp(engine)
    for (const name of ['One', 'Three', 'Two']) made.push(await app.asked('POST', RULES, { ...SENT, name }))
  }, ENGINES_START_MS)
  afterAll(() => app.close())

  it('are listed by project, page by page', async () => {
    const first = await app.call('GET', `${RULES}?project=web&per_page=2`)
    expect(first.body).toMatchObject([{ name: 'One' }, { name: 'Three' }])
    expect(first.headers.get('x-hits')).toBe('3')
    const [, cursor] = /rel="next"; results="true"; cursor="([^"]+)"/.exec(first.headers.get('link') ?? '') ?? []
    expect(await app.asked('GET', `${RULES}?per_page=2&cursor=${cursor}`)).toMatchObject([{ name: 'Two' }])
    expect(await app.refusal('GET', `${RULES}?project=999`)).toContain('404')
  })

  it('are refused with an environment that never was, and may keep one that they have', async () => {
    expect(await app.refusal('POST', RULES, { ...SENT, environment: 'nope' })).toContain('environment "nope"')
    const rule = await app.asked('POST', '/organizations/acme/alerts/', {
      name: 'Ours',
      projects: [String(app.projectId)],
      environments: ['later'],
      trigger: {
        source: 'measured',
        dataset: 'errors',
        aggregate: 'count()',
        windowMinutes: 5,
        comparison: { kind: 'fixed', direction: 'above', limit: 3 },
      },
    })
    const { id } = rule as { id: string }
    const json = (await app.asked('GET', `${RULES}${id}/`)) as object
    expect(await app.asked('PUT', `${RULES}${id}/`, json)).toMatchObject({ environment: 'later' })
    expect((await app.call('DELETE', `${RULES}${id}/`)).status).toBe(202)
  })

  it('are muted for everybody, and speak again', async () => {
    const id = made[0]?.id ?? ''
    const address = `/projects/acme/web/alert-rules/${id}/snooze/`
    expect(await app.call('POST', address, { target: 'everyone' })).toMatchObject({
      status: 201,
      body: { ruleId: Number(id), until: 'forever' },
    })
    expect(await app.asked('GET', `${RULES}${id}/`)).toMatchObject({ snooze: true })
    expect(await app.refusal('POST', address, { target: 'me' })).toContain('400 An alert is muted for everybody')
    await app.asked('DELETE', address)
    expect(await app.asked('GET', `${RULES}${id}/`)).toMatchObject({ snooze: false })
    expect(await app.refusal('POST', `/projects/acme/web/alert-rules/999/snooze/`, {})).toContain('404')
  })
})

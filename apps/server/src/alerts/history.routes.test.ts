import type { AlertEvaluation, AlertIncident } from '@firsthand/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LEDGER_ENGINES } from '../storage/conformance/engines.ts'
import { keepEvaluations } from './ledger/evaluations.ts'
import { openIncident } from './ledger/incidents.ts'
import { createOlderAlertApp } from './test/older-app.ts'

const ENGINES_START_MS = 240_000
const ALERTS = '/organizations/acme/alerts/'

describe.each(LEDGER_ENGINES)('what alerts came to, page by page, on $name', (engine) => {
  let app: Awaited<ReturnType<typeof createOlderAlertApp>>
  let ruleId: number
  beforeAll(async () => {
    app = await createOlderAlertApp(engine)
    const draft = { name: 'Fresh', projects: null, trigger: { source: 'happened', kinds: ['issue_opened'] } }
    ruleId = Number(((await app.asked('POST', ALERTS, draft)) as { id: string }).id)
  }, ENGINES_START_MS)
  afterAll(() => app.close())

  const happen = (numbers: readonly number[]): Promise<void> =>
    app.ledger.transaction(async (transaction) => {
      const { organizationId } = app
      for (const number of numbers) {
        const text = `Number ${number}`
        const occasion = `fact:${number}`
        const found = { decision: 'fired', reason: 'matched', sentence: text, issueId: null, incidentId: null } as const
        await keepEvaluations(transaction, [{ organizationId, ruleId, ruleVersion: 1, occasion, at: 1, ...found }], 1)
        const rule = { id: ruleId, draft: { name: 'Fresh' } }
        const about = { subject: `issue:${number}`, issueId: null, projectId: null, headline: text, factId: number }
        await openIncident(transaction, { organizationId, rule, ...about, state: 'firing', at: 1 })
      }
    })

  /** What all pages of two rows show, while more happens between them. */
  const pages = async <Row>(path: string, textOf: (row: Row) => string, next: () => Promise<void>) => {
    const shown: string[] = []
    let cursor = ''
    for (let page = 0; page < 10; page += 1) {
      const { body, headers } = await app.call('GET', `${path}&limit=2&cursor=${cursor}`)
      shown.push(...(body as Row[]).map((row) => textOf(row)))
      const link = /rel="next"; results="true"; cursor="([^"]+)"/.exec(headers.get('link') ?? '')
      if (link === null) return shown
      cursor = link[1] ?? ''
      await next()
    }
    return shown
  }

  it('neither repeat nor leave out what is there while more happens', async () => {
    await happen([1, 2, 3, 4, 5])
    let number = 5
    const next = (): Promise<void> => happen([(number += 1)])
    const oldest = ['Number 5', 'Number 4', 'Number 3', 'Number 2', 'Number 1']
    const evaluations = `${ALERTS}${ruleId}/evaluations/?all=true`
    expect(await pages<AlertEvaluation>(evaluations, ({ sentence }) => sentence, next)).toEqual(oldest)
    const until = ['Number 7', 'Number 6', ...oldest]
    const incidents = `/organizations/acme/alert-incidents/?alert=${ruleId}`
    expect(await pages<AlertIncident>(incidents, ({ headline }) => headline, next)).toEqual(until)
  })

  it('refuse a cursor that is none of theirs', async () => {
    expect(await app.refusal('GET', `${ALERTS}${ruleId}/evaluations/?cursor=0:x:0`)).toMatch(/^400 The cursor/)
  })
})

import type { AlertRule, IssueAlertRule } from '@firsthand/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LEDGER_ENGINES } from '../../storage/conformance/engines.ts'
import { createOlderAlertApp } from '../test/older-app.ts'

const ENGINES_START_MS = 240_000
const RULES = '/projects/acme/web/rules/'
const ALERTS = '/organizations/acme/alerts/'

const FIRST = { id: 'sentry.rules.conditions.first_seen_event.FirstSeenEventCondition' }
const MAIL = { id: 'sentry.mail.actions.NotifyEmailAction', targetType: 'IssueOwners', fallthroughType: 'NoOne' }
const LEVEL = { id: 'sentry.rules.filters.level.LevelFilter', match: 'eq', level: '50' }

describe.each(LEDGER_ENGINES)('rules at Sentry’s address on $name', (engine) => {
  let app: Awaited<ReturnType<typeof createOlderAlertApp>>
  beforeAll(async () => {
    app = await createOlderAlertApp(engine)
  }, ENGINES_START_MS)
  afterAll(() => app.close())

  const ours = async (id: string): Promise<AlertRule> => app.asked('GET', `${ALERTS}${id}/`)
  /** All that a rule says. */
  const said = async (id: string): Promise<object> => {
    const { version: _version, dateUpdated: _updated, ...rest } = await ours(id)
    return rest
  }

  it('can be read and written back, whoever made them and whatever they ask', async () => {
    const channelId = await app.addChannel('slack', 'alerts')
    const made = async (draft: object): Promise<string> =>
      (
        (await app.asked('POST', ALERTS, { name: 'Ours', projects: [String(app.projectId)], ...draft })) as {
          id: string
        }
      ).id
    const [standard] = (await app.asked('GET', ALERTS)) as { id: string }[]
    const ids = [
      standard?.id ?? '',
      await made({
        trigger: { source: 'happened', kinds: ['issue_resolved', 'issue_unarchived', 'issue_priority_raised'] },
        query: 'level:fatal OR tags[plan]:pro',
        environments: ['production', 'staging'],
        conditions: {
          hours: { timezone: 'Europe/Berlin', days: [1, 2], from: '09:00', to: '17:00' },
          minimumAgeMinutes: 5,
        },
        actions: [{ kind: 'channel', channelId, from: 'worse' }],
        frequencyMinutes: 0,
        maxMessagesPerHour: 7,
        isEnabled: false,
      }),
      await made({
        trigger: { source: 'happened', kinds: ['issue_opened', 'issue_escalating', 'issue_unarchived'] },
        query: 'issue.priority:high level:fatal',
        actions: [{ kind: 'channel', channelId }],
      }),
    ]
    for (const id of ids) {
      const before = await said(id)
      const read = (await app.asked('GET', `${RULES}${id}/`)) as IssueAlertRule
      await app.asked('PUT', `${RULES}${id}/`, read)
      expect(await said(id)).toEqual(before)
      // As programs do that know Sentry's fields alone.
      const { query: _query, status: _status, ...known } = (await app.asked('GET', `${RULES}${id}/`)) as IssueAlertRule
      await app.asked('PUT', `${RULES}${id}/`, known)
      expect(await said(id)).toEqual(before)
    }
  })

  it('keep a search besides their filters, and change it when it is written', async () => {
    const sent = { name: 'Filtered', conditions: [FIRST], filters: [LEVEL], actions: [MAIL], query: 'a OR b' }
    const rule = (await app.asked('POST', RULES, sent)) as IssueAlertRule
    expect(rule).toMatchObject({ query: 'a OR b', filters: [LEVEL] })
    expect(await ours(rule.id)).toMatchObject({ query: 'level:[fatal] (a OR b)' })
    const { query: _query, ...known } = rule
    expect(await app.asked('PUT', `${RULES}${rule.id}/`, { ...known, filters: [] })).toMatchObject({ query: 'a OR b' })
    expect(await ours(rule.id)).toMatchObject({ query: 'a OR b' })
    expect(await app.asked('PUT', `${RULES}${rule.id}/`, { ...known, query: '' })).toMatchObject({ query: '' })
    expect(await ours(rule.id)).toMatchObject({ query: 'level:[fatal]' })
  })

  it('are off when they say so', async () => {
    const sent = { name: 'Off', conditions: [FIRST], actions: [MAIL], status: 'disabled' }
    const rule = (await app.asked('POST', RULES, sent)) as IssueAlertRule
    expect(rule.status).toBe('disabled')
    expect(await ours(rule.id)).toMatchObject({ isEnabled: false })
    expect(await app.asked('PUT', `${RULES}${rule.id}/`, { ...rule, status: 'active' })).toMatchObject({
      status: 'active',
    })
  })

  it('are refused where they could never speak, or could not be read again', async () => {
    const sent = { name: 'Mute', conditions: [FIRST], actions: [MAIL] }
    const refused = (more: object) => app.refusal('POST', RULES, { ...sent, ...more })
    expect(await refused({ environment: 'nope' })).toContain('400 No event came from an environment "nope" yet')
    expect(await refused({ actions: [] })).toContain('400 A rule without an action tells nobody.')
    const long = {
      id: 'sentry.rules.filters.tagged_event.TaggedEventFilter',
      key: 'a',
      match: 'eq',
      value: 'x'.repeat(3000),
    }
    expect(await refused({ filters: [long] })).toContain('400 query: ')
    expect(await refused({ environment: 'production' })).toBe('')
    expect((await app.call('GET', RULES)).status).toBe(200)
    expect(await app.refusal('GET', `${RULES}configuration/`)).toContain(
      '501 Firsthand does not have this yet: a list of',
    )
  })
})

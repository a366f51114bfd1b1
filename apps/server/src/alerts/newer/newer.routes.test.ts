import type { DetectorJson, WorkflowJson } from '@firsthand/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LEDGER_ENGINES } from '../../storage/conformance/engines.ts'
import { createOlderAlertApp } from '../test/older-app.ts'

const ENGINES_START_MS = 240_000
const ORGANIZATION = '/organizations/acme'
const ALERTS = `${ORGANIZATION}/alerts/`
const WORKFLOWS = `${ORGANIZATION}/workflows/`
const DETECTORS = `${ORGANIZATION}/detectors/`

const MEASURED = {
  source: 'measured',
  dataset: 'errors',
  aggregate: 'count()',
  windowMinutes: 5,
  comparison: { kind: 'fixed', direction: 'above', limit: 100, worseLimit: 200 },
  recovery: { limit: 50, minutes: 0 },
}

describe.each(LEDGER_ENGINES)('alerts as Sentry shows them now, on $name', (engine) => {
  let app: Awaited<ReturnType<typeof createOlderAlertApp>>
  let channelId: string
  beforeAll(async () => {
    app = await createOlderAlertApp(engine)
    channelId = await app.addChannel('teams', 'alerts')
  }, ENGINES_START_MS)
  afterAll(() => app.close())

  const made = async (name: string, draft: object): Promise<string> => {
    const rule = { name, projects: [String(app.projectId)], ...draft }
    return ((await app.asked('POST', ALERTS, rule)) as { id: string }).id
  }
  const workflows = async (query: string): Promise<WorkflowJson[]> => app.asked('GET', `${WORKFLOWS}?${query}`)
  const detectors = async (query: string): Promise<DetectorJson[]> => app.asked('GET', `${DETECTORS}?${query}`)
  const namesOf = (rows: readonly { readonly name: string }[]): string[] => rows.map(({ name }) => name)

  it('are found by id, name, project, kind and what they are connected with, in the order that is asked for', async () => {
    const happened = { trigger: { source: 'happened', kinds: ['issue_opened'] } }
    const first = await made('Fresh', { ...happened, query: 'issue.category:error', projects: null })
    const second = await made('Payments', { ...happened, actions: [{ kind: 'channel', channelId }] })
    const measured = await made('Many errors', { trigger: MEASURED, actions: [{ kind: 'channel', channelId }] })
    const quiet = await made('Nobody is told', { trigger: MEASURED })

    expect(namesOf(await workflows(`id=${second}`))).toEqual(['Payments'])
    expect(namesOf(await workflows('query=fr'))).toEqual(['Fresh'])
    expect(namesOf(await workflows('query=name:pay'))).toEqual(['Payments'])
    expect(namesOf(await workflows('sortBy=-name'))).toEqual([
      'Payments',
      'Many errors',
      'High priority issues',
      'Fresh',
    ])
    expect(namesOf(await workflows('query=action:msteams&sortBy=-id'))).toEqual(['Many errors', 'Payments'])
    expect(namesOf(await workflows(`detector=${measured}`))).toEqual(['Many errors'])
    const page = await app.call('GET', `${WORKFLOWS}?project=web&per_page=2&sortBy=-id`)
    expect(namesOf(page.body)).toEqual(['Many errors', 'Payments'])
    expect(page.headers.get('link')).toContain('rel="next"; results="true"')

    expect(namesOf(await detectors('query=type:metric_issue&sortBy=-id'))).toEqual(['Nobody is told', 'Many errors'])
    expect(namesOf(await detectors('type=error&type=issue_stream&project=web'))).toEqual([
      'Error Monitor',
      'Issue Stream',
    ])
    const [error] = await detectors('project=web&query=type:error')
    expect(error).toMatchObject({ projectId: String(app.projectId), workflowIds: [first] })
    expect(await app.asked('GET', `${DETECTORS}${error?.id}/`)).toEqual(error)
    expect(namesOf(await workflows(`detector=${error?.id}`))).toEqual(['Fresh'])
    expect(namesOf(await detectors('query=assignee:none name:many'))).toEqual(['Many errors'])
    expect(namesOf(await detectors('query=assignee:me'))).toEqual([])

    expect(await app.refusal('GET', `${WORKFLOWS}?project=999`)).toContain('404')
    expect(await app.refusal('GET', `${WORKFLOWS}?query=colour:red`)).toContain('400 query: this list is searched')
    expect(await app.refusal('GET', `${WORKFLOWS}?sortBy=colour`)).toContain('400')
    expect(await app.refusal('GET', `${DETECTORS}?colour=red`)).toContain('400 colour: this list is not asked by it.')
    for (const id of [first, second]) expect(await app.refusal('GET', `${DETECTORS}${id}/`)).toContain('404')
    expect(await app.refusal('GET', `${WORKFLOWS}${quiet}/`)).toContain('404')
    expect(await app.asked('GET', `${DETECTORS}${quiet}/`)).toMatchObject({ workflowIds: [] })
  })

  it('show what they wait for, what they ask, and in words what Sentry has none for', async () => {
    const [standard] = await workflows('query=priority')
    expect(standard?.triggers?.conditions.map(({ type }) => type)).toEqual([
      'new_high_priority_issue',
      'existing_high_priority_issue',
    ])
    expect(standard).toMatchObject({ description: null, actionFilters: [{ conditions: [] }] })

    const id = await made('All of it', {
      trigger: { source: 'happened', kinds: ['issue_resolved', 'issue_escalating', 'issue_unarchived'] },
      query: 'level:fatal timesSeen:<5',
      environments: ['production', 'staging'],
      conditions: {
        hours: { timezone: 'Europe/Berlin', days: [1, 5], from: '09:00', to: '17:00' },
        minimumAgeMinutes: 5,
      },
      actions: [{ kind: 'people', target: 'owners', fallthrough: 'nobody' }],
    })
    const shown: WorkflowJson = await app.asked('GET', `${WORKFLOWS}${id}/`)
    expect(shown.triggers?.conditions.map(({ type }) => type)).toEqual(['reappeared_event', 'issue_resolved_trigger'])
    expect(shown).toMatchObject({
      environment: 'production',
      description:
        'Only of what this finds: timesSeen:<5 In all of the environments production, staging. Only from 09:00 to 17:00 (Europe/Berlin) on days 1, 5 of the week. Only of issues that are at least 5 minutes old.',
      actionFilters: [
        {
          conditions: [{ type: 'level', comparison: { level: 50, match: 'eq' } }],
          actions: [{ type: 'email', data: { fallthroughType: 'NoOne' } }],
        },
      ],
    })
  })

  it('tell apart what finds too much and who is told of it, with the condition under which all is well', async () => {
    const id = await made('Two levels', {
      trigger: MEASURED,
      query: 'event.type:error level:fatal',
      actions: [
        { kind: 'people', target: 'owners' },
        { kind: 'channel', channelId, from: 'worse' },
      ],
    })
    const detector: DetectorJson = await app.asked('GET', `${DETECTORS}${id}/`)
    expect(
      detector.conditionGroup?.conditions.map(({ comparison, conditionResult, type }) => [
        type,
        comparison,
        conditionResult,
      ]),
    ).toEqual([
      ['gt', 200, 75],
      ['gt', 100, 50],
      ['lte', 50, 0],
    ])
    expect(detector.dataSources?.[0]?.queryObj.snubaQuery).toMatchObject({
      dataset: 'events',
      query: 'level:fatal',
      eventTypes: ['error'],
      aggregate: 'count()',
      timeWindow: 300,
    })
    expect(await app.asked('GET', `${WORKFLOWS}${id}/`)).toMatchObject({
      detectorIds: [id],
      actionFilters: [
        { conditions: [], actions: [{ type: 'email', config: { targetType: 'issue_owners' } }] },
        {
          conditions: [{ type: 'issue_priority_greater_or_equal', comparison: 75 }],
          actions: [{ type: 'msteams', config: { targetDisplay: 'alerts' } }],
        },
      ],
    })
  })
})

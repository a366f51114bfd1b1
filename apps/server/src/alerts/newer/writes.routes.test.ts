import type { DetectorJson, WorkflowJson } from '@firsthand/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LEDGER_ENGINES } from '../../storage/conformance/engines.ts'
import { createOlderAlertApp } from '../test/older-app.ts'

const ENGINES_START_MS = 240_000
const ORGANIZATION = '/organizations/acme'
const ALERTS = `${ORGANIZATION}/alerts/`
const WORKFLOWS = `${ORGANIZATION}/workflows/`
const DETECTORS = `${ORGANIZATION}/detectors/`
const NEW_DETECTOR = `${ORGANIZATION}/projects/web/detectors/`

const EMAIL = { type: 'email', config: { targetType: 'issue_owners' }, data: { fallthroughType: 'AllMembers' } }
const FIRST_SEEN = { type: 'first_seen_event', comparison: true, conditionResult: true }

/** As Terraform's provider sends a monitor of how much. */
const MONITOR = {
  name: 'Many errors',
  type: 'metric_issue',
  projectId: '1',
  enabled: true,
  description: null,
  owner: null,
  dataSources: [
    {
      aggregate: 'count()',
      dataset: 'events',
      query: 'level:fatal',
      queryType: 0,
      eventTypes: ['error'],
      timeWindow: 600,
      environment: null,
      extrapolationMode: null,
    },
  ],
  conditionGroup: {
    logicType: 'any',
    conditions: [
      { type: 'gt', comparison: 100, conditionResult: 75 },
      { type: 'gt', comparison: 50, conditionResult: 50 },
      { type: 'lte', comparison: 20, conditionResult: 0 },
    ],
  },
  config: { detectionType: 'static', comparisonDelta: null },
}

describe.each(LEDGER_ENGINES)('alerts as Sentry’s clients write them now, on $name', (engine) => {
  let app: Awaited<ReturnType<typeof createOlderAlertApp>>
  let channelId: string
  /** What the project finds by itself. */
  const own = { error: '', issue_stream: '' }
  beforeAll(async () => {
    app = await createOlderAlertApp(engine)
    channelId = await app.addChannel('slack', 'alerts')
    for (const kind of ['error', 'issue_stream'] as const) {
      const [found] = (await app.asked('GET', `${DETECTORS}?project=web&query=type:${kind}`)) as DetectorJson[]
      own[kind] = found?.id ?? ''
    }
  }, ENGINES_START_MS)
  afterAll(() => app.close())

  const ours = async (id: string): Promise<object> => app.asked('GET', `${ALERTS}${id}/`)
  const alert = (more: object = {}) => ({
    name: 'Told',
    enabled: true,
    environment: null,
    config: { frequency: 60 },
    detectorIds: [own.issue_stream],
    triggers: { logicType: 'any-short', conditions: [FIRST_SEEN] },
    actionFilters: [
      {
        logicType: 'any-short',
        conditions: [
          { type: 'level', comparison: { level: 50, match: 'eq' }, conditionResult: true },
          { type: 'issue_type', comparison: { value: 'n_plus_one', include: false }, conditionResult: true },
        ],
        actions: [
          EMAIL,
          { type: 'slack', integrationId: '1', config: { targetType: 'specific', targetDisplay: '#alerts' }, data: {} },
        ],
      },
    ],
    ...more,
  })

  it('become rules that wait for the same, ask the same and tell the same', async () => {
    const made: WorkflowJson = await app.asked('POST', WORKFLOWS, alert())
    expect(made).toMatchObject({ name: 'Told', detectorIds: [own.issue_stream], description: null })
    expect(await ours(made.id)).toMatchObject({
      projects: [String(app.projectId)],
      query: 'level:[fatal] OR !issue.type:"n_plus_one"',
      trigger: { source: 'happened', kinds: ['issue_opened'] },
      frequencyMinutes: 60,
      actions: [
        { kind: 'people', target: 'owners', fallthrough: 'all' },
        { kind: 'channel', channelId },
      ],
    })
    const errors: WorkflowJson = await app.asked('POST', WORKFLOWS, alert({ detectorIds: [own.error] }))
    expect(errors.detectorIds).toEqual([own.error])
    expect(await ours(errors.id)).toMatchObject({
      query: 'issue.category:error (level:[fatal] OR !issue.type:"n_plus_one")',
    })
    expect((await app.call('DELETE', `${WORKFLOWS}${errors.id}/`)).status).toBe(204)
    expect(await app.refusal('GET', `${ALERTS}${errors.id}/`)).toContain('404')
  })

  it('stay as they were when they are written back as they were read, whoever made them', async () => {
    const said = async (id: string) => ({ ...(await ours(id)), version: 0, dateUpdated: '' })
    const [standard] = (await app.asked('GET', ALERTS)) as { id: string }[]
    const all = (await app.asked('POST', ALERTS, {
      name: 'Ours',
      trigger: { source: 'happened', kinds: ['issue_resolved', 'issue_unarchived', 'release_first_seen'] },
      query: 'level:[fatal] timesSeen:<5 (a OR level:info)',
      environments: ['production', 'later'],
      conditions: { minimumAgeMinutes: 5 },
      actions: [{ kind: 'channel', channelId }],
      isEnabled: false,
    })) as { id: string }
    for (const id of [standard?.id ?? '', all.id]) {
      const before = await said(id)
      await app.asked('PUT', `${WORKFLOWS}${id}/`, await app.asked('GET', `${WORKFLOWS}${id}/`))
      expect(await said(id)).toEqual(before)
    }
    await app.asked('PUT', `${WORKFLOWS}${all.id}/`, { enabled: true, name: 'Theirs' })
    expect(await said(all.id)).toMatchObject({ name: 'Theirs', isEnabled: true, environments: ['production', 'later'] })
  })

  it('are refused with a sentence where there is no counterpart', async () => {
    const [group] = alert().actionFilters
    const refused = (more: object) => app.refusal('POST', WORKFLOWS, alert(more))
    const asking = (type: string) => ({ actionFilters: [{ ...group, conditions: [{ type, comparison: {} }] }] })
    expect(await refused({ actionFilters: [group, group] })).toContain('400 actionFilters: an alert has one group')
    expect(await refused({ actionFilters: [{ ...group, actions: [] }] })).toContain('400 A rule without an action')
    expect(await refused(asking('event_frequency_count'))).toContain('400 The condition "event_frequency_count"')
    expect(await refused({ environment: 'nope' })).toContain('400 No event came from an environment "nope"')
    expect(await refused({ detectorIds: [] })).toContain('400 detectorIds: it has the ids')
    expect(await refused({ detectorIds: ['999'] })).toContain('400 detectorIds: there is no monitor 999')
    expect(await refused({ detectorIds: [own.error, '7'] })).toContain('400 detectorIds: an alert is told of')
    expect(await refused({ triggers: { logicType: 'any-short', conditions: [] } })).toContain(
      '400 A rule without a condition',
    )
    expect(await app.refusal('DELETE', `${DETECTORS}${own.error}/`)).toContain('400 This monitor is what a project')
  })

  it('are a monitor of how much, and who is told of it', async () => {
    const monitor: DetectorJson = await app.asked('POST', NEW_DETECTOR, MONITOR)
    const { conditionGroup, dataSources, id, workflowIds } = monitor
    expect(workflowIds).toEqual([])
    expect(dataSources?.[0]?.queryObj.snubaQuery).toMatchObject({
      aggregate: 'count()',
      dataset: 'events',
      query: 'level:fatal',
      eventTypes: ['error'],
      timeWindow: 600,
    })
    expect(conditionGroup?.conditions).toMatchObject(MONITOR.conditionGroup.conditions)
    expect(await ours(id)).toMatchObject({
      query: 'event.type:error level:fatal',
      trigger: {
        windowMinutes: 10,
        comparison: { kind: 'fixed', limit: 50, worseLimit: 100 },
        recovery: { limit: 20 },
      },
      actions: [],
    })

    const worse = { type: 'issue_priority_greater_or_equal', comparison: 75, conditionResult: true }
    const slack = { type: 'slack', config: { targetType: 'specific', targetIdentifier: channelId }, data: {} }
    const told = alert({
      name: monitor.name,
      detectorIds: [id],
      actionFilters: [
        { logicType: 'all', conditions: [], actions: [EMAIL] },
        { logicType: 'all', conditions: [worse], actions: [slack] },
      ],
    })
    expect(await app.refusal('POST', WORKFLOWS, { ...told, name: 'Another' })).toContain(
      '400 name: the alert of a monitor',
    )
    const workflow: WorkflowJson = await app.asked('POST', WORKFLOWS, told)
    expect(workflow).toMatchObject({ id, detectorIds: [id], config: { frequency: 60 } })
    expect(await ours(id)).toMatchObject({
      frequencyMinutes: 60,
      actions: [
        { kind: 'people', target: 'owners', from: 'fired' },
        { kind: 'channel', channelId, from: 'worse' },
      ],
    })
    expect(await app.refusal('POST', WORKFLOWS, told)).toContain('409 The monitor "Many errors" has its alert')
    const before = { ...(await ours(id)), version: 0, dateUpdated: '' }
    await app.asked('PUT', `${WORKFLOWS}${id}/`, await app.asked('GET', `${WORKFLOWS}${id}/`))
    await app.asked('PUT', `${DETECTORS}${id}/`, await app.asked('GET', `${DETECTORS}${id}/`))
    expect({ ...(await ours(id)), version: 0, dateUpdated: '' }).toEqual(before)

    await app.asked('PUT', `${DETECTORS}${id}/`, { enabled: false, name: 'Renamed' })
    expect(await ours(id)).toMatchObject({ isEnabled: false, name: 'Renamed', actions: [{}, {}] })
    expect((await app.call('DELETE', `${WORKFLOWS}${id}/`)).status).toBe(204)
    expect(await app.asked('GET', `${DETECTORS}${id}/`)).toMatchObject({ workflowIds: [] })
    expect((await app.call('DELETE', `${DETECTORS}${id}/`)).status).toBe(204)
    expect(await app.refusal('GET', `${ALERTS}${id}/`)).toContain('404')
  })

  it('are monitors of other kinds, or of what nobody can count, only with a sentence', async () => {
    const refused = (more: object) => app.refusal('POST', NEW_DETECTOR, { ...MONITOR, ...more })
    const conditions = (...some: readonly (readonly [string, number, number])[]) => ({
      conditionGroup: {
        logicType: 'any',
        conditions: some.map(([type, comparison, conditionResult]) => ({ type, comparison, conditionResult })),
      },
    })
    expect(await refused({ type: 'uptime_domain_failure' })).toContain(
      '400 type: "uptime_domain_failure" is not made here',
    )
    expect(await refused(conditions(['gt', 5, 75], ['gt', 50, 50]))).toContain('400 triggers: the critical threshold')
    expect(await refused(conditions(['eq', 5, 75]))).toContain('400 conditionGroup: what is found is above')
    expect(await refused(conditions(['gt', 5, 60]))).toContain('400 conditionGroup: a conditionResult is 75')
    expect(await refused({ workflowIds: ['1'] })).toContain('400 workflowIds: whom a monitor tells')
    expect(await refused({ description: 'For the night' })).toContain('400 description: a monitor has none')
    expect(await refused({ dataSources: [] })).toContain('400 A monitor has dataSources')
    expect(
      await refused({
        ...conditions(['lt', 5, 75], ['gte', 5, 0]),
        config: { detectionType: 'percent', comparisonDelta: 3600 },
      }),
    ).toBe('')
  })
})

import { describe, expect, it } from 'vitest'
import { CAPABILITIES } from '../capabilities.ts'
import { ok } from '../lib/result.ts'
import { findAttribute, Parameters, type Dataset } from '../search/index.ts'
import { findDataset, findItems } from './datasets.ts'
import { makeAggregate } from './functions.ts'

const datasets = (
  await Promise.all(CAPABILITIES.map(async (capability) => (await capability.datasets?.()) ?? []))
).flat()

const datasetOf = (name: string): Dataset => {
  const found = findDataset(datasets, name)
  if (!found.ok) throw new Error(found.error)
  return found.value
}

const ask = (dataset: Dataset, name: string, given: readonly string[] = []) =>
  makeAggregate(
    { name, arguments: given.map((text) => ({ text, isSearch: false })) },
    {
      dataset,
      bind: new Parameters('a').bind,
      weight: dataset.weight,
      seconds: 60,
      filter: () => ok('1'),
      overall: () => '1',
    },
  )

const problemOf = (dataset: Dataset, name: string, given?: readonly string[]): string => {
  const made = ask(dataset, name, given)
  return made.ok ? '' : made.error
}

describe('datasets of all capabilities', () => {
  it('are found by any of their names, and by what a row of them is called', () => {
    const names = datasets.flatMap((dataset) => dataset.names.map(({ name }) => name))
    const former = ['spansMetrics', 'metricsEnhanced', 'metrics']
    const errors = ['errors', 'discover', 'occurrences']
    expect(names).toEqual([
      ...errors,
      'sessions',
      'feedback',
      'spans',
      'transactions',
      ...former,
      'profiles',
      'logs',
      'ourlogs',
      'tracemetrics',
      'replays',
      'check_ins',
    ])
    expect(findItems(datasets, 'tracemetrics').ok).toBe(true)
    const unknown = findDataset(datasets, 'dragons')
    expect(unknown.ok ? '' : unknown.error).toBe(
      'The dataset "dragons" is not there. Use one of: errors, sessions, feedback, spans, transactions, profiles, logs, ourlogs, tracemetrics, replays, check_ins.',
    )
  })

  it('do not answer functions about what their rows do not have', () => {
    const logs = datasetOf('logs')
    for (const [name, ...given] of [
      ['count_op', 'db'],
      ['time_spent_percentage'],
      ['trace_status_rate', 'ok'],
      ['cache_miss_rate'],
      ['performance_score', 'measurements.score.total'],
      ['opportunity_score'],
      ['count_scores', 'measurements.score.total'],
    ] as const) {
      expect(problemOf(logs, name, given), name).toMatch(`"${name}()" is not about logs. `)
      expect(problemOf(datasetOf('tracemetrics'), name, given), name).toMatch('is not about tracemetrics')
      expect(problemOf(logs, `${name}_if`, given), name).toMatch('is not about logs')
    }
    for (const name of ['apdex', 'user_misery']) expect(problemOf(logs, name, ['300']), name).toMatch('take no time')
    expect(problemOf(logs, 'no_such')).toMatch('"no_such()" is not known.')
    expect(problemOf(logs, 'no_such')).not.toMatch('cache_miss_rate')
    expect(problemOf(datasetOf('spans'), 'no_such')).toMatch('cache_miss_rate')
  })

  it('name the project of a row', () => {
    const { bind } = new Parameters('a')
    for (const dataset of datasets) {
      for (const name of ['project', 'project.name']) {
        expect(findAttribute(dataset, name, bind).lookup, `${name} of ${dataset.itemType}`).toBe('project')
      }
    }
    const { sql, search } = findAttribute(datasetOf('logs'), 'severity', bind)
    expect(findAttribute(datasetOf('logs'), 'log.severity', bind)).toMatchObject({ sql, search })
  })

  it('answer when a log line came as a number, too', () => {
    const { bind } = new Parameters('a')
    const found = findAttribute(datasetOf('logs'), 'tags[sentry.timestamp_precise,number]', bind)
    expect(found).toMatchObject({ type: 'number', sql: expect.stringContaining('logs.nanos') })
  })

  it('name functions that there are', () => {
    const named = datasets.flatMap((dataset) => (dataset.functions ?? []).map((name) => ({ dataset, name })))
    expect(named).not.toEqual([])
    for (const { dataset, name } of named) expect(problemOf(dataset, name), name).not.toMatch('is not known')
  })
})

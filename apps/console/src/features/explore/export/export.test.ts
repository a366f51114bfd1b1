import { QueryClient } from '@tanstack/react-query'
import { afterEach, describe, expect, it, vi } from 'vitest'
import * as calls from '../../calls/queries.ts'
import { findKind } from '../../calls/model/kinds.ts'
import { fetchLines, linesFile } from '../../logs/queries.ts'
import { runsFile, transactionQuery, transactionsFile, transactionsQuery } from '../../performance/queries.ts'
import { profilesFile, profilesQuery, transactionProfilesQuery } from '../../profiles/queries.ts'
import { foundTracesQuery, tracesFile } from '../../traces/queries.ts'
import * as vitals from '../../vitals/queries.ts'
import type { FileAddress } from './index.ts'

/** Of pages alone, and of files alone. */
const BESIDES = new Set(['limit', 'per_page', 'cursor', 'format'])

const questionIn = (address: string): readonly string[] => {
  const { pathname, searchParams } = new URL(address, 'https://firsthand.example')
  const asked = [...searchParams].filter(([name]) => !BESIDES.has(name))
  return [pathname, ...asked.map((pair) => pair.join('=')).toSorted()]
}

/** What a list asks the server for first. Nothing is answered. */
const askedBy = async (ask: (client: QueryClient) => Promise<unknown>): Promise<string> => {
  const addresses: string[] = []
  vi.stubGlobal('fetch', async (address: string) => {
    addresses.push(address)
    throw new TypeError('nobody answers')
  })
  await expect(ask(new QueryClient({ defaultOptions: { queries: { retry: false } } }))).rejects.toThrow(
    'nobody answers',
  )
  return addresses[0] ?? ''
}

const scope = { statsPeriod: '7d', project: ['4'], environment: ['production'] }
const databases = findKind('databases')
if (databases === undefined) throw new Error('there are no databases')
const call = { ...scope, group: '00aa11bb22cc33dd' }
const samples = { choice: 'typical', median: 12.5 } as const
const page = { ...scope, page: '/cart', vital: 'inp', by: 'device' } as const
const transactions = { ...scope, query: 'cart span.op:http.server', sort: '-p95' } as const
const callsSearch = { ...scope, query: 'carts', sort: '-p95' }
const vitalsSearch = { ...scope, query: 'cart', sort: '-lcp' } as const
const tracesSearch = { ...scope, query: ['span.op:db', '', 'span.op:http.client'] }
const logsSearch = { ...scope, query: 'severity:error' }
const transaction = { ...scope, transaction: 'GET /cart', op: 'http.server', query: 'release:2' }
const signal = () => new AbortController().signal

type Ask = (client: QueryClient) => Promise<unknown>

const LISTS: readonly (readonly [string, FileAddress, Ask])[] = [
  [
    'transactions',
    transactionsFile('acme', transactions),
    (client) => client.fetchInfiniteQuery(transactionsQuery('acme', transactions)),
  ],
  [
    'calls',
    calls.listFile('acme', databases, callsSearch),
    (client) => client.fetchInfiniteQuery(calls.listQuery('acme', databases, callsSearch)),
  ],
  [
    'what a call is called from',
    calls.callersFile('acme', databases, call),
    (client) => client.fetchQuery(calls.callersQuery('acme', databases, call)),
  ],
  [
    'samples of a call',
    calls.samplesFile('acme', databases, call, samples),
    (client) => client.fetchQuery(calls.samplesQuery('acme', databases, call, samples)),
  ],
  [
    'web vitals by page',
    vitals.pagesFile('acme', vitalsSearch),
    (client) => client.fetchInfiniteQuery(vitals.pagesQuery('acme', vitalsSearch)),
  ],
  [
    'a vital by device',
    vitals.dimensionFile('acme', page),
    (client) => client.fetchQuery(vitals.dimensionQuery('acme', page)),
  ],
  [
    'samples of a vital',
    vitals.samplesFile('acme', page),
    (client) => client.fetchQuery(vitals.samplesQuery('acme', page)),
  ],
  [
    'traces',
    tracesFile('acme', tracesSearch),
    (client) => client.fetchInfiniteQuery(foundTracesQuery('acme', tracesSearch)),
  ],
  ['log lines', linesFile('acme', logsSearch), () => fetchLines('acme', logsSearch, {}, signal())],
  ['profiles', profilesFile('acme', scope), (client) => client.fetchInfiniteQuery(profilesQuery('acme', scope))],
  [
    'profiles of a transaction',
    profilesFile('acme', scope, 'GET /cart'),
    (client) => client.fetchQuery(transactionProfilesQuery('acme', scope, 'GET /cart')),
  ],
]

describe('an export', () => {
  afterEach(() => vi.unstubAllGlobals())

  it.each(LISTS)('T50 of %s asks what the list asks', async (_, addressOf, ask) => {
    const shown = questionIn(await askedBy(ask))
    expect(shown).toContain('statsPeriod=7d')
    for (const format of ['csv', 'json'] as const) {
      const address = addressOf(format)
      expect(questionIn(address)).toEqual(shown)
      expect(new URL(address, 'https://firsthand.example').searchParams.getAll('format')).toEqual([format])
    }
  })

  it('T50 of a transaction has the runs that the page is about, the slowest first', async () => {
    const shown = await askedBy((client) => client.fetchQuery(transactionQuery('acme', transaction)))
    const scopeIn = (address: string) =>
      questionIn(address).filter((one) => /^(statsPeriod|start|end|project|environment)=/.test(one))
    const address = runsFile('acme', transaction)('csv')
    expect(scopeIn(address)).toEqual(scopeIn(shown))
    const asked = new URL(address, 'https://firsthand.example').searchParams
    expect(asked.get('query')).toBe('is_transaction:1 transaction:"GET /cart" span.op:http.server release:2')
    expect(asked.getAll('sort')).toEqual(['-span.duration'])
  })
})

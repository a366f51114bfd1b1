import type { Answer, getTransaction } from '@firsthand/contract'
import { useQuery } from '@tanstack/react-query'
import { linkOptions, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'

import { formatCount, formatStep } from '../../../lib/format.ts'
import { formatMoment } from '../../../lib/moments.ts'
import { usePageTitle } from '../../../lib/page-title.ts'
import { PERCENTILE_LOOKS } from '../../../lib/percentile-looks.ts'
import { sampledText } from '../../../lib/sampled-text.ts'
import { formatSpent } from '../../../lib/spent-time.ts'
import {
  Button,
  ButtonLink,
  EmptyState,
  Loaded,
  Notice,
  Num,
  PageBody,
  Panel,
  RelativeTime,
  SearchIcon,
  SegmentedControl,
  SkeletonRows,
  Table,
  Tbody,
  Td,
  Th,
  Thead,
  TimeSeries,
  type TimeSeriesLine,
  type TimeSeriesProps,
  Tr,
  useShortcut,
  VisibleText,
} from '../../../ui/index.ts'
import { useReleaseMarks } from '../../releases/links/index.ts'
import { ExportMenu } from '../../explore/export/index.ts'
import { WiderPeriod } from '../../issues/index.ts'
import { rangeBetween } from '../../issues/model/index.ts'
import { TransactionProfiles } from '../../profiles/links/index.ts'
import { KindGlyph, kindOf } from '../../traces/kinds/index.ts'
import { TraceLink } from '../../traces/links/index.ts'
import { DetailHeader } from '../frame/index.ts'
import { formatApdex, formatMisery, formatShare, formatThroughput, whyNoMisery } from '../model/change.ts'
import { compactList, compactTransaction, DEFAULT_SORT, type TransactionSearch } from '../model/performance-search.ts'
import { silentSince } from '../model/silence.ts'
import { transactionFromUrl } from '../model/shown.ts'
import { runsFile, transactionQuery } from '../queries.ts'
import { RelatedIssues } from './RelatedIssues.tsx'
import styles from './TransactionScreen.module.css'

type Transaction = Answer<typeof getTransaction>

const FROM = '/signed-in/organizations/$org/performance/summary'
const PAGE = '/organizations/$org/performance/summary'
const SECOND_MS = 1000

/** One transaction: percentiles over time, its slowest samples, and what its spans did. */
export function TransactionScreen() {
  const { org } = useParams({ from: FROM })
  const search = transactionFromUrl(useSearch({ from: FROM }))
  const navigate = useNavigate()
  const query = useQuery(transactionQuery(org, search))
  const { data, isPlaceholderData } = query
  const name = search.transaction || '(no name)'
  usePageTitle(name)
  const change = (part: Partial<TransactionSearch>): void => {
    void navigate({
      to: PAGE,
      params: { org },
      search: compactTransaction({ ...search, ...part }),
      replace: true,
    })
  }
  const slowest = data?.slowest[0]
  useShortcut(
    't',
    () => {
      if (slowest === undefined) return
      const { traceId: trace, spanId: span } = slowest
      void navigate({ to: '/organizations/$org/traces/$trace', params: { org, trace }, search: { span } })
    },
    { label: 'Slowest trace', group: 'Transaction' },
  )
  const { transaction: _, op: __, query: searched, ...scope } = search
  const all = (): void =>
    void navigate({ to: PAGE, params: { org }, search: compactTransaction(ofAllRuns(search)), replace: true })
  return (
    <>
      <DetailHeader
        org={org}
        list={{
          label: 'Performance',
          page: linkOptions({
            to: '/organizations/$org/performance',
            params: { org },
            search: compactList({ ...scope, query: searched ?? '', sort: DEFAULT_SORT }),
          }),
        }}
        title={name}
        search={search}
        onScope={change}
        done="Show the transaction"
        actions={
          slowest === undefined ? (
            query.isPending ? (
              <Button variant="primary" kbd="t" disabled>
                Slowest trace
              </Button>
            ) : undefined
          ) : (
            <ButtonLink
              variant="primary"
              kbd="t"
              to="/organizations/$org/traces/$trace"
              params={{ org, trace: slowest.traceId }}
              search={{ span: slowest.spanId }}
            >
              Slowest trace
            </ButtonLink>
          )
        }
      >
        {search.op === undefined ? null : <Operation op={search.op} />}
      </DetailHeader>
      <PageBody className={isPlaceholderData ? styles.outdated : undefined}>
        {searched === undefined ? null : <OfSomeRuns query={searched} onAll={all} />}
        <Loaded
          query={query}
          failed="The transaction could not be loaded"
          outline={<SkeletonRows rows={14} label="Loading the transaction" />}
        >
          {(transaction) =>
            transaction.summary.count === 0 ? (
              <EmptyState
                icon={SearchIcon}
                title="Nothing of it in this time"
                action={<WiderPeriod search={search} onChange={change} />}
              >
                No {searched === undefined ? 'transaction' : 'run that matches'} of this name was received in these
                projects, environments and this time.
              </EmptyState>
            ) : (
              <Facts
                org={org}
                search={search}
                data={transaction}
                onRange={(from, to) => change(rangeBetween(from, to))}
              />
            )
          }
        </Loaded>
      </PageBody>
    </>
  )
}

/** What the page leaves out, and a way to all of it. */
function OfSomeRuns({ query, onAll }: { readonly query: string; readonly onAll: () => void }) {
  return (
    <Notice>
      Only of its runs that match{' '}
      <code>
        <VisibleText text={query} />
      </code>
      . Issues and profiles are those of all runs.{' '}
      <Button size="small" onClick={onAll}>
        Show all runs
      </Button>
    </Notice>
  )
}

function ofAllRuns(search: TransactionSearch): TransactionSearch {
  const { query: _, ...all } = search
  return all
}

function Operation({ op }: { readonly op: string }) {
  return (
    <span className={styles.op}>
      <KindGlyph kind={kindOf(op)} />
      <VisibleText text={op} />
    </span>
  )
}

function Facts({
  org,
  search,
  data,
  onRange,
}: {
  readonly org: string
  readonly search: TransactionSearch
  readonly data: Transaction
  readonly onRange: (fromMs: number, toMs: number) => void
}) {
  const marks = useReleaseMarks(org, search)
  return (
    <div className={styles.page}>
      <div className={styles.main}>
        <Tiles data={data} />
        <Chart data={data} endsNow={search.end === undefined} marks={marks} onRange={onRange} />
        <div className={styles.columns}>
          <Operations operations={data.operations} />
          <Slowest org={org} search={search} samples={data.slowest} />
        </div>
        <TransactionProfiles org={org} search={search} />
      </div>
      {search.transaction === '' ? null : <RelatedIssues org={org} search={search} />}
    </div>
  )
}

function Tiles({ data: { apdexThreshold, summary } }: { readonly data: Transaction }) {
  const estimate = sampledText(summary.samples, summary.samples / summary.count)
  const tiles: readonly (readonly [string, string, ReactNode])[] = [
    ['count', estimate === null ? 'throughput' : `throughput, ${estimate}`, formatThroughput(summary.perMinute)],
    ['failed', 'failed', formatShare(summary.failureRate)],
    ['p50', 'p50', formatSpent(summary.p50)],
    ['p75', 'p75', formatSpent(summary.p75)],
    ['p95', 'p95', formatSpent(summary.p95)],
    ['p99', 'p99', formatSpent(summary.p99)],
    ['apdex', `apdex, T ${formatSpent(apdexThreshold)}`, formatApdex(summary.apdex)],
    [
      'misery',
      `misery, of ${formatCount(summary.users)} ${summary.users === 1 ? 'user' : 'users'}`,
      <span key="misery" title={whyNoMisery(summary.userMisery, summary.users)}>
        {formatMisery(summary.userMisery, summary.users)}
      </span>,
    ],
    ['total', `of ${formatCount(summary.count)} together`, formatSpent(summary.total)],
  ]
  return (
    <dl className={styles.tiles} aria-label="In this time">
      {tiles.map(([key, label, value]) => (
        <div key={key} className={styles.tile}>
          <dd className={styles.value}>{value}</dd>
          <dt className={styles.label}>{label}</dt>
        </div>
      ))}
    </dl>
  )
}

type Shown = 'duration' | 'count' | 'failed'

function Chart({
  data: { interval, series },
  endsNow,
  marks,
  onRange,
}: {
  readonly data: Transaction
  readonly endsNow: boolean
  readonly marks: NonNullable<TimeSeriesProps['marks']>
  readonly onRange: (fromMs: number, toMs: number) => void
}) {
  const [shown, setShown] = useState<Shown>('duration')
  const lines: Readonly<Record<Shown, readonly TimeSeriesLine[]>> = {
    duration: [
      { label: 'p50', values: series.map((point) => point.p50), ...PERCENTILE_LOOKS.p50 },
      { label: 'p75', values: series.map((point) => point.p75), ...PERCENTILE_LOOKS.p75 },
      { label: 'p95', values: series.map((point) => point.p95), ...PERCENTILE_LOOKS.p95 },
      { label: 'p99', values: series.map((point) => point.p99), ...PERCENTILE_LOOKS.p99 },
    ],
    count: [{ label: 'transactions', values: series.map((point) => point.count) }],
    failed: [{ label: 'failed', values: series.map((point) => point.failed), tone: 'error' }],
  }
  const isDuration = shown === 'duration'
  const silent = silentSince(series, interval)
  const ending = silent === null ? '' : `; none after ${formatMoment('hour', silent * SECOND_MS)}`
  return (
    <Panel
      title={isDuration ? 'Duration' : shown === 'count' ? 'Throughput' : 'Failures'}
      subtitle={`${isDuration ? 'percentiles ' : ''}over ${formatStep(interval * SECOND_MS)}${ending}`}
      actions={
        <SegmentedControl
          aria-label="What the chart shows"
          value={shown}
          onValueChange={setShown}
          options={[
            { value: 'duration', label: 'Percentiles' },
            { value: 'count', label: 'Throughput' },
            { value: 'failed', label: 'Failures' },
          ]}
        />
      }
    >
      <TimeSeries
        key={shown}
        label={isDuration ? 'Percentiles of the duration over time' : `Transactions over time: ${shown}`}
        form={isDuration ? 'lines' : 'bars'}
        unit={isDuration ? 'duration' : 'transactions'}
        hideTotal={isDuration}
        endLabels={isDuration}
        endsNow={endsNow}
        times={series.map((point) => point.at * SECOND_MS)}
        bucketMs={interval * SECOND_MS}
        marks={marks}
        series={lines[shown]}
        {...(isDuration && { formatValue: formatSpent })}
        onRangeSelect={onRange}
        height={200}
      />
    </Panel>
  )
}

function Operations({ operations }: { readonly operations: Transaction['operations'] }) {
  const most = Math.max(1e-9, ...operations.map((operation) => operation.total))
  return (
    <Panel title="Where the time goes" subtitle="by operation, sum of all" content="rows">
      {operations.length === 0 ? (
        <EmptyState compact title="It has no spans of its own" />
      ) : (
        <Table caption="Operations" stacksBelow={440}>
          <Thead>
            <Th>Operation</Th>
            <Th numeric>Spans</Th>
            <Th numeric>Failed</Th>
            <Th numeric>p95</Th>
            <Th numeric>Total</Th>
            <Th>
              <span className={styles.spoken}>Share</span>
            </Th>
          </Thead>
          <Tbody>
            {operations.map((operation) => {
              const kind = kindOf(operation.op)
              return (
                <Tr key={operation.op}>
                  <Td className={styles.operation}>
                    <KindGlyph kind={kind} />
                    <span>
                      <VisibleText text={operation.op || '(none)'} />
                    </span>
                  </Td>
                  <Td numeric>
                    <Num value={operation.count} compact />
                    <span className={styles.unit}> spans</span>
                  </Td>
                  <Td numeric>
                    {formatCount(operation.failed)}
                    <span className={styles.unit}> failed</span>
                  </Td>
                  <Td numeric>
                    <span className={styles.unit}>p95 </span>
                    {formatSpent(operation.p95)}
                  </Td>
                  <Td numeric>{formatSpent(operation.total)}</Td>
                  <Td className={styles.share}>
                    <span
                      className={styles.bar}
                      data-kind={kind}
                      style={{ width: `${Math.max(1, (operation.total / most) * 100)}%` }}
                    />
                  </Td>
                </Tr>
              )
            })}
          </Tbody>
        </Table>
      )}
    </Panel>
  )
}

function Slowest({
  org,
  search,
  samples,
}: {
  readonly org: string
  readonly search: TransactionSearch
  readonly samples: Transaction['slowest']
}) {
  return (
    <Panel
      title="Slowest samples"
      subtitle="each opens its trace"
      content="rows"
      actions={<ExportMenu things="samples" addressOf={runsFile(org, search)} />}
    >
      <Table caption="Slowest samples" stacksBelow={560} className={styles.samples}>
        <Thead>
          <Th>Trace</Th>
          <Th numeric>Took</Th>
          <Th>Status</Th>
          <Th>User</Th>
          <Th>Release</Th>
          <Th numeric>When</Th>
        </Thead>
        <Tbody>
          {samples.map((sample) => (
            <Tr key={`${sample.traceId} ${sample.spanId}`} className={styles.row}>
              <Td mono className={styles.first}>
                <TraceLink org={org} trace={sample.traceId} span={sample.spanId} />
              </Td>
              <Td numeric className={styles.first}>
                <strong className={styles.took}>{formatSpent(sample.duration)}</strong>
              </Td>
              <Td className={styles.cut} quiet>
                <VisibleText text={sample.status.replaceAll('_', ' ') || '–'} />
              </Td>
              <Td className={styles.cut} title={sample.user}>
                <VisibleText text={sample.user || '–'} />
              </Td>
              <Td className={styles.cut} quiet>
                <VisibleText text={sample.release || '–'} />
              </Td>
              <Td numeric quiet className={styles.when}>
                <RelativeTime time={sample.timestamp} form="age" />
              </Td>
            </Tr>
          ))}
        </Tbody>
      </Table>
    </Panel>
  )
}

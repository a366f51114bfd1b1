import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { cx } from '../../../lib/cx.ts'
import { formatCount } from '../../../lib/format.ts'
import { useProjectNames } from '../../../lib/shared-queries.ts'
import { formatSpent } from '../../../lib/spent-time.ts'
import {
  Link,
  Num,
  RelativeTime,
  Table,
  Tbody,
  Td,
  Th,
  Thead,
  Tr,
  useRowKeys,
  useShortcut,
  VisibleText,
} from '../../../ui/index.ts'
import { type FoundTrace, servicesOf, stretchesOf } from '../model/breakdown.ts'
import type { TracesSearch } from '../model/traces-url.ts'
import { traceErrorsQuery } from '../queries.ts'
import styles from './FoundTraces.module.css'

const STACKS_BELOW = 860

/** A row for each trace, which leads to its waterfall: to the first of its spans that matches. */
export function FoundTraces({
  org,
  search,
  traces,
  isOutdated,
}: {
  readonly org: string
  readonly search: TracesSearch
  readonly traces: readonly FoundTrace[]
  readonly isOutdated: boolean
}) {
  const navigate = useNavigate()
  const { data: errors } = useQuery(
    traceErrorsQuery(
      org,
      search,
      traces.map(({ trace }) => trace),
    ),
  )
  const open = (index: number): void => {
    const found = traces[index]
    if (found === undefined) return
    void navigate({
      to: '/organizations/$org/traces/$trace',
      params: { org, trace: found.trace },
      search: spanOf(found, search),
    })
  }
  const group = 'Traces'
  const { current, body, rowProps } = useRowKeys({ group, thing: 'trace', count: traces.length, open })
  useShortcut('t', () => current !== null && open(current), { label: 'Open the trace', group })
  const projects = useProjectNames(org)
  const longest = Math.max(...traces.map(({ duration }) => duration))
  return (
    <Table
      caption="Traces"
      stacksBelow={STACKS_BELOW}
      minWidth={STACKS_BELOW}
      className={cx(isOutdated && styles.outdated)}
    >
      <Thead>
        <Th>Trace</Th>
        <Th>Projects</Th>
        <Th numeric>Took</Th>
        <Th title="Which project was busy when; as wide as the trace took, beside the longest of the list">Where</Th>
        <Th numeric>Spans</Th>
        <Th numeric>Errors</Th>
        <Th numeric>Began</Th>
      </Thead>
      <Tbody ref={body}>
        {traces.map((trace, index) => (
          <TraceRow
            key={trace.trace}
            org={org}
            search={search}
            trace={trace}
            projects={projects}
            longest={longest}
            errors={errors?.get(trace.trace) ?? 0}
            {...rowProps(index)}
          />
        ))}
      </Tbody>
    </Table>
  )
}

/** With a search, the span that was found is selected in the waterfall. */
function spanOf({ spans }: FoundTrace, { query }: TracesSearch): { readonly span?: string } {
  const id = spans[0]?.['id']
  return typeof id === 'string' && query.some((one) => one !== '') ? { span: id } : {}
}

function TraceRow({
  org,
  search,
  trace,
  projects,
  longest,
  errors,
  selected,
  onPointerDown,
}: {
  readonly org: string
  readonly search: TracesSearch
  readonly trace: FoundTrace
  readonly projects: ReadonlyMap<string, string>
  /** How long the longest of the list took, in milliseconds. */
  readonly longest: number
  readonly errors: number
  readonly selected: boolean
  readonly onPointerDown: () => void
}) {
  const services = servicesOf(trace).map((slug) => projects.get(slug) ?? slug)
  return (
    <Tr className={styles.row} selected={selected} onPointerDown={onPointerDown}>
      <Td className={styles.name}>
        <Link
          look="plain"
          className={styles.link}
          to="/organizations/$org/traces/$trace"
          params={{ org, trace: trace.trace }}
          search={spanOf(trace, search)}
        >
          <span className={cx(styles.words, trace.name === null && styles.missing)}>
            <VisibleText text={trace.name ?? 'Its root is missing'} />
          </span>
          <span className={styles.id}>{trace.trace.slice(0, 8)}</span>
        </Link>
      </Td>
      <Td className={styles.services} quiet title={services.join(', ')}>
        <VisibleText text={services.join(' → ')} />
      </Td>
      <Td numeric>
        <strong className={styles.took}>{formatSpent(trace.duration)}</strong>
      </Td>
      <Td className={styles.where}>
        <Breakdown trace={trace} projects={projects} longest={longest} />
      </Td>
      <Td numeric>
        <Num value={trace.numSpans} compact />
        <span className={styles.unit}> {trace.numSpans === 1 ? 'span' : 'spans'}</span>
        {trace.matchingSpans < trace.numSpans && search.query.some((one) => one !== '') ? (
          <span className={styles.matching}> {formatCount(trace.matchingSpans)} match</span>
        ) : null}
      </Td>
      <Td numeric className={errors > 0 ? styles.bad : undefined}>
        {errors === 0 ? <span className={styles.none}>–</span> : formatCount(errors)}
        <span className={styles.unit}>
          {errors === 0 ? 'no' : ''} {errors === 1 ? 'error' : 'errors'}
        </span>
      </Td>
      <Td numeric quiet>
        <RelativeTime time={new Date(trace.start).toISOString()} form="ago" />
      </Td>
    </Tr>
  )
}

/** When which service was busy; hatched where nothing was recorded. */
function Breakdown({
  trace,
  projects,
  longest,
}: {
  readonly trace: FoundTrace
  readonly projects: ReadonlyMap<string, string>
  readonly longest: number
}) {
  const stretches = stretchesOf(trace)
  const spokenOf = (slug: string | null) => (slug === null ? 'nothing recorded' : (projects.get(slug) ?? slug))
  const spoken = stretches
    .map(({ service, durationMs }) => `${spokenOf(service)} ${formatSpent(durationMs)}`)
    .join(', ')
  return (
    <span
      className={styles.breakdown}
      role="img"
      aria-label={spoken}
      title={spoken}
      style={{ width: `${longest <= 0 ? 100 : (trace.duration / longest) * 100}%` }}
    >
      {stretches.map(({ service, from, width, place }) => (
        <span
          key={`${service ?? ''} ${from}`}
          className={styles.stretch}
          data-missing={service === null ? '' : undefined}
          data-shade={Math.max(0, place) % 3}
          style={{ left: `${from * 100}%`, width: `${width * 100}%` }}
        />
      ))}
    </span>
  )
}

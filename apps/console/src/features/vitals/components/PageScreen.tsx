import { useQueries, useQuery } from '@tanstack/react-query'
import { linkOptions, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { describeError } from '../../../lib/api.ts'
import { formatStep } from '../../../lib/format.ts'
import { usePageTitle } from '../../../lib/page-title.ts'
import { PERCENTILE_LOOKS } from '../../../lib/percentile-looks.ts'
import { sharedFailure } from '../../../lib/shared-failure.ts'
import {
  Button,
  ButtonLink,
  EmptyState,
  ErrorState,
  GaugeIcon,
  Loaded,
  PageBody,
  Panel,
  TimeSeries,
  TimeSeriesSkeleton,
  useShortcut,
} from '../../../ui/index.ts'
import { WiderPeriod } from '../../issues/index.ts'
import { rangeBetween } from '../../issues/model/index.ts'
import { DetailHeader } from '../../performance/frame/index.ts'
import { useReleaseMarks } from '../../releases/links/index.ts'
import { pageFromUrl } from '../model/shown.ts'
import { FACTS, formatVital } from '../model/vitals.ts'
import { compactPage, compactVitals, DEFAULT_SORT, type PageSearch, VITALS } from '../model/vitals-url.ts'
import { overTimeQuery, pageCardQuery, percentilesOf, samplesQuery } from '../queries.ts'
import { DimensionPanel } from './DimensionPanel.tsx'
import { SamplesPanel } from './SamplesPanel.tsx'
import { VitalCards } from './VitalCards.tsx'
import styles from './PageScreen.module.css'

export type ChangePage = (change: Partial<PageSearch>) => void

const FROM = '/signed-in/organizations/$org/performance/vitals/page'

/** One page: its vitals, one of them over time and by who loaded it, and the worst samples with what is to blame. */
export function PageScreen() {
  const { org } = useParams({ from: FROM })
  const search = pageFromUrl(useSearch({ from: FROM }))
  const navigate = useNavigate()
  const name = search.page || '(no name)'
  usePageTitle(`Web vitals of ${name}`)
  const change: ChangePage = (part) => {
    void navigate({
      to: '/organizations/$org/performance/vitals/page',
      params: { org },
      search: compactPage({ ...search, ...part }),
      replace: true,
    })
  }
  const failure = sharedFailure([useQuery(overTimeQuery(org, search)), useQuery(samplesQuery(org, search))])
  const { page: _, vital: __, by: ___, ...scope } = search
  return (
    <>
      <DetailHeader
        org={org}
        list={{
          label: 'Web vitals',
          page: linkOptions({
            to: '/organizations/$org/performance/vitals',
            params: { org },
            search: compactVitals({ ...scope, query: '', sort: DEFAULT_SORT }),
          }),
        }}
        title={name}
        search={search}
        onScope={change}
        done="Show the page"
        actions={<WorstTrace org={org} search={search} />}
      />
      <PageBody>
        {failure === null ? (
          <Facts org={org} search={search} onChange={change} />
        ) : (
          <ErrorState title="The page could not be loaded" {...describeError(failure.error)} onRetry={failure.retry} />
        )}
      </PageBody>
    </>
  )
}

interface Props {
  readonly org: string
  readonly search: PageSearch
  readonly onChange: ChangePage
}

function Facts({ org, search, onChange }: Props) {
  const cards = useQueries({ queries: VITALS.map((vital) => pageCardQuery(org, search, vital)) })
  if (cards.every(({ data }) => data?.p75 === null))
    return <NotMeasured org={org} search={search} onChange={onChange} />
  return (
    <>
      <VitalCards
        queryOf={(vital) => pageCardQuery(org, search, vital)}
        chosen={{ vital: search.vital, onChoose: (vital) => onChange({ vital }) }}
      />
      <OverTime org={org} search={search} onChange={onChange} />
      <div className={styles.columns}>
        <DimensionPanel org={org} search={search} onChange={onChange} />
        <SamplesPanel org={org} search={search} />
      </div>
    </>
  )
}

/** One sentence in place of five: nobody loaded the page in this time, or there is none of this name. */
function NotMeasured({ org, search, onChange }: Props) {
  const { page: _, vital: __, by: ___, ...scope } = search
  return (
    <EmptyState
      icon={GaugeIcon}
      title="No web vitals of this page"
      action={
        <>
          <WiderPeriod search={search} onChange={onChange} />
          <ButtonLink
            to="/organizations/$org/performance/vitals"
            params={{ org }}
            search={compactVitals({ ...scope, query: '', sort: DEFAULT_SORT })}
          >
            All pages
          </ButtonLink>
        </>
      }
    >
      {search.environment.length > 0
        ? 'None was measured in this time and environment, or no page is called so.'
        : 'None was measured in this time, or no page is called so.'}
    </EmptyState>
  )
}

function WorstTrace({ org, search }: { readonly org: string; readonly search: PageSearch }) {
  const navigate = useNavigate()
  const { data, isPending } = useQuery(samplesQuery(org, search))
  const worst = data?.[0]
  useShortcut(
    't',
    () => {
      if (worst === undefined) return
      const { trace, id: span } = worst
      void navigate({ to: '/organizations/$org/traces/$trace', params: { org, trace }, search: { span } })
    },
    { label: 'Worst trace', group: 'Web vitals' },
  )
  if (worst === undefined)
    return isPending ? (
      // In the place of what it becomes: on a phone it has a line of its own.
      <Button variant="primary" kbd="t" disabled>
        Worst trace
      </Button>
    ) : null
  return (
    <ButtonLink
      variant="primary"
      kbd="t"
      to="/organizations/$org/traces/$trace"
      params={{ org, trace: worst.trace }}
      search={{ span: worst.id }}
    >
      Worst trace
    </ButtonLink>
  )
}

const CHART_HEIGHT = 180

function OverTime({ org, search, onChange }: Props) {
  const query = useQuery(overTimeQuery(org, search))
  const marks = useReleaseMarks(org, search)
  const { data, isPlaceholderData } = query
  const { label } = FACTS[search.vital]
  return (
    <Panel
      className={isPlaceholderData ? styles.outdated : undefined}
      title={`${label} over time`}
      subtitle={data === undefined || data.bucketMs === 0 ? undefined : `percentiles over ${formatStep(data.bucketMs)}`}
    >
      <Loaded
        query={query}
        compact
        failed="The chart could not be loaded"
        outline={<TimeSeriesSkeleton height={CHART_HEIGHT} />}
      >
        {({ times, bucketMs, incompleteFromMs, lines }) => (
          <TimeSeries
            key={search.vital}
            label={`Percentiles of ${label} over time`}
            form="lines"
            unit={label}
            hideTotal
            endLabels
            endsNow={search.end === undefined}
            times={times}
            bucketMs={bucketMs}
            marks={marks}
            incompleteFromMs={incompleteFromMs}
            series={percentilesOf(search.vital).map(({ label: percentile, axis }) => ({
              label: percentile,
              values: lines[0]?.values.get(axis) ?? [],
              ...PERCENTILE_LOOKS[percentile],
            }))}
            formatValue={(value) => formatVital(search.vital, value)}
            onRangeSelect={(from, to) => onChange(rangeBetween(from, to))}
            height={CHART_HEIGHT}
          />
        )}
      </Loaded>
    </Panel>
  )
}

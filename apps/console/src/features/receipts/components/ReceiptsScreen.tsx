import type { ProjectSummary, Receipt } from '@firsthand/contract'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { usePageTitle } from '../../../lib/page-title.ts'
import { projectsQuery } from '../../../lib/shared-queries.ts'
import { LoadFailed } from '../../../shell/load-failed.tsx'
import {
  Button,
  ButtonLink,
  EmptyState,
  Notice,
  PageBody,
  PageHeader,
  Panel,
  ReceiptIcon,
  SearchIcon,
  Select,
  TimeSeries,
} from '../../../ui/index.ts'
import { chartOf, drawnRows, matches, OUTCOME_LABELS, sumByOutcome, valuesOf } from '../model/receipts.ts'
import { DEFAULT_PERIOD, PERIODS, type ReceiptsSearch } from '../model/search.ts'
import { receiptsQuery } from '../queries.ts'
import { Backfills } from './Backfills.tsx'
import { OutcomeTiles } from './OutcomeTiles.tsx'
import { ReceiptsOutline } from './ReceiptsOutline.tsx'
import { ReceiptsTable } from './ReceiptsTable.tsx'

type Change = (part: Partial<Record<keyof ReceiptsSearch, string | undefined>>) => void

const ALL = 'all'
/** A select cannot hold '' apart from "nothing chosen". */
const UNNAMED_SDK = '(unknown)'

/** "I sent it; where is it?": what became of everything that was sent. */
export function ReceiptsScreen() {
  const { org } = useParams({ from: '/signed-in/organizations/$org/receipts' })
  const search = useSearch({ from: '/signed-in/organizations/$org/receipts' })
  const navigate = useNavigate()
  const { data: projects = [] } = useQuery(projectsQuery(org))
  const receipts = useQuery(receiptsQuery(org, search))
  usePageTitle('Receipts')

  const change: Change = (part) => {
    void navigate({
      to: '/organizations/$org/receipts',
      params: { org },
      search: Object.fromEntries(
        Object.entries({ ...search, ...part }).filter(([, value]) => value !== undefined),
      ) as ReceiptsSearch,
      replace: true,
    })
  }

  const data = receipts.data
  const shown = useMemo(() => {
    if (data === undefined) return undefined
    const { outcome: _, ...others } = search
    const totals = data.totals.filter((row) => matches(row, search))
    return {
      totals,
      byOutcome: sumByOutcome(data.totals.filter((row) => matches(row, others))),
      chart: chartOf(
        drawnRows(data.rows.filter((row) => matches(row, search))),
        Date.parse(data.start),
        Date.parse(data.end),
        data.intervalSeconds * 1000,
      ),
    }
  }, [data, search])

  const period = search.statsPeriod ?? DEFAULT_PERIOD

  return (
    <>
      <PageHeader title="Receipts">
        <Filters projects={projects} totals={data?.totals ?? []} search={search} onChange={change} />
      </PageHeader>
      <PageBody>
        <Backfills org={org} project={search.project} />
        {shown === undefined || data === undefined ? (
          receipts.isError ? (
            <LoadFailed
              title="The receipts could not be loaded"
              error={receipts.error}
              onRetry={() => void receipts.refetch()}
            />
          ) : (
            <ReceiptsOutline />
          )
        ) : data.totals.length === 0 ? (
          <NothingReceived org={org} period={period} onWiden={() => change({ statsPeriod: '90d' })} />
        ) : (
          <>
            <OutcomeTiles
              sums={shown.byOutcome}
              chosen={search.outcome}
              onChoose={(outcome) => change({ outcome: outcome === search.outcome ? undefined : outcome })}
            />
            {shown.totals.length === 0 ? (
              <EmptyState
                icon={SearchIcon}
                title="No receipt matches these filters"
                action={
                  <Button onClick={() => change({ outcome: undefined, itemType: undefined, sdk: undefined })}>
                    Clear the filters
                  </Button>
                }
              >
                There are others in this period.
              </EmptyState>
            ) : (
              <>
                <Chart chart={shown.chart} bucketMs={data.intervalSeconds * 1000} />
                {data.truncated ? (
                  <Notice>
                    The chart leaves out the rarest rows of this long period; the table counts everything. Choose a
                    shorter time or one project for the whole chart.
                  </Notice>
                ) : null}
                <ReceiptsTable
                  org={org}
                  rows={shown.totals}
                  projects={projects}
                  oneProject={search.project !== undefined}
                />
              </>
            )}
          </>
        )}
      </PageBody>
    </>
  )
}

const labelOf = (period: string): string => PERIODS.find((option) => option.value === period)?.label ?? `Last ${period}`

function Filters({
  projects,
  totals,
  search,
  onChange,
}: {
  readonly projects: readonly ProjectSummary[]
  readonly totals: readonly Pick<Receipt, 'itemType' | 'sdk'>[]
  readonly search: ReceiptsSearch
  readonly onChange: Change
}) {
  const period = search.statsPeriod ?? DEFAULT_PERIOD
  const itemTypes = valuesOf(totals, 'itemType')
  const sdks = valuesOf(totals, 'sdk')
  return (
    <>
      <Select
        look="bar"
        aria-label="Project"
        value={search.project ?? ALL}
        onValueChange={(value) => onChange({ project: value === ALL ? undefined : value })}
        options={[
          { value: ALL, label: 'All projects' },
          ...projects.map((project) => ({ value: project.id, label: project.name })),
        ]}
      />
      <Select
        look="bar"
        aria-label="Time"
        value={period}
        onValueChange={(value) => onChange({ statsPeriod: value === DEFAULT_PERIOD ? undefined : value })}
        options={
          PERIODS.some((option) => option.value === period)
            ? PERIODS
            : [...PERIODS, { value: period, label: labelOf(period) }]
        }
      />
      <Select
        look="bar"
        aria-label="Item type"
        value={search.itemType ?? ALL}
        onValueChange={(value) => onChange({ itemType: value === ALL ? undefined : value })}
        options={withChosen(
          [{ value: ALL, label: 'All item types' }, ...itemTypes.map((type) => ({ value: type, label: type }))],
          search.itemType,
        )}
      />
      <Select
        look="bar"
        aria-label="SDK"
        value={search.sdk === undefined ? ALL : search.sdk || UNNAMED_SDK}
        onValueChange={(value) => onChange({ sdk: value === ALL ? undefined : value === UNNAMED_SDK ? '' : value })}
        options={withChosen(
          [
            { value: ALL, label: 'All SDKs' },
            ...sdks.map((sdk) => ({ value: sdk || UNNAMED_SDK, label: sdk || UNNAMED_SDK })),
          ],
          search.sdk === undefined ? undefined : search.sdk || UNNAMED_SDK,
        )}
      />
    </>
  )
}

function NothingReceived({
  org,
  period,
  onWiden,
}: {
  readonly org: string
  readonly period: string
  /** Shows the longest period. */
  readonly onWiden: () => void
}) {
  return (
    <EmptyState
      icon={ReceiptIcon}
      title={`Nothing was received: ${labelOf(period).toLowerCase()}`}
      action={
        period === '90d' ? (
          <ButtonLink to="/organizations/$org/settings/projects" params={{ org }}>
            Check the DSN of a project
          </ButtonLink>
        ) : (
          <Button onClick={onWiden}>Show 90 days</Button>
        )
      }
    >
      Every item that reaches this server gets a receipt, even when it is refused. None here means that nothing arrived:
      check the DSN, and that the application can reach this address.
    </EmptyState>
  )
}

function Chart({ chart, bucketMs }: { readonly chart: ReturnType<typeof chartOf>; readonly bucketMs: number }) {
  return (
    <Panel>
      <TimeSeries
        label="Items by outcome over time"
        unit="items"
        endsNow
        times={chart.times}
        bucketMs={bucketMs}
        series={chart.series.map(({ outcome, values }) => ({
          label: OUTCOME_LABELS[outcome].label,
          tone: OUTCOME_LABELS[outcome].tone,
          values,
        }))}
      />
    </Panel>
  )
}

/** A value from a link stays selectable even when nothing of it arrived in this period. */
function withChosen<Option extends { readonly value: string; readonly label: string }>(
  options: readonly Option[],
  chosen: string | undefined,
): readonly { readonly value: string; readonly label: string }[] {
  return chosen === undefined || options.some((option) => option.value === chosen)
    ? options
    : [...options, { value: chosen, label: chosen }]
}

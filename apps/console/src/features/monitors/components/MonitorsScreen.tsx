import type { Monitor, MonitorEnvironment, TimelineCell } from '@firsthand/contract'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useRef, useState } from 'react'

import { useNow } from '../../../lib/now.ts'
import { usePageTitle } from '../../../lib/page-title.ts'
import { useAccess } from '../../../lib/shared-queries.ts'
import {
  Button,
  ButtonLink,
  EmptyState,
  Input,
  Kbd,
  Loaded,
  PageHeader,
  PlusIcon,
  SearchIcon,
  Select,
  ShowMore,
  SkeletonRows,
  useShortcut,
} from '../../../ui/index.ts'
import { ProjectsFilter } from '../../projects/index.ts'
import { compactMonitors, fromMonitorsUrl, type MonitorsSearch } from '../model/monitors-search.ts'
import { standingOf } from '../model/words.ts'
import { monitorListQuery, timelinesQuery } from '../queries.ts'
import { UptimeSection } from '../uptime/UptimeSection.tsx'
import { Legend, Summary } from './Summary.tsx'
import { MonitorRow } from './MonitorRow.tsx'
import { NoMonitors } from './NoMonitors.tsx'
import styles from './MonitorsScreen.module.css'

const FROM = '/signed-in/organizations/$org/monitors'

/** A monitor in one of its environments; null before its first check-in. */
export interface Entry {
  readonly key: string
  readonly monitor: Monitor
  readonly environment: MonitorEnvironment | null
}

/** What runs on a schedule. What needs somebody is on top and open; the rest is quiet. */
export function MonitorsScreen() {
  usePageTitle('Monitors')
  const { org } = useParams({ from: FROM })
  const search = fromMonitorsUrl(useSearch({ from: FROM }))
  const navigate = useNavigate()
  const access = useAccess(org)
  const change = (part: Partial<MonitorsSearch>): void => {
    void navigate({
      to: '/organizations/$org/monitors',
      params: { org },
      search: compactMonitors({ ...search, ...part }),
      replace: true,
    })
  }
  useShortcut('c', () => void navigate({ to: '/organizations/$org/monitors/new', params: { org } }), {
    label: 'New monitor',
    group: 'Monitors',
  })
  return (
    <>
      <PageHeader
        title="Monitors"
        actions={
          <>
            <ButtonLink to="/organizations/$org/monitors/status-page" params={{ org }}>
              Status page
            </ButtonLink>
            {access('event:write') ? (
              <ButtonLink
                variant="primary"
                icon={PlusIcon}
                kbd="c"
                to="/organizations/$org/monitors/new"
                params={{ org }}
              >
                New monitor
              </ButtonLink>
            ) : null}
          </>
        }
      >
        <ProjectsFilter org={org} values={search.project} onChange={(project) => change({ project })} />
        <Select
          look="bar"
          aria-label="Time"
          value={search.hours}
          options={[
            { value: '24', label: 'Last 24 hours' },
            { value: '168', label: 'Last 7 days' },
            { value: '720', label: 'Last 30 days' },
          ]}
          onValueChange={(hours) => change({ hours })}
        />
        <NameSearch value={search.query} onSearch={(query) => change({ query })} />
      </PageHeader>
      <List key={org} org={org} search={search} onClear={() => change({ query: '', project: [] })} />
      <UptimeSection org={org} search={search} />
    </>
  )
}

function NameSearch({ value, onSearch }: { readonly value: string; readonly onSearch: (query: string) => void }) {
  const input = useRef<HTMLInputElement>(null)
  useShortcut('/', () => input.current?.focus(), { label: 'Search', group: 'Monitors' })
  return (
    <Input
      ref={input}
      className={styles.search ?? ''}
      icon={SearchIcon}
      aria-label="Search monitors"
      placeholder="Name or slug"
      value={value}
      onValueChange={onSearch}
      trailing={<Kbd keys="/" />}
      onKeyDown={(event) => {
        if (event.key === 'Escape') input.current?.blur()
      }}
    />
  )
}

function List({
  org,
  search,
  onClear,
}: {
  readonly org: string
  readonly search: MonitorsSearch
  readonly onClear: () => void
}) {
  const list = useInfiniteQuery(monitorListQuery(org, search))
  const monitors = list.data?.pages.flatMap(({ data }) => data)
  return (
    <Loaded
      query={{ ...list, data: monitors }}
      outline={<SkeletonRows rows={10} label="Loading the monitors" />}
      failed="The monitors could not be loaded"
    >
      {(all) => {
        if (all.length > 0) {
          return (
            <>
              <Monitors org={org} search={search} monitors={all} />
              <ShowMore query={list} />
            </>
          )
        }
        if (search.query === '' && search.project.length === 0) return <NoMonitors org={org} />
        return (
          <EmptyState
            icon={SearchIcon}
            title="No monitor matches"
            action={<Button onClick={onClear}>Clear filters</Button>}
          >
            A search finds a part of a name or slug.
          </EmptyState>
        )
      }}
    </Loaded>
  )
}

function Monitors({
  monitors,
  org,
  search,
}: {
  readonly org: string
  readonly search: MonitorsSearch
  readonly monitors: readonly Monitor[]
}) {
  const { data: timelines } = useQuery(
    timelinesQuery(
      org,
      monitors.map(({ id }) => id),
      search.hours,
    ),
  )
  const now = useNow(1000)
  // What needs somebody is open, until somebody closes it; the rest opens when it is asked for.
  const [turned, setTurned] = useState<ReadonlySet<string>>(new Set())
  const entries = monitors.flatMap(entriesOf)
  const failing = entries.filter(needsSomebody)
  const others = entries.filter((entry) => !needsSomebody(entry))
  const cellsOf = ({ environment, monitor }: Entry): readonly TimelineCell[] | null =>
    timelines === undefined
      ? null
      : (timelines.lines.find((line) => line.monitor === monitor.id && line.environment === environment?.name)?.cells ??
        [])
  const draw = (entry: Entry) => (
    <MonitorRow
      key={entry.key}
      org={org}
      entry={entry}
      cells={cellsOf(entry)}
      now={now}
      isOpen={needsSomebody(entry) !== turned.has(entry.key)}
      onTurn={() => setTurned((before) => toggled(before, entry.key))}
    />
  )
  return (
    <div className={styles.list}>
      <div className={styles.summary}>
        <Summary entries={entries} failing={failing.length} now={now} />
        <Legend />
      </div>
      <div className={styles.head} aria-hidden="true">
        <span>Monitor</span>
        <Axis hours={Number(search.hours)} />
        <span className={styles.right}>Next due</span>
        <span className={styles.right}>Typical</span>
        <span>Alert</span>
      </div>
      {failing.length === 0 ? null : (
        <section aria-label="Needs you">
          <h2 className={styles.section}>
            Needs you <span>{failing.length}</span>
          </h2>
          <ul className={styles.rows}>{failing.map(draw)}</ul>
        </section>
      )}
      {others.length === 0 ? null : (
        <section aria-label="Check-ins">
          <h2 className={styles.section}>
            Check-ins <span>{others.length}, told by the jobs themselves</span>
          </h2>
          <ul className={styles.rows}>{others.map(draw)}</ul>
        </section>
      )}
    </div>
  )
}

const entriesOf = (monitor: Monitor): Entry[] =>
  monitor.environments.length === 0
    ? [{ key: monitor.id, monitor, environment: null }]
    : monitor.environments.map((environment) => ({ key: `${monitor.id} ${environment.name}`, monitor, environment }))

const needsSomebody = ({ environment, monitor }: Entry): boolean => standingOf(monitor, environment) === 'failing'

function toggled(before: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const after = new Set(before)
  if (!after.delete(key)) after.add(key)
  return after
}

const HOUR_MS = 3_600_000
const MARKS = 5

function Axis({ hours }: { readonly hours: number }) {
  const now = useNow(60_000)
  const format = new Intl.DateTimeFormat(
    'en-GB',
    hours <= 24 ? { hour: '2-digit', minute: '2-digit' } : { weekday: 'short', day: 'numeric', month: 'short' },
  )
  return (
    <span className={styles.axis}>
      {Array.from({ length: MARKS }, (_, index) => (
        <span key={index}>{format.format(now - hours * HOUR_MS * (1 - index / MARKS))}</span>
      ))}
      <span>now</span>
    </span>
  )
}

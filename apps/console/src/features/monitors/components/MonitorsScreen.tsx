import type { Monitor, TimelineCell } from '@firsthand/contract'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { type ReactNode, useRef, useState } from 'react'

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
import { type Entry, entriesOf } from '../model/entry.ts'
import { compactMonitors, fromMonitorsUrl, type MonitorsSearch } from '../model/monitors-search.ts'
import { standingCounts } from '../model/standing-counts.ts'
import { standingOf } from '../model/words.ts'
import { monitorListQuery, timelinesQuery } from '../queries.ts'
import { UptimeRow } from '../uptime/UptimeRow.tsx'
import { UptimeSection, useUptimeChecks } from '../uptime/UptimeSection.tsx'
import { isDown } from '../uptime/words.ts'
import { Axis } from './Axis.tsx'
import { Legend, Summary } from './Summary.tsx'
import { MonitorRow } from './MonitorRow.tsx'
import { NoMonitors } from './NoMonitors.tsx'
import { useRowFocus } from './row-focus.ts'
import styles from './MonitorsScreen.module.css'

const FROM = '/signed-in/organizations/$org/monitors'

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
  useShortcut('n', () => void navigate({ to: '/organizations/$org/monitors/new', params: { org } }), {
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
                kbd="n"
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
      <Board key={org} org={org} search={search} onClear={() => change({ query: '', project: [] })} />
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

/** Jobs and addresses as one: what needs somebody first, whichever it is. */
function Board({
  org,
  search,
  onClear,
}: {
  readonly org: string
  readonly search: MonitorsSearch
  readonly onClear: () => void
}) {
  const list = useInfiniteQuery(monitorListQuery(org, search))
  const uptime = useUptimeChecks(org, search)
  const monitors = list.data?.pages.flatMap(({ data }) => data)
  const cellsOf = useMonitorCells(org, monitors ?? [], search)
  const now = useNow(1000)
  const box = useRef<HTMLDivElement>(null)
  useRowFocus(box)
  // What needs somebody is open, until somebody closes it; the rest opens when it is asked for.
  const [turned, setTurned] = useState<ReadonlySet<string>>(new Set())
  const entries = (monitors ?? []).flatMap(entriesOf)
  const checks = uptime.query.data ?? []
  const failing = entries.filter(needsSomebody)
  const down = checks.filter(isDown)
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
    <div ref={box} className={styles.list}>
      {entries.length + checks.length === 0 ? null : (
        <>
          <div className={styles.summary}>
            <Summary counts={standingCounts(entries, checks)} entries={entries} now={now} />
            <Legend />
          </div>
          <div className={styles.head} aria-hidden="true">
            <span>Monitor</span>
            <Axis hours={search.hours} />
            <span className={styles.right}>Next due</span>
            <span className={styles.right}>Typical</span>
            <span>Alert</span>
          </div>
        </>
      )}
      {failing.length + down.length === 0 ? null : (
        <section aria-label="Needs you">
          <h2 className={styles.section}>
            Needs you <span>{failing.length + down.length}</span>
          </h2>
          <ul className={styles.rows}>
            {failing.map(draw)}
            {down.map((check) => (
              <UptimeRow key={check.id} org={org} check={check} cells={uptime.cellsOf(check)} now={now} />
            ))}
          </ul>
        </section>
      )}
      <Loaded
        query={{ ...list, data: monitors }}
        outline={<SkeletonRows rows={10} label="Loading the monitors" />}
        failed="The monitors could not be loaded"
      >
        {(all) =>
          all.length === 0 ? (
            <NoneShown org={org} search={search} onClear={onClear} />
          ) : (
            <>
              <CheckIns entries={entries.filter((entry) => !needsSomebody(entry))} draw={draw} />
              <ShowMore query={list} />
            </>
          )
        }
      </Loaded>
      <UptimeSection org={org} search={search} uptime={uptime} now={now} />
    </div>
  )
}

function NoneShown({
  org,
  search,
  onClear,
}: {
  readonly org: string
  readonly search: MonitorsSearch
  readonly onClear: () => void
}) {
  if (search.query === '' && search.project.length === 0) return <NoMonitors org={org} />
  return (
    <EmptyState icon={SearchIcon} title="No monitor matches" action={<Button onClick={onClear}>Clear filters</Button>}>
      A search finds a part of a name or slug.
    </EmptyState>
  )
}

function CheckIns({
  draw,
  entries,
}: {
  readonly entries: readonly Entry[]
  readonly draw: (entry: Entry) => ReactNode
}) {
  if (entries.length === 0) return null
  return (
    <section aria-label="Check-ins">
      <h2 className={styles.section}>
        Check-ins <span>{entries.length}, told by the jobs themselves</span>
      </h2>
      <ul className={styles.rows}>{entries.map(draw)}</ul>
    </section>
  )
}

/** The time line of each; null while it is asked for. */
function useMonitorCells(org: string, monitors: readonly Monitor[], search: MonitorsSearch) {
  const { data: timelines } = useQuery(
    timelinesQuery(
      org,
      monitors.map(({ id }) => id),
      search.hours,
    ),
  )
  return ({ environment, monitor }: Entry): readonly TimelineCell[] | null =>
    timelines === undefined
      ? null
      : (timelines.lines.find((line) => line.monitor === monitor.id && line.environment === environment?.name)?.cells ??
        [])
}

const needsSomebody = ({ environment, monitor }: Entry): boolean => standingOf(monitor, environment) === 'failing'

function toggled(before: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const after = new Set(before)
  if (!after.delete(key)) after.add(key)
  return after
}

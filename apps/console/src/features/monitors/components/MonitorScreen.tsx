import type { Monitor, MonitorEnvironment } from '@firsthand/contract'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'

import { formatDuration } from '../../../lib/format.ts'
import { useNow } from '../../../lib/now.ts'
import { usePageTitle } from '../../../lib/page-title.ts'
import { useAccess } from '../../../lib/shared-queries.ts'
import { useForm } from '../../../lib/use-form.ts'
import {
  Button,
  CodeBlock,
  EditIcon,
  Link,
  Loaded,
  Menu,
  MenuItem,
  MoreIcon,
  IconButton,
  Notice,
  PageBody,
  PageHeader,
  Panel,
  RelativeTime,
  SegmentedControl,
  ShowMore,
  SkeletonRows,
  toast,
  TrashIcon,
  useChanges,
  useShortcut,
  VisibleText,
} from '../../../ui/index.ts'
import { useSetUp } from '../../projects/set-up/index.ts'
import { bodyOf, validate, valuesOf } from '../model/draft.ts'
import type { MonitorUrl } from '../model/monitors-search.ts'
import { pingAddress } from '../model/ping.ts'
import { alertWords, dueWords, subtitleOf } from '../model/words.ts'
import {
  bringBack,
  changeMonitor,
  monitorQuery,
  muteEnvironment,
  removeEnvironment,
  removeMonitor,
  runsQuery,
  timelinesQuery,
} from '../queries.ts'
import { monitorsKey } from '../query-keys.ts'
import { isMissing, Missing } from './Missing.tsx'
import { MonitorForm } from './MonitorForm.tsx'
import styles from './MonitorScreen.module.css'
import { RunList } from './RunList.tsx'
import { Axis } from './Axis.tsx'
import { Timeline } from './Timeline.tsx'

const FROM = '/signed-in/organizations/$org/monitors/$monitor'

/** One monitor: how it stands in each environment, its runs with what they wrote, and what one can do. */
export function MonitorScreen() {
  const { monitor, org } = useParams({ from: FROM })
  const found = useQuery(monitorQuery(org, monitor))
  usePageTitle(found.data?.name ?? 'Monitor')
  if (isMissing(found)) return <Missing org={org} title="Monitor not found" />
  return (
    <Loaded
      query={found}
      outline={<SkeletonRows rows={12} label="Loading the monitor" />}
      failed="The monitor could not be loaded"
    >
      {(data) => <Shown key={data.id} org={org} monitor={data} />}
    </Loaded>
  )
}

function Shown({ monitor, org }: { readonly org: string; readonly monitor: Monitor }) {
  const search = useSearch({ from: FROM })
  const navigate = useNavigate()
  const access = useAccess(org)
  const change = (next: MonitorUrl): void => {
    void navigate({
      to: '/organizations/$org/monitors/$monitor',
      params: { org, monitor: monitor.id },
      search: next,
      replace: true,
    })
  }
  const environment =
    monitor.environments.find(({ name }) => name === search.environment) ?? monitor.environments[0] ?? null
  const mayWrite = access('event:write')
  useShortcut('e', () => change({ ...search, edit: true }), { label: 'Edit', group: 'Monitor' })
  return (
    <>
      <PageHeader
        title={<VisibleText text={monitor.name} />}
        actions={
          mayWrite && search.edit !== true ? (
            <Actions org={org} monitor={monitor} onEdit={() => change({ ...search, edit: true })} />
          ) : undefined
        }
      >
        <Link look="quiet" to="/organizations/$org/monitors" params={{ org }}>
          All monitors
        </Link>
      </PageHeader>
      <PageBody width={search.edit === true ? 'narrow' : 'wide'}>
        {monitor.configError === null ? null : (
          <Notice tone="warning">
            The configuration that came last was not taken: {monitor.configError} The monitor goes on as it was.
          </Notice>
        )}
        {monitor.isFull ? (
          <Notice tone="warning">
            This monitor, or all of its project together, has as many environments as it may. Check-ins of others are
            not taken: remove environments that are not needed.
          </Notice>
        ) : null}
        {search.edit === true ? (
          <Edit
            org={org}
            monitor={monitor}
            onDone={() => change(search.environment === undefined ? {} : { environment: search.environment })}
          />
        ) : environment === null ? (
          <Waiting org={org} monitor={monitor} />
        ) : (
          <Runs
            org={org}
            monitor={monitor}
            environment={environment}
            onChoose={(name) => change({ environment: name })}
          />
        )}
      </PageBody>
    </>
  )
}

function Actions({
  monitor,
  onEdit,
  org,
}: {
  readonly org: string
  readonly monitor: Monitor
  readonly onEdit: () => void
}) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const changes = useChanges(() => void client.invalidateQueries({ queryKey: monitorsKey(org) }))
  const set = async (
    what: string,
    done: string,
    next: { isMuted?: boolean; status?: 'active' | 'disabled' },
  ): Promise<void> => {
    const before = { isMuted: monitor.isMuted, status: monitor.status }
    if ((await changes.during(what, () => changeMonitor(org, monitor.id, next))) === null) return
    toast({ title: done, action: changes.undo(done, () => changeMonitor(org, monitor.id, before)) })
  }
  const remove = async (): Promise<void> => {
    const gone = await changes.during('Deleting', async () => {
      await removeMonitor(org, monitor.id)
      return true
    })
    if (gone === null) return
    toast({ title: `${monitor.name} is deleted`, action: changes.undo('deleted', () => bringBack(org, monitor.id)) })
    void navigate({ to: '/organizations/$org/monitors', params: { org } })
  }
  return (
    <>
      <Button
        busy={changes.busy}
        onClick={() =>
          void set(
            monitor.isMuted ? 'Letting it speak' : 'Muting',
            monitor.isMuted ? `${monitor.name} speaks again` : `${monitor.name} is muted`,
            { isMuted: !monitor.isMuted },
          )
        }
      >
        {monitor.isMuted ? 'Unmute' : 'Mute'}
      </Button>
      <Button icon={EditIcon} kbd="e" onClick={onEdit}>
        Edit
      </Button>
      <Menu align="end" trigger={<IconButton icon={MoreIcon} label="More" />}>
        <MenuItem
          onSelect={() =>
            void set(
              monitor.status === 'active' ? 'Switching it off' : 'Switching it on',
              monitor.status === 'active' ? `${monitor.name} is off` : `${monitor.name} is on`,
              { status: monitor.status === 'active' ? 'disabled' : 'active' },
            )
          }
        >
          {monitor.status === 'active' ? 'Switch off' : 'Switch on'}
        </MenuItem>
        <MenuItem icon={TrashIcon} danger onSelect={() => void remove()}>
          Delete
        </MenuItem>
      </Menu>
    </>
  )
}

function Edit({
  monitor,
  onDone,
  org,
}: {
  readonly org: string
  readonly monitor: Monitor
  readonly onDone: () => void
}) {
  const client = useQueryClient()
  const form = useForm({
    initial: valuesOf(monitor),
    validate,
    submit: async (values) => {
      const { project: _project, ...body } = bodyOf(values)
      await changeMonitor(org, monitor.id, body)
      void client.invalidateQueries({ queryKey: monitorsKey(org) })
      onDone()
    },
  })
  return <MonitorForm org={org} form={form} monitor={monitor} submit="Save" onCancel={onDone} />
}

/** Nothing has come yet: what the job has to say. */
function Waiting({ monitor, org }: { readonly org: string; readonly monitor: Monitor }) {
  const example = useSetUp(org, [monitor.project.id])
  return (
    <Panel title="It waits for its first check-in" subtitle={subtitleOf(monitor)}>
      {example === null ? null : (
        <CodeBlock
          wrap
          title="At the beginning of the job, and at its end with its exit code"
          code={`curl -fsS "${pingAddress(example.dsn, monitor.slug)}/start"\n…\ncurl -fsS --data-binary @job.log "${pingAddress(example.dsn, monitor.slug)}/$?"`}
        />
      )}
    </Panel>
  )
}

function Runs({
  environment,
  monitor,
  onChoose,
  org,
}: {
  readonly org: string
  readonly monitor: Monitor
  readonly environment: MonitorEnvironment
  readonly onChoose: (name: string) => void
}) {
  const now = useNow(1000)
  const due = dueWords(monitor, environment, now)
  const { data: timelines } = useQuery(timelinesQuery(org, [monitor.id], '168'))
  const line = timelines?.lines.find((one) => one.environment === environment.name)
  const runs = useInfiniteQuery(runsQuery(org, monitor.id, environment.name))
  const list = runs.data?.pages.flatMap(({ data }) => data)
  return (
    <div className={styles.page}>
      <p className={styles.facts}>
        {subtitleOf(monitor)}
        {' · '}
        <span className={due.isLate ? styles.late : undefined}>{due.text}</span>
        {environment.typicalDuration === null ? null : (
          <> · usually takes {formatDuration(environment.typicalDuration)}</>
        )}
        {' · '}
        {alertWords(monitor, environment)}
        {monitor.owner === null ? null : <> · {monitor.owner.name}</>}
      </p>
      {monitor.environments.length < 2 ? null : (
        <SegmentedControl
          aria-label="Environment"
          value={environment.name}
          options={monitor.environments.map(({ name }) => ({ value: name, label: name }))}
          onValueChange={onChoose}
        />
      )}
      {environment.isForgotten ? <Forgotten org={org} monitor={monitor} environment={environment} /> : null}
      {environment.activeIncident === null ? null : (
        <Notice tone="error">
          Failing for <RelativeTime form="age" time={environment.activeIncident.startingTimestamp} />.{' '}
          <Link
            to="/organizations/$org/issues"
            params={{ org }}
            search={{ query: `monitor.slug:${monitor.slug}`, project: [monitor.project.id] }}
          >
            Its issue
          </Link>
        </Notice>
      )}
      <Panel
        title="Last 7 days"
        content="padded"
        actions={<MuteHere org={org} monitor={monitor} environment={environment} />}
      >
        <Timeline cells={timelines === undefined ? null : (line?.cells ?? [])} name={monitor.name} />
        <Axis hours="168" />
      </Panel>
      <Panel title="Runs" subtitle="newest first" content="padded">
        <Loaded
          query={{ ...runs, data: list }}
          compact
          outline={<SkeletonRows rows={8} label="Loading the runs" />}
          failed="The runs could not be loaded"
        >
          {(all) => (
            <div className={styles.runs}>
              <RunList org={org} monitor={monitor} runs={all} />
              <ShowMore query={runs} />
            </div>
          )}
        </Loaded>
      </Panel>
    </div>
  )
}

interface InEnvironment {
  readonly org: string
  readonly monitor: Monitor
  readonly environment: MonitorEnvironment
}

function MuteHere({ environment, monitor, org }: InEnvironment) {
  const client = useQueryClient()
  const access = useAccess(org)
  const changes = useChanges(() => void client.invalidateQueries({ queryKey: monitorsKey(org) }))
  if (!access('event:write') || monitor.environments.length < 2) return null
  const turn = async (): Promise<void> => {
    const next = !environment.isMuted
    const done = await changes.during(next ? 'Muting' : 'Letting it speak', () =>
      muteEnvironment(org, monitor.id, environment.name, next),
    )
    if (done === null) return
    const title = next ? `Muted in ${environment.name}` : `Speaks again in ${environment.name}`
    toast({ title, action: changes.undo(title, () => muteEnvironment(org, monitor.id, environment.name, !next)) })
  }
  return (
    <Button size="small" busy={changes.busy} onClick={() => void turn()}>
      {environment.isMuted ? `Unmute in ${environment.name}` : `Mute in ${environment.name}`}
    </Button>
  )
}

/** An environment that was seen once must report for ever, unless somebody says that it is gone. */
function Forgotten({ environment, monitor, org }: InEnvironment) {
  const client = useQueryClient()
  const access = useAccess(org)
  const changes = useChanges(() => void client.invalidateQueries({ queryKey: monitorsKey(org) }))
  const remove = (): Promise<unknown> =>
    changes.during('Removing', async () => {
      await removeEnvironment(org, monitor.id, environment.name)
      return true
    })
  return (
    <Notice tone="warning">
      <div className={styles.forgotten}>
        <span>Nothing came from {environment.name} for many periods. Is it gone?</span>
        {access('event:write') ? (
          <Button size="small" busy={changes.busy} onClick={() => void remove()}>
            Remove {environment.name} and its runs
          </Button>
        ) : null}
      </div>
    </Notice>
  )
}

import type { ReplayDeletionJob, ReplayKeeping } from '@firsthand/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'

import { describeError } from '../../../lib/api.ts'
import { formatBytes, formatCount } from '../../../lib/format.ts'
import { showSaved } from '../../../lib/shown-data.ts'
import { useForm } from '../../../lib/use-form.ts'
import type { ProjectSettingsProps } from '../../../shell/feature.ts'
import {
  Badge,
  ErrorState,
  Panel,
  RelativeTime,
  Table,
  Tbody,
  Td,
  Th,
  Thead,
  toast,
  type Tone,
  Tr,
  VisibleText,
} from '../../../ui/index.ts'
import { FormOutline, NumberField, SettingsForm } from '../../settings/index.ts'
import { ProjectAssets } from './ProjectAssets.tsx'
import { deletionsQuery, keepingKey, keepingQuery, saveKeeping } from './queries.ts'
import styles from './ProjectReplays.module.css'

/** How long and in how much space a project keeps its replays, and which deletions of many were asked for. */
export function ProjectReplays({ org, project, mayWrite }: ProjectSettingsProps) {
  const { data, error, refetch } = useQuery(keepingQuery(org, project.slug))
  if (error !== null) {
    return (
      <ErrorState
        title="The settings of replays could not be loaded"
        {...describeError(error)}
        onRetry={() => void refetch()}
      />
    )
  }
  if (data === undefined) return <FormOutline label="Loading the settings of replays" />
  return (
    <>
      <Usage keeping={data} />
      <Limits org={org} project={project.slug} keeping={data} mayWrite={mayWrite} />
      <ProjectAssets org={org} project={project.slug} mayWrite={mayWrite} />
      <Deletions org={org} project={project.slug} />
    </>
  )
}

const counted = (count: number): string => `${formatCount(count)} ${count === 1 ? 'replay' : 'replays'}`

/** What they take now, and what the limits freed last. */
function Usage({ keeping }: { readonly keeping: ReplayKeeping }) {
  const { bytes, freed, gigabytes, replays, starred, starredBytes } = keeping
  const most = gigabytes === null ? null : gigabytes * 1e9
  return (
    <Panel title="Space">
      <p className={styles.sum}>
        <strong>{formatBytes(bytes)}</strong>
        {most === null ? '' : ` of ${formatBytes(most)}`} in {counted(replays)}
      </p>
      {most === null ? null : (
        <div
          className={styles.bar}
          role="img"
          aria-label={`${Math.round((bytes / most) * 100)} % of the space is used`}
        >
          <span style={{ width: `${Math.min(100, (bytes / most) * 100)}%` }} data-over={bytes > most} />
        </div>
      )}
      <p className={styles.note}>
        Recordings and videos as they were sent, and what was made of them for the player, as it is stored. The index
        for lists and searches comes on top. Images, fonts and styles of their pages count once, however many replays
        have them.
        {starred === 0 ? '' : ` Starred: ${counted(starred)}, ${formatBytes(starredBytes)}.`}
        {most !== null && starredBytes > most
          ? ' Starred replays alone take more than the limit: take stars away, or raise it.'
          : ''}
      </p>
      <p className={styles.note}>
        {freed === null ? (
          'No limit has removed a replay yet.'
        ) : (
          <>
            Last removed: {counted(freed.replays)}, which freed {formatBytes(freed.bytes)},{' '}
            <RelativeTime time={freed.at} form="ago" />.
          </>
        )}
      </p>
    </Panel>
  )
}

const numberOf = (text: string): number | null => (text.trim() === '' ? null : Number(text.trim().replace(',', '.')))

function Limits({
  org,
  project,
  keeping,
  mayWrite,
}: {
  readonly org: string
  /** Slug. */
  readonly project: string
  readonly keeping: ReplayKeeping
  readonly mayWrite: boolean
}) {
  const client = useQueryClient()
  const { organizationDays } = keeping
  const form = useForm({
    initial: { days: String(keeping.days ?? ''), gigabytes: String(keeping.gigabytes ?? '') },
    validate: ({ days, gigabytes }) => {
      const [wantedDays, wantedSpace] = [numberOf(days), numberOf(gigabytes)]
      const areDays = wantedDays === null || (Number.isInteger(wantedDays) && wantedDays >= 1)
      const isSpace = wantedSpace === null || (wantedSpace > 0 && wantedSpace <= 1_000_000)
      return {
        ...(areDays && (wantedDays ?? 1) <= organizationDays
          ? {}
          : { days: `Whole days, from 1 to ${organizationDays}; empty for as long as the organisation keeps data.` }),
        ...(isSpace ? {} : { gigabytes: 'More than 0, at most 1,000,000; empty for no limit.' }),
      }
    },
    submit: async ({ days, gigabytes }) => {
      const saved = await saveKeeping(org, project, { days: numberOf(days), gigabytes: numberOf(gigabytes) })
      showSaved(client, keepingKey(org, project), saved)
      toast({ title: 'Saved; what is beyond the limits goes within ten minutes', tone: 'ok' })
    },
  })
  return (
    <SettingsForm form={form} title="How long replays are kept" mayWrite={mayWrite}>
      <NumberField
        form={form}
        name="days"
        label="Keep replays for"
        unit="days"
        help={`After their end. Empty: as long as the organisation keeps data (${organizationDays} days), which is the longest. Starred replays go then as well.`}
        mayWrite={mayWrite}
      />
      <NumberField
        form={form}
        name="gigabytes"
        label="Use at most"
        unit="GB"
        help="Empty: no limit. Beyond it the oldest replays go first, those of open issues last, starred ones never."
        mayWrite={mayWrite}
      />
    </SettingsForm>
  )
}

const STATES: Readonly<Record<ReplayDeletionJob['status'], { readonly label: string; readonly tone: Tone }>> = {
  pending: { label: 'Waiting', tone: 'neutral' },
  'in-progress': { label: 'Running', tone: 'info' },
  completed: { label: 'Done', tone: 'ok' },
  failed: { label: 'Failed', tone: 'error' },
}

/** What a deletion was asked for. */
function whatOf({ query, visitor }: ReplayDeletionJob): string {
  if (visitor === null) return query === '' ? 'all replays of a time' : query
  if (visitor.by === 'address') return 'one visit of somebody unknown'
  return `visitor ${[visitor.userId, visitor.email].filter((one) => one !== null).join(', ') || (visitor.username ?? '')}`
}

function Deletions({ org, project }: { readonly org: string; readonly project: string }) {
  const { data, error, refetch } = useQuery(deletionsQuery(org, project))
  if (error !== null) {
    return (
      <ErrorState title="The deletions could not be loaded" {...describeError(error)} onRetry={() => void refetch()} />
    )
  }
  if (data === undefined) return <FormOutline label="Loading the deletions" />
  return (
    <Panel title="Deletions" subtitle="of many replays at once, the last first" content="rows">
      {data.length === 0 ? (
        <p className={styles.none}>
          None yet. All replays of a visitor can be deleted from the page of one of them, and from the list; all that a
          search finds, from the list.
        </p>
      ) : (
        <Table caption="Deletions of replays" minWidth={640}>
          <Thead>
            <Th>What</Th>
            <Th>By</Th>
            <Th>When</Th>
            <Th numeric>Deleted</Th>
            <Th numeric>Freed</Th>
            <Th>State</Th>
          </Thead>
          <Tbody>
            {data.map((job) => (
              <Tr key={job.id}>
                <Td>
                  <VisibleText text={whatOf(job)} />
                </Td>
                <Td quiet>
                  {job.createdBy === null ? (
                    'somebody who left'
                  ) : (
                    <VisibleText text={job.createdBy.name || job.createdBy.email} />
                  )}
                </Td>
                <Td quiet>
                  <RelativeTime time={job.dateCreated} form="ago" />
                </Td>
                <Td numeric>{formatCount(job.countDeleted)}</Td>
                <Td numeric>{formatBytes(job.bytesFreed)}</Td>
                <Td>
                  <span title={job.error === '' ? undefined : job.error}>
                    <Badge tone={STATES[job.status].tone}>{STATES[job.status].label}</Badge>
                  </span>
                </Td>
              </Tr>
            ))}
          </Tbody>
        </Table>
      )}
    </Panel>
  )
}

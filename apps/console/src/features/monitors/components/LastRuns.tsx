import type { Monitor, MonitorEnvironment } from '@firsthand/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'

import { useAccess } from '../../../lib/shared-queries.ts'
import { Button, ButtonLink, Loaded, SkeletonRows, toast, useChanges } from '../../../ui/index.ts'
import { changeMonitor, lastRunsQuery } from '../queries.ts'
import { monitorsKey } from '../query-keys.ts'
import { RunList } from './RunList.tsx'
import styles from './LastRuns.module.css'

const HOUR_MS = 3_600_000

/** What an open row shows: the last runs, and what one can do about them. */
export function LastRuns({
  environment,
  monitor,
  org,
}: {
  readonly org: string
  readonly monitor: Monitor
  readonly environment: MonitorEnvironment
}) {
  const runs = useQuery(lastRunsQuery(org, monitor.id, environment.name))
  const client = useQueryClient()
  const access = useAccess(org)
  const changes = useChanges(() => void client.invalidateQueries({ queryKey: monitorsKey(org) }))
  const mute = async (): Promise<void> => {
    const mutedUntil = new Date(Date.now() + HOUR_MS).toISOString()
    const done = await changes.during('Muting', () => changeMonitor(org, monitor.id, { isMuted: true, mutedUntil }))
    if (done === null) return
    toast({
      title: `${monitor.name} is muted for an hour`,
      action: changes.undo('muted', () => changeMonitor(org, monitor.id, { isMuted: false })),
    })
  }
  return (
    <div className={styles.last}>
      <div className={styles.runs}>
        <h3 className={styles.heading}>Last runs</h3>
        <Loaded
          query={runs}
          compact
          outline={<SkeletonRows rows={3} label="Loading the last runs" />}
          failed="The runs could not be loaded"
        >
          {(list) => <RunList org={org} monitor={monitor} runs={list} />}
        </Loaded>
      </div>
      <div className={styles.actions}>
        {access('event:write') && !monitor.isMuted ? (
          <Button size="small" busy={changes.busy} onClick={() => void mute()}>
            Mute for 1 h
          </Button>
        ) : null}
        <ButtonLink
          size="small"
          to="/organizations/$org/monitors/$monitor"
          params={{ org, monitor: monitor.id }}
          search={{ environment: environment.name }}
        >
          All runs
        </ButtonLink>
        {environment.status === 'error' ? (
          <ButtonLink
            size="small"
            to="/organizations/$org/issues"
            params={{ org }}
            search={{ query: `monitor.slug:${monitor.slug}`, project: [monitor.project.id] }}
          >
            Issue
          </ButtonLink>
        ) : null}
      </div>
    </div>
  )
}

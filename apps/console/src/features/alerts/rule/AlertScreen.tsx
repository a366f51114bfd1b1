import { ApiError, type AlertRule } from '@firsthand/contract'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'

import { useNow } from '../../../lib/now.ts'
import { usePageTitle } from '../../../lib/page-title.ts'
import { plainVisible } from '../../../lib/visible-text.ts'
import { LoadFailed } from '../../../shell/load-failed.tsx'
import {
  Badge,
  BellIcon,
  ButtonLink,
  EmptyState,
  Outline,
  Skeleton,
  useCommandsForOpen,
  useShortcut,
} from '../../../ui/index.ts'
import { MUTE_USUALLY, useAlertChanges } from '../alert-changes.ts'
import { AlertEditor } from '../editor/AlertEditor.tsx'
import { AlertMenu } from '../list/AlertMenu.tsx'
import { isMutedNow, standingOf } from '../model/decisions.ts'
import { draftOf } from '../model/draft.ts'
import { alertQuery } from '../queries.ts'
import { IncidentsPanel } from './IncidentsPanel.tsx'
import { TestButton } from './TestButton.tsx'
import { WhyPanel } from './WhyPanel.tsx'
import styles from './AlertScreen.module.css'

const FROM = '/signed-in/organizations/$org/alerts/$alert'
const MINUTE_MS = 60_000

/** One alert: what it says, what it would have said, and why it spoke and why not. */
export function AlertScreen() {
  const { org, alert } = useParams({ from: FROM })
  const { data, error, refetch } = useQuery(alertQuery(org, alert))
  usePageTitle(data === undefined ? 'Alert' : plainVisible(data.name))
  if (data !== undefined) return <Alert key={`${org} ${alert}`} org={org} rule={data} />
  if (error === null)
    return (
      <Outline label="Loading the alert" className={styles.outline}>
        <Skeleton height={50} />
        <Skeleton height={96} />
        <Skeleton height={290} />
      </Outline>
    )
  // The frame's page for a server that is away opens by itself once it is back.
  if (!(error instanceof ApiError)) throw error
  const back = (
    <ButtonLink to="/organizations/$org/alerts" params={{ org }}>
      Back to alerts
    </ButtonLink>
  )
  if (error.status === 404)
    return (
      <EmptyState page icon={BellIcon} title="Alert not found" action={back}>
        It was deleted, or belongs to another organisation.
      </EmptyState>
    )
  return (
    <LoadFailed page title="The alert could not be loaded" error={error} action={back} onRetry={() => void refetch()} />
  )
}

function Alert({ org, rule }: { readonly org: string; readonly rule: AlertRule }) {
  const { log } = useSearch({ from: FROM })
  const navigate = useNavigate()
  const changes = useAlertChanges(org)
  const now = useNow(MINUTE_MS)
  const beginning = useMemo(() => draftOf(rule), [rule])
  const standing = standingOf(rule, now)
  const isMuted = isMutedNow(rule, now)
  const toList = () => void navigate({ to: '/organizations/$org/alerts', params: { org } })
  const open = (id: string) => void navigate({ to: '/organizations/$org/alerts/$alert', params: { org, alert: id } })
  const muteOrNot = () => void (isMuted ? changes.unmute(rule) : changes.mute(rule, MUTE_USUALLY))
  useShortcut('m', muteOrNot, {
    label: isMuted ? 'Let it speak again' : 'Mute for an hour',
    group: 'Alert',
    enabled: changes.mayWrite,
  })
  useShortcut('u', toList, { label: 'Back to the list', group: 'Alert' })
  useCommandsForOpen(
    'Alert',
    changes.mayWrite
      ? [
          { label: isMuted ? 'Let this alert speak again' : 'Mute this alert for an hour', kbd: 'm', run: muteOrNot },
          {
            label: rule.isEnabled ? 'Switch this alert off' : 'Switch this alert on',
            run: () => void changes.enable(rule, !rule.isEnabled),
          },
          {
            label: 'Duplicate this alert',
            run: () => void changes.duplicate(rule).then((made) => made !== null && open(made.id)),
          },
        ]
      : [],
  )
  return (
    <AlertEditor
      org={org}
      rule={rule}
      beginning={beginning}
      onSaved={() => undefined}
      renderActions={(isDirty) => (
        <>
          <Badge tone={standing.tone}>{standing.word}</Badge>
          <TestButton org={org} rule={rule} isDirty={isDirty} mayWrite={changes.mayWrite} />
          <AlertMenu rule={rule} now={now} changes={changes} onOpen={open} onRemoved={toList} />
        </>
      )}
    >
      <div className={styles.history}>
        {/* Of a burst the log has a line for each: what came of it is not to be sought below. */}
        <IncidentsPanel org={org} rule={rule} />
        <WhyPanel
          org={org}
          rule={rule}
          all={log === 'all'}
          onAll={(all) =>
            void navigate({
              to: '/organizations/$org/alerts/$alert',
              params: { org, alert: rule.id },
              search: all ? { log: 'all' } : {},
              replace: true,
              resetScroll: false,
            })
          }
        />
      </div>
    </AlertEditor>
  )
}

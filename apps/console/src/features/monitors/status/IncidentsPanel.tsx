import { STATUS_OF_INCIDENT, STATUS_OF_MAINTENANCE, type StatusIncident } from '@firsthand/contract'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

import { formatExact } from '../../../lib/format.ts'
import { formatMoment } from '../../../lib/moments.ts'
import { useAccess } from '../../../lib/shared-queries.ts'
import { useForm } from '../../../lib/use-form.ts'
import { plainVisible } from '../../../lib/visible-text.ts'
import {
  AlertDialog,
  Badge,
  Button,
  Field,
  FieldStack,
  Loaded,
  Notice,
  Panel,
  Select,
  ShowMore,
  SkeletonRows,
  Textarea,
  toast,
  useChanges,
  VisibleText,
} from '../../../ui/index.ts'
import { changeIncident, goOn, incidentsQuery, removeIncident, say, statusKey } from './queries.ts'
import { SayForm } from './SayForm.tsx'
import styles from './StatusPageScreen.module.css'

/** What people say on the page: nothing is shown there that nobody published. */
export function IncidentsPanel({ components, org }: { readonly org: string; readonly components: readonly string[] }) {
  const list = useInfiniteQuery(incidentsQuery(org))
  const said = list.data?.pages.flatMap(({ data }) => data)
  const access = useAccess(org)
  const client = useQueryClient()
  const [writes, setWrites] = useState<'incident' | 'maintenance' | null>(null)
  const refresh = (): void => void client.invalidateQueries({ queryKey: statusKey(org) })
  return (
    <Panel
      title="Incidents and maintenance"
      content="padded"
      actions={
        access('event:write') && writes === null ? (
          <>
            <Button size="small" onClick={() => setWrites('maintenance')}>
              Announce maintenance
            </Button>
            <Button size="small" onClick={() => setWrites('incident')}>
              Write an incident
            </Button>
          </>
        ) : undefined
      }
    >
      {writes === null ? null : (
        <div className={styles.said}>
          <SayForm
            kind={writes}
            components={components}
            onSay={async (body) => {
              await say(org, body)
              refresh()
              setWrites(null)
            }}
            onCancel={() => setWrites(null)}
          />
        </div>
      )}
      <Loaded
        query={{ ...list, data: said }}
        compact
        outline={<SkeletonRows rows={3} label="Loading incidents and maintenance" />}
        failed="Incidents and maintenance could not be loaded"
      >
        {(all) =>
          all.length === 0 ? (
            <p className={styles.none}>
              No incident or maintenance yet. The page shows by itself whether systems work; what happened and what is
              planned is written here.
            </p>
          ) : (
            <>
              <ul className={styles.incidents}>
                {all.map((incident) => (
                  <Incident
                    key={incident.id}
                    org={org}
                    incident={incident}
                    mayWrite={access('event:write')}
                    refresh={refresh}
                  />
                ))}
              </ul>
              <ShowMore query={list} />
            </>
          )
        }
      </Loaded>
    </Panel>
  )
}

const wordOf = (status: string): string => status.replaceAll('_', ' ')

interface IncidentProps {
  readonly org: string
  readonly incident: StatusIncident
  readonly mayWrite: boolean
  readonly refresh: () => void
}

function Incident({ incident, mayWrite, org, refresh }: IncidentProps) {
  const changes = useChanges(refresh)
  const [isGoingOn, setGoingOn] = useState(false)
  const [isAsked, setAsked] = useState(false)
  const [latest] = incident.updates
  const publish = async (isPublished: boolean): Promise<void> => {
    const done = await changes.during('Publishing', () => changeIncident(org, incident.id, { isPublished }))
    if (done === null) return
    const title = isPublished ? `“${incident.title}” is on the page` : `“${incident.title}” is a draft again`
    toast({ title, action: changes.undo(title, () => changeIncident(org, incident.id, { isPublished: !isPublished })) })
  }
  return (
    <li className={styles.incident}>
      <h3>
        <VisibleText text={incident.title} />
        <Badge tone={incident.phase === 'now' ? 'warning' : 'neutral'}>{wordOf(incident.status)}</Badge>
        {incident.isPublished ? null : <Badge>draft</Badge>}
      </h3>
      {incident.kind !== 'maintenance' || incident.endsAt === null ? null : (
        <p className={styles.when}>
          {formatMoment('hour', Date.parse(incident.startsAt))} to {formatMoment('hour', Date.parse(incident.endsAt))}
        </p>
      )}
      {latest === undefined ? null : (
        <p className={styles.text}>
          {latest.text}{' '}
          <span className={styles.kind}>
            <time dateTime={latest.at} title={formatExact(Date.parse(latest.at))}>
              {formatMoment('hour', Date.parse(latest.at))}
            </time>
          </span>
        </p>
      )}
      {mayWrite && !isGoingOn ? (
        <div className={styles.buttons}>
          <Button size="small" busy={changes.busy} onClick={() => void publish(!incident.isPublished)}>
            {incident.isPublished ? 'Take off the page' : 'Publish'}
          </Button>
          <Button size="small" onClick={() => setGoingOn(true)}>
            Post an update
          </Button>
          <Button size="small" onClick={() => setAsked(true)}>
            Delete
          </Button>
        </div>
      ) : null}
      {isGoingOn ? <GoOn org={org} incident={incident} refresh={refresh} onDone={() => setGoingOn(false)} /> : null}
      <AlertDialog
        open={isAsked}
        onOpenChange={setAsked}
        title={`Delete “${plainVisible(incident.title)}”?`}
        description="It goes from the page with all of its updates. This cannot be undone; to hide it for now, take it off the page."
        confirmLabel="Delete it"
        busy={changes.busy}
        onConfirm={() =>
          void changes.during('Deleting', async () => {
            await removeIncident(org, incident.id)
            return true
          })
        }
      />
    </li>
  )
}

/** One more update. */
function GoOn({
  incident,
  onDone,
  org,
  refresh,
}: Pick<IncidentProps, 'incident' | 'org' | 'refresh'> & { readonly onDone: () => void }) {
  const statuses = incident.kind === 'maintenance' ? STATUS_OF_MAINTENANCE : STATUS_OF_INCIDENT
  const form = useForm<{ readonly status: (typeof statuses)[number]; readonly text: string }>({
    initial: { status: statuses.find((status) => status === incident.status) ?? statuses[0], text: '' },
    validate: ({ text }) => (text.trim() === '' ? { text: 'Say something.' } : {}),
    submit: async (values) => {
      await goOn(org, incident.id, values)
      refresh()
      onDone()
    },
  })
  return (
    <form noValidate onSubmit={form.onSubmit} className={styles.form}>
      {form.failure === undefined ? null : <Notice tone="error">{form.failure}</Notice>}
      <FieldStack>
        <Field label="Status">
          <Select
            value={form.values.status}
            options={statuses.map((status) => ({ value: status, label: wordOf(status) }))}
            onValueChange={(status) => form.set('status', status)}
          />
        </Field>
        <Field label="Text" error={form.errors.text}>
          <Textarea value={form.values.text} onValueChange={(text) => form.set('text', text)} />
        </Field>
      </FieldStack>
      <div className={styles.buttons}>
        <Button onClick={onDone}>Cancel</Button>
        <Button type="submit" busy={form.busy}>
          {incident.isPublished ? 'Publish the update' : 'Keep the update'}
        </Button>
      </div>
    </form>
  )
}

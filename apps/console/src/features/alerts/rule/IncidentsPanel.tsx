import type { AlertDelivery, AlertIncident, AlertRule } from '@firsthand/contract'
import { useInfiniteQuery } from '@tanstack/react-query'

import { formatDuration, formatExact, formatCount } from '../../../lib/format.ts'
import { formatMoment } from '../../../lib/moments.ts'
import { useNow } from '../../../lib/now.ts'
import { Badge, Link, Loaded, Panel, ShowMore, SkeletonRows, type Tone, VisibleText } from '../../../ui/index.ts'
import { channelText } from '../model/previews.ts'
import { incidentsQuery } from '../queries.ts'
import styles from './IncidentsPanel.module.css'

/** Each time it fired: how long, how bad, and what became of every message. */
export function IncidentsPanel({ org, rule }: { readonly org: string; readonly rule: AlertRule }) {
  const query = useInfiniteQuery(incidentsQuery(org, rule.id))
  return (
    <Panel title="Incidents" subtitle="and what became of their messages" content="rows">
      <Loaded compact query={query} outline={<SkeletonRows rows={3} />} failed="The incidents could not be loaded">
        {({ pages }) => {
          const incidents = pages.flatMap((page) => page.data)
          if (incidents.length === 0) return <p className={styles.none}>It has never fired.</p>
          return (
            <>
              <ol aria-label="Incidents">
                {incidents.map((incident) => (
                  <Incident key={incident.id} org={org} incident={incident} />
                ))}
              </ol>
              <ShowMore query={query} />
            </>
          )
        }}
      </Loaded>
    </Panel>
  )
}

const STATES: Readonly<Record<AlertIncident['state'], { readonly word: string; readonly tone: Tone }>> = {
  firing: { word: 'Ongoing', tone: 'error' },
  recovering: { word: 'Recovering', tone: 'warning' },
  flapping: { word: 'Flapping', tone: 'warning' },
  over: { word: 'Over', tone: 'neutral' },
}

function Incident({ org, incident }: { readonly org: string; readonly incident: AlertIncident }) {
  const { issue, started } = incident
  const state = STATES[incident.state]
  const startedMs = Date.parse(started)
  return (
    <li className={styles.incident}>
      <details>
        <summary className={styles.summary}>
          <time dateTime={started} title={formatExact(startedMs)} className={styles.time}>
            {formatMoment('hour', startedMs)}
          </time>
          <span className={styles.headline}>
            <VisibleText text={incident.headline} />
          </span>
          <Badge tone={state.tone}>{state.word}</Badge>
        </summary>
        <div className={styles.more}>
          <p>
            <Lasting incident={incident} />
            {incident.swallowed === 0 ? null : ` It stood for ${formatCount(incident.swallowed)} more.`}
            {incident.isMuted ? ' It was muted.' : null}{' '}
            {issue === null ? null : (
              <Link look="text" to="/organizations/$org/issues/$issue" params={{ org, issue: issue.id }}>
                {issue.shortId}
              </Link>
            )}
          </p>
          <Deliveries deliveries={incident.deliveries} />
        </div>
      </details>
    </li>
  )
}

const MINUTE_MS = 60_000

function Lasting({ incident: { ended, started } }: { readonly incident: AlertIncident }) {
  const now = useNow(MINUTE_MS)
  const length = formatDuration(Math.max(0, (ended === null ? now : Date.parse(ended)) - Date.parse(started)))
  return ended === null ? `Ongoing for ${length}.` : `It lasted ${length}.`
}

const STAGES: Readonly<Record<AlertDelivery['stage'], string>> = {
  first: 'Told',
  update: 'Update',
  over: 'All clear',
  single: 'Told',
}

const DELIVERED: Readonly<Record<AlertDelivery['state'], { readonly word: string; readonly tone: Tone }>> = {
  waiting: { word: 'waiting', tone: 'neutral' },
  sending: { word: 'on its way', tone: 'neutral' },
  sent: { word: 'reached', tone: 'ok' },
  failed: { word: 'failed', tone: 'error' },
  withdrawn: { word: 'taken back', tone: 'neutral' },
  held: { word: 'held', tone: 'warning' },
}

function Deliveries({ deliveries }: { readonly deliveries: readonly AlertDelivery[] }) {
  if (deliveries.length === 0) return <p className={styles.quiet}>Nobody was told.</p>
  return (
    <ul aria-label="Messages">
      {deliveries.map((delivery) => {
        const { word, tone } = DELIVERED[delivery.state]
        return (
          <li key={delivery.id} className={styles.delivery}>
            <time dateTime={delivery.at} className={styles.time}>
              {formatMoment('clock', Date.parse(delivery.at))}
            </time>
            <span className={styles.to}>
              {STAGES[delivery.stage]} <VisibleText text={delivery.receiver} />{' '}
              <span className={styles.quiet}>{channelText(delivery.channel)}</span>
              {delivery.sentence === null ? null : (
                <span className={styles.answer}>
                  <VisibleText text={delivery.sentence} />
                </span>
              )}
            </span>
            <Badge tone={tone}>{word}</Badge>
          </li>
        )
      })}
    </ul>
  )
}

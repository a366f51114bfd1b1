import type { ApiEvent } from '@firsthand/contract'

import {
  Button,
  ButtonLink,
  ChevronLeftIcon,
  ChevronRightIcon,
  CopyButton,
  IconButton,
  RelativeTime,
  VisibleText,
} from '../../../ui/index.ts'
import { EventReplay } from '../../replays/links/index.ts'
import { eventFacts } from '../model/contexts.ts'
import type { EventView } from '../model/event-view.ts'
import { replayOf } from '../model/replay-of.ts'
import { traceOf } from '../model/trace-of.ts'
import styles from './EventBar.module.css'

export interface EventBarProps {
  readonly org: string
  readonly api: ApiEvent
  readonly event: EventView
  /** An id, `latest`, `oldest` or `recommended`. */
  readonly onShow: (event: string) => void
  readonly onJson: () => void
}

const ID_CHARACTERS = 8

/** Which event is shown, of whom and when, and the way to the others. */
export function EventBar({ org, api, event, onShow, onJson }: EventBarProps) {
  const place = traceOf(event)
  const replay = replayOf(event)
  const facts = eventFacts(event)
  const isOnly = api.previousEventID === null && api.nextEventID === null
  return (
    <section className={styles.bar} aria-label="Event">
      <div className={styles.about}>
        <strong>Event</strong>
        <code title={event.id}>{event.id.slice(0, ID_CHARACTERS)}</code>
        <CopyButton text={event.id} label="event id" />
        <span className={styles.facts}>
          <RelativeTime time={event.timestamp} />
          {facts.map((fact) => (
            <span key={fact}>
              {' · '}
              <VisibleText text={fact} />
            </span>
          ))}
        </span>
      </div>
      <div className={styles.ways}>
        {isOnly ? null : (
          <>
            <Button variant="ghost" size="small" onClick={() => onShow('recommended')} title="The most useful event">
              Recommended
            </Button>
            <Button
              variant="ghost"
              size="small"
              disabled={api.previousEventID === null}
              onClick={() => onShow('oldest')}
            >
              First
            </Button>
            <IconButton
              icon={ChevronLeftIcon}
              label="Older event"
              kbd="["
              size="small"
              disabled={api.previousEventID === null}
              onClick={() => onShow(api.previousEventID ?? 'oldest')}
            />
            <IconButton
              icon={ChevronRightIcon}
              label="Newer event"
              kbd="]"
              size="small"
              disabled={api.nextEventID === null}
              onClick={() => onShow(api.nextEventID ?? 'latest')}
            />
            <Button variant="ghost" size="small" disabled={api.nextEventID === null} onClick={() => onShow('latest')}>
              Latest
            </Button>
          </>
        )}
        {replay === null ? null : <EventReplay org={org} replay={replay} at={event.timestamp} />}
        {place === null ? null : (
          <ButtonLink
            variant="ghost"
            size="small"
            kbd="t"
            to="/organizations/$org/traces/$trace"
            params={{ org, trace: place.trace }}
            search={place.search}
          >
            Trace
          </ButtonLink>
        )}
        <Button variant="ghost" size="small" onClick={onJson}>
          JSON
        </Button>
      </div>
    </section>
  )
}

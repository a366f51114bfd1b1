import { useState } from 'react'

import { CopyButton, Input, Link, Panel, SearchIcon, Select, VisibleText } from '../../../ui/index.ts'
import { plainVisible } from '../../../lib/visible-text.ts'
import { PersonLink, personOf } from '../../people/links/index.ts'
import { VisitorReplays } from '../../replays/links/index.ts'
import { bodyText, curlCommand, requestAddress } from '../model/curl.ts'
import type { EventView, Json, NamedValues, Pairs } from '../model/event-view.ts'
import { isAboutSources } from '../model/unmapped.ts'
import { metaBelow, readRemarks } from '../model/remarks.ts'
import { shownThreads, threadLabel } from '../model/threads.ts'
import { traceOf } from '../model/trace-of.ts'
import { type Said, isSaid } from '../model/long-text.ts'
import { ClampedText } from './ClampedText.tsx'
import { Frames } from './Frames.tsx'
import { KeyValues } from './KeyValues.tsx'
import { Remarks } from './Remarks.tsx'
import styles from './EventPanels.module.css'

/** The panels below the stack, each only when the event has something for it. */

const REPORT_TITLES: Readonly<Record<string, string>> = {
  csp: 'Content Security Policy',
  hpkp: 'Public key pinning',
  expectct: 'Certificate transparency',
  expectstaple: 'OCSP stapling',
  nel: 'Network error',
}

/** Fields of a report that say most come first. */
const REPORT_ORDER = [
  'effective_directive',
  'violated_directive',
  'blocked_uri',
  'document_uri',
  'disposition',
  'source_file',
  'line_number',
]

/** The event's own words, unless the heading or an error says them. @param said what stands above the event */
export function MessagePanel({ event, said }: { readonly event: EventView; readonly said: Said }) {
  const isTitle = event.exceptions.some((exception) => exception.value === event.message)
  const remarks = metaBelow(event.meta, 'message')
  const hasTemplate = event.messageTemplate !== '' && event.messageTemplate !== event.message
  if (event.message === '' || isTitle) return null
  if (isSaid(said, '', event.message) && readRemarks(remarks, event.message).length === 0 && !hasTemplate) return null
  return (
    <Panel title="Message" content="rows" actions={<CopyButton text={event.message} label="message" />}>
      <div className={styles.message}>
        <ClampedText text={event.message} />
        <Remarks meta={remarks} value={event.message} />
      </div>
      {hasTemplate ? (
        <div className={styles.inset}>
          <KeyValues
            values={[
              ['template', event.messageTemplate],
              ...(event.messageParameters === undefined ? [] : [['parameters', event.messageParameters] as const]),
            ]}
          />
        </div>
      ) : null}
    </Panel>
  )
}

export function ReportPanel({ event }: { readonly event: EventView }) {
  const report = event.report
  if (report === null) return null
  const rank = (name: string) => (REPORT_ORDER.includes(name) ? REPORT_ORDER.indexOf(name) : REPORT_ORDER.length)
  const fields = report.fields
    .filter(([, value]) => value !== null && value !== '')
    .toSorted(([a], [b]) => rank(a) - rank(b))
  return (
    <Panel title={REPORT_TITLES[report.kind] ?? 'Report'} subtitle="as the browser reported it" content="rows">
      <KeyValues values={fields.map(([name, value]) => [name.replaceAll('_', ' '), value] as const)} />
    </Panel>
  )
}

export function ThreadsPanel({ event }: { readonly event: EventView }) {
  const threads = shownThreads(event)
  const [chosen, setChosen] = useState('0')
  const thread = threads[Number(chosen)]
  if (thread === undefined) return null
  return (
    <Panel
      title="Threads"
      subtitle={`${event.threads.length}`}
      content="rows"
      actions={
        <Select
          aria-label="Thread"
          look="bar"
          className={styles.select}
          value={chosen}
          onValueChange={setChosen}
          options={threads.map((entry, index) => ({ value: String(index), label: threadLabel(entry) }))}
        />
      }
    >
      {thread.stack === null ? (
        <p className={styles.said}>Its stack is the one of the error, above.</p>
      ) : (
        <>
          <Frames key={`${event.id}-${chosen}`} stack={thread.stack} mode="app" platform={event.platform} />
          <Part title="Registers" values={thread.stack.registers} meta={undefined} />
        </>
      )}
    </Panel>
  )
}

export function RequestPanel({ event }: { readonly event: EventView }) {
  const request = event.request
  if (request === null || (request.url === '' && request.headers.length === 0)) return null
  const body = bodyText(request.body)
  return (
    <Panel
      title="Request"
      content="rows"
      actions={
        request.url === '' ? undefined : (
          <CopyButton text={curlCommand(request)} label="as curl" withText variant="ghost" />
        )
      }
    >
      <p className={styles.request}>
        <strong>{request.method || 'GET'}</strong>{' '}
        <span className={styles.address}>
          <VisibleText text={requestAddress(request)} />
          {request.fragment === '' ? null : (
            <>
              #<VisibleText text={request.fragment} />
            </>
          )}
        </span>
      </p>
      <Part title="Query" values={request.query} meta={request.meta?.['query']} />
      {body === '' ? null : (
        <div className={styles.part}>
          <h3 className={styles.heading}>
            Body {request.contentType === '' ? null : <span className={styles.kind}>{request.contentType}</span>}
          </h3>
          {typeof request.body === 'string' ? (
            <>
              <pre className={styles.body} tabIndex={0}>
                <VisibleText text={request.body} />
              </pre>
              <Remarks meta={request.meta?.['body']} value={request.body} />
            </>
          ) : (
            <KeyValues values={[['body', request.body]]} meta={{ body: request.meta?.['body'] ?? null }} />
          )}
        </div>
      )}
      <Part title="Headers" values={request.headers} meta={request.meta?.['headers']} />
      <Part title="Cookies" values={request.cookies} meta={request.meta?.['cookies']} />
      <Part title="Environment" values={request.environment} meta={request.meta?.['environment']} />
    </Panel>
  )
}

interface PartProps {
  readonly title: string
  readonly values: NamedValues | Pairs
  readonly meta: Json | undefined
}

function Part({ title, values, meta }: PartProps) {
  if (values.length === 0) return null
  return (
    <div className={styles.part}>
      <h3 className={styles.heading}>{title}</h3>
      <KeyValues values={values} meta={meta} />
    </div>
  )
}

export function UserPanel({
  org,
  project,
  event,
}: {
  readonly org: string
  /** Its id. */
  readonly project: string
  readonly event: EventView
}) {
  const user = event.user
  if (user === null) return null
  const known: NamedValues = [
    ['id', user.id],
    ['email', user.email],
    ['username', user.username],
    ['name', user.name],
    ['IP address', user.ipAddress],
  ]
  const values = [
    ...known.filter(([, value]) => value !== ''),
    ...user.geo.map(([name, value]) => [`geo.${name}`, value] as const),
    ...user.data,
  ]
  return values.length === 0 ? null : (
    <Panel title="User" content="rows" actions={<AboutUser org={org} user={user} project={project} />}>
      <KeyValues values={values} meta={userMeta(event)} />
    </Panel>
  )
}

/** What else is known of whom it happened to. */
function AboutUser({
  org,
  user,
  project,
}: {
  readonly org: string
  readonly user: NonNullable<EventView['user']>
  readonly project: string
}) {
  const person = personOf(user)
  return (
    <>
      {person === null ? null : <PersonLink org={org} user={person} label="All of this person" />}
      <VisitorReplays org={org} visitor={user} project={project} />
    </>
  )
}

/** By the names that the panel shows. */
function userMeta(event: EventView): Json {
  const of = (...path: readonly string[]): Json => metaBelow(event.meta, 'user', ...path) ?? null
  const own = Object.fromEntries(['id', 'email', 'username', 'name'].map((name) => [name, of(name)]))
  const data = Object.fromEntries((event.user?.data ?? []).map(([name]) => [name, of('data', name)]))
  return { ...data, ...own }
}

export function TagsPanel({
  event,
  onFilter,
}: {
  readonly event: EventView
  readonly onFilter: (key: string, value: string) => void
}) {
  if (event.tags.length === 0) return null
  return (
    <Panel title="Tags" subtitle={`${event.tags.length}`} content="rows">
      <ul className={styles.tags}>
        {event.tags.map(([key, value], index) => (
          <li key={`${index}${key}`}>
            <button
              type="button"
              className={styles.tag}
              title={plainVisible(`Issues with ${key}:${value}`)}
              onClick={() => onFilter(key, value)}
            >
              <span className={styles.tagKey}>
                <VisibleText text={key} />
              </span>
              <span className={styles.tagValue}>
                <VisibleText text={value} />
              </span>
            </button>
            <Remarks meta={metaBelow(event.meta, 'tags', index, 'value')} value={value} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}

/** What is said of an object as a whole, without what is said of its parts. */
function ofWhole(meta: Json | undefined): Json {
  return { '': metaBelow(meta, '') ?? null }
}

export function FlagsPanel({ event }: { readonly event: EventView }) {
  return event.flags.length === 0 ? null : (
    <Panel title="Feature flags" subtitle="in the order they were asked" content="rows">
      <KeyValues values={event.flags} />
    </Panel>
  )
}

export function ContextsPanel({ org, event }: { readonly org: string; readonly event: EventView }) {
  if (event.contexts.length === 0) return null
  const place = traceOf(event)
  return (
    <Panel title="Contexts" content="rows">
      <div className={styles.cards}>
        {event.contexts.map((context) => (
          <section key={context.name} className={styles.card}>
            <h3 className={styles.heading}>
              <VisibleText text={context.title} />
            </h3>
            <KeyValues values={context.fields} meta={metaBelow(event.meta, 'contexts', context.name)} />
            {place === null || context.name !== 'trace' ? null : (
              <p className={styles.lead}>
                <Link to="/organizations/$org/traces/$trace" params={{ org, trace: place.trace }} search={place.search}>
                  Open the trace
                </Link>
              </p>
            )}
          </section>
        ))}
      </div>
    </Panel>
  )
}

export function ExtraPanel({ event }: { readonly event: EventView }) {
  return event.extra.length === 0 ? null : (
    <Panel title="Additional data" content="rows">
      <KeyValues values={event.extra} meta={metaBelow(event.meta, 'context')} />
      <Remarks meta={ofWhole(metaBelow(event.meta, 'context'))} value={Object.fromEntries(event.extra)} />
    </Panel>
  )
}

const MODULES_SEARCH_FROM = 12

export function ModulesPanel({ event }: { readonly event: EventView }) {
  return <LongList title="Packages" values={event.modules} />
}

/** Programs and libraries in machine code, each with the id by which its symbols are found. */
export function ImagesPanel({ event }: { readonly event: EventView }) {
  return <LongList title="Libraries" values={event.images} />
}

/** Names and values that few people look for: they are folded away. */
function LongList({ title, values }: { readonly title: string; readonly values: Pairs }) {
  const [search, setSearch] = useState('')
  const [open, setOpen] = useState(false)
  if (values.length === 0) return null
  const shown = values.filter(([name]) => name.toLowerCase().includes(search.trim().toLowerCase()))
  return (
    <Panel
      title={title}
      subtitle={`${values.length}`}
      content="rows"
      actions={
        <>
          {open && values.length >= MODULES_SEARCH_FROM ? (
            <Input
              aria-label={`Search ${title.toLowerCase()}`}
              placeholder="Search"
              icon={SearchIcon}
              value={search}
              onValueChange={setSearch}
            />
          ) : null}
          <button type="button" className={styles.show} aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? 'Hide' : 'Show'}
          </button>
        </>
      }
    >
      {open ? <KeyValues values={shown} /> : null}
    </Panel>
  )
}

export function SdkPanel({ event }: { readonly event: EventView }) {
  if (event.sdk === null) return null
  return (
    <Panel title="SDK" content="rows">
      <KeyValues
        values={[
          ['name', event.sdk.name],
          ['version', event.sdk.version],
        ]}
      />
    </Panel>
  )
}

/** What was dropped or changed while the event was read: nothing is lost in silence. */
export function NotesPanel({ event }: { readonly event: EventView }) {
  // What is said of sources stands beside the frames.
  const notes = event.notes.filter((note) => !isAboutSources(note))
  if (notes.length === 0) return null
  return (
    <Panel title="Notes" subtitle="what was dropped or changed while reading this event" content="rows">
      <ul className={styles.notes}>
        {notes.map((note, index) => (
          <li key={`${index}${note.field}`} className={styles.note}>
            <code>
              <VisibleText text={note.field || 'event'} />
            </code>{' '}
            <VisibleText text={note.reason || note.type.replaceAll('_', ' ')} />
            {note.value === undefined ? null : (
              <span className={styles.was}>
                {' '}
                was <VisibleText text={typeof note.value === 'string' ? note.value : JSON.stringify(note.value)} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  )
}

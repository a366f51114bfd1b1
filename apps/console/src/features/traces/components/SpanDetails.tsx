import { type Attribute, type Span, SPAN_FLAGS } from '@firsthand/contract'
import { useQuery } from '@tanstack/react-query'
import { Fragment, type ReactNode, useState } from 'react'

import { describeError } from '../../../lib/api.ts'
import { formatExact } from '../../../lib/format.ts'
import { useProjectNames } from '../../../lib/shared-queries.ts'
import { formatSpent } from '../../../lib/spent-time.ts'
import { CopyButton, ErrorState, Input, Link, SearchIcon, SkeletonRows, VisibleText } from '../../../ui/index.ts'
import { type ProfiledSpan, SpanProfile } from '../../profiles/links/index.ts'
import { KindGlyph } from '../kinds/KindGlyph.tsx'
import { KINDS } from '../kinds/kinds.ts'
import { hasFlag, nameOf, type TraceModel, wordOf } from '../model/trace.ts'
import { spanQuery } from '../queries.ts'
import type { TraceView } from '../trace-view.ts'
import { ErrorList, FindingNote, LogList } from './TraceSummary.tsx'
import styles from './SpanDetails.module.css'

const MILLISECOND = 1000
/** Shorter lists are read faster than searched. */
const SEARCH_FROM = 8
/** Of longer names, and of those of several lines, the heading shows the beginning: they stand below it as a block of code. */
const LONG_NAME = 90

interface SpanProps {
  readonly org: string
  readonly trace: string
  readonly view: TraceView
  readonly span: number
}

/** One span: what it was, how long, what went wrong, and everything that the SDK said of it. */
export function SpanDetails({ org, trace, view, span }: SpanProps) {
  const { model } = view
  const project = model.projects[model.project[span] as number]
  const projects = useProjectNames(org)
  const query = useQuery(spanQuery(org, trace, model.id[span] ?? '', project?.id ?? ''))
  const name = nameOf(model, span)
  const isFailed = hasFlag(model, span, SPAN_FLAGS.failed)
  const transaction = wordOf(model, model.transaction[span])
  return (
    <>
      <h2 className={styles.title}>
        <KindGlyph kind={KINDS[model.kind[span] as number] ?? 'code'} />
        <span className={styles.name}>
          <VisibleText text={name} />
        </span>
      </h2>
      <p className={styles.place}>
        {[
          wordOf(model, model.op[span]),
          project && (projects.get(project.id) ?? project.slug),
          transaction === name ? '' : transaction,
        ]
          .filter((part) => part !== undefined && part !== '')
          .map((part, index) => (
            <span key={`${index}${part}`}>
              {index === 0 ? '' : ' · '}
              <VisibleText text={part ?? ''} />
            </span>
          ))}
      </p>
      <Times view={view} span={span} />
      <SpanProfile org={org} trace={trace} span={profiledOf(trace, transaction, query.data)} />
      {isFailed ? (
        <p className={styles.failed}>
          Failed: <VisibleText text={wordOf(model, model.status[span]).replaceAll('_', ' ') || 'error'} />
        </p>
      ) : null}
      <FindingNote org={org} finding={model.findingsOf.get(span)} />
      <ShiftNote model={model} span={span} />
      {name.length > LONG_NAME || name.includes('\n') ? (
        <Part title="Whole name" action={<CopyButton text={name} label="name" />}>
          <pre className={styles.statement} tabIndex={0}>
            <VisibleText text={name} />
          </pre>
        </Part>
      ) : null}
      <ErrorList org={org} errors={model.errorsOf.get(span) ?? []} />
      <LogList org={org} trace={trace} model={model} logs={model.logsOf.get(span) ?? []} />
      {query.data === undefined ? (
        query.isError ? (
          <ErrorState
            compact
            title="Its attributes could not be loaded"
            {...describeError(query.error)}
            onRetry={() => void query.refetch()}
          />
        ) : (
          <SkeletonRows rows={8} label="Loading the attributes" />
        )
      ) : (
        <Stored org={org} span={query.data} />
      )}
    </>
  )
}

function profiledOf(traceId: string, transaction: string, span: Span | undefined): ProfiledSpan | undefined {
  if (span === undefined) return undefined
  const { id, projectId, startMicroseconds: start, duration } = span
  return { traceId, id, thread: threadOf(span), projectId, transaction, start, end: start + duration * MILLISECOND }
}

/** Numbers and texts, as SDKs have it. */
const threadOf = ({ attributes }: Span): string =>
  String(attributes.find(({ name }) => name === 'thread.id')?.value ?? '')

function Times({ view, span }: Pick<SpanProps, 'view' | 'span'>) {
  const { model, path } = view
  const took = (model.end[span] as number) - (model.start[span] as number)
  const own = model.selfTime[span] as number
  const share = took === 0 ? 0 : Math.round((own / took) * 100)
  const critical = path === null || path.total === 0 ? null : ((path.time[span] as number) / path.total) * 100
  const facts: readonly (readonly [string, string])[] = [
    [formatSpent(took / MILLISECOND), 'duration'],
    [formatSpent(own / MILLISECOND), `self, ${share}%`],
    ...(critical === null
      ? []
      : [[critical > 0 && critical < 1 ? '<1%' : `${Math.round(critical)}%`, 'of critical path'] as const]),
  ]
  return (
    <dl className={styles.times}>
      {facts.map(([value, what]) => (
        <div key={what}>
          <dd className={styles.value}>{value}</dd>
          <dt className={styles.what}>{what}</dt>
        </div>
      ))}
    </dl>
  )
}

function ShiftNote({ model, span }: { readonly model: TraceModel; readonly span: number }) {
  const shift = model.shift[span] as number
  if (Math.abs(shift) < MILLISECOND) return null
  return (
    <p className={styles.note}>
      Drawn {formatSpent(Math.abs(shift) / MILLISECOND)} {shift > 0 ? 'later' : 'earlier'} than its clock said, which
      differs from that of its caller. What is stored is unchanged.
    </p>
  )
}

function Part({
  title,
  action,
  children,
}: {
  readonly title: string
  readonly action?: ReactNode
  readonly children: ReactNode
}) {
  return (
    <section className={styles.part}>
      <div className={styles.head}>
        <h3 className={styles.heading}>{title}</h3>
        {action}
      </div>
      {children}
    </section>
  )
}

/** What is stored of it beyond what the waterfall knows. */
function Stored({ org, span }: { readonly org: string; readonly span: Span }) {
  const facts: readonly Attribute[] = (
    [
      ['started', formatExact(Date.parse(span.start))],
      ['status', span.status],
      ['environment', span.environment],
      ['release', span.release],
      ['SDK', span.sdk],
      ['span id', span.id],
      ['event id', span.eventId],
    ] as const
  )
    .filter(([, value]) => value !== '')
    .map(([name, value]) => ({ name, type: 'string' as const, value }))
  return (
    <>
      {span.notes.length === 0 ? null : (
        <Part title="Notes">
          <ul className={styles.notes}>
            {span.notes.map((note, index) => (
              <li key={`${index}${note}`}>
                <VisibleText text={note} />
              </li>
            ))}
          </ul>
        </Part>
      )}
      <Attributes title="Attributes" attributes={span.attributes} />
      {span.links.length === 0 ? null : (
        <Part title="Links">
          <ul className={styles.notes}>
            {span.links.map((link, index) => (
              <li key={`${index}${link.spanId}`}>
                <Link
                  to="/organizations/$org/traces/$trace"
                  params={{ org, trace: link.traceId }}
                  search={link.spanId === '' ? {} : { span: link.spanId }}
                >
                  Trace {link.traceId.slice(0, 8)}
                </Link>
                {link.attributes.map((one) => (
                  <span key={one.name} className={styles.muted}>
                    {' '}
                    <VisibleText text={`${one.name}: ${textOf(one)}`} />
                  </span>
                ))}
              </li>
            ))}
          </ul>
        </Part>
      )}
      <Attributes title="Span" attributes={facts} />
    </>
  )
}

function textOf({ value }: Attribute): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** `http.response.status_code`, which may become two lines after a dot. */
function Key({ name }: { readonly name: string }) {
  return name.split(/(?<=[._])/).map((part, index) => (
    <Fragment key={index}>
      {index === 0 ? null : <wbr />}
      <VisibleText text={part} />
    </Fragment>
  ))
}

function Attributes({ title, attributes }: { readonly title: string; readonly attributes: readonly Attribute[] }) {
  const [search, setSearch] = useState('')
  const wanted = search.trim().toLowerCase()
  const shown = attributes.filter((one) => `${one.name} ${textOf(one)}`.toLowerCase().includes(wanted))
  return (
    <Part title={title} action={<span className={styles.muted}>{attributes.length}</span>}>
      {attributes.length < SEARCH_FROM ? null : (
        <Input
          icon={SearchIcon}
          aria-label={`Search ${title.toLowerCase()}`}
          placeholder="Name or value"
          value={search}
          onValueChange={setSearch}
        />
      )}
      {attributes.length === 0 ? <p className={styles.muted}>The SDK sent none.</p> : null}
      {attributes.length > 0 && shown.length === 0 ? <p className={styles.muted}>None matches.</p> : null}
      <dl className={styles.attributes}>
        {shown.map((one) => (
          <div key={one.name} className={styles.attribute}>
            <dt className={styles.key}>
              <Key name={one.name} />
            </dt>
            <dd className={styles.text}>
              <VisibleText text={textOf(one)} />
              <span className={styles.copy}>
                <CopyButton text={textOf(one)} label={one.name} />
              </span>
            </dd>
          </div>
        ))}
      </dl>
    </Part>
  )
}
